// The XBoard protocol, version 2: turns lines into calls of the player, and events into lines.
// Source: T. Mann and H.G. Muller, "Chess Engine Communication Protocol".
#pragma once

#include "protocol/game/edit_mode.h"
#include "protocol/game/player.h"

#include <deque>
#include <optional>
#include <set>
#include <span>

namespace protocol {

class Xboard {
  public:
    struct Request;
    struct Command {
        std::string_view name;
        When when;
        std::string_view args, help;  // for `help`, which leaves out commands without a help text
        void (*run)(Xboard& xboard, const Request& request);
    };
    // A line from the client, split into a command and its arguments.
    struct Request {
        std::string line;  // trimmed, not empty
        Time arrived;
        const Command* command;  // null: the line is a move, or nothing we know
        std::size_t args_start;
        bool deferred = false;  // it has waited for our move
        [[nodiscard]] std::string_view args() const {
            return std::string_view(line).substr(args_start);
        }
    };
    static std::span<const Command> commands();  // sorted by name

    // What the searcher is to get at the start; 0: what it has.
    struct Resources {
        int hash_mib = 0, threads = 0;
    };
    // Searcher, books, mail and output must outlive the Xboard. The searcher gets its resources
    // after the features are printed, for which a client waits two seconds at most.
    Xboard(engine::Searcher& searcher,
           Books& books,
           Queue<Event>& mail,
           Output& out,
           const Settings& settings,
           const Resources& resources);

    // Handles events until the program should end.
    void run_until_quit();
    // False when the program should end.
    bool handle(const Event& event);
    // When the next Alarm is due, if no other event comes before.
    [[nodiscard]] std::optional<Time> alarm() { return player_.thinking().alarm(); }

  private:
    static const Command Table[];

    void receive(const Line& line);
    void run(const Request& request);
    void run_deferred();
    void apply_settings();
    void set_hash(int mebibytes);
    void set_threads(int count);
    void report(const Result<void>& result, const Request& request);
    void tell(const BookMessage& message);

    // The commands that take more than one statement; the table says what they do.
    [[nodiscard]] std::optional<int> depth_argument(const Request& request, int minimum);
    [[nodiscard]] engine::Stopped interruption(bool& interrupted) const;
    void bench(const Request& request);
    void board();
    void book_moves();
    void cores(const Request& request);
    void divide(const Request& request);
    void exclude(const Request& request, bool excluded);
    void help();
    void hint();
    void memory(const Request& request);
    void option(const Request& request);
    void perft(const Request& request);
    void ping(const Request& request);
    void place_pieces(const Request& request);
    void rating(const Request& request);
    void server(const Request& request);
    void set_board(std::string_view fen);
    void statistics();
    void use_book(const std::string& before);
    void use_further_books();
    void use_network(const std::string& before);
    void user_move(const Request& request);
    void variant(const Request& request);

    engine::Searcher& searcher_;
    Books& books_;
    Queue<Event>& mail_;
    Output& out_;
    Settings settings_;
    Player player_;
    std::optional<Editor> editor_;    // between `edit` and `.`
    std::deque<Request> deferred_;    // until the search has moved
    Resources wanted_;                // at the start; zeros once that is done
    int hash_mib_ = 0, threads_ = 0;  // as last set; 0: not yet
    std::set<std::string> told_;      // faults of the book
    bool ending_work_ = false;        // long commands are cut short
    bool quitting_ = false;
};

}  // namespace protocol
