// The XBoard protocol, version 2: turns lines into calls of the player, and events into lines.
// Source: T. Mann and H.G. Muller, "Chess Engine Communication Protocol".
#pragma once

#include "protocol/adapter.h"
#include "protocol/game/edit_mode.h"

#include <deque>
#include <optional>
#include <span>

namespace protocol {

class Xboard final : public Adapter {
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

    Xboard(const Parts& parts, const Settings& settings, const Resources& resources)
        : Adapter(parts, settings, resources) {}

  private:
    static const Command Table[];

    void receive(const Line& line) override;
    void run(const Request& request);
    // Halts the search for a command that needs it halted.
    void halt_for(When when);
    void run_deferred() override;
    void notify(const std::string& text) override { out_.say("telluser " + text); }
    void report(const Result<void>& result, const Request& request);

    // The commands that take more than one statement; the table says what they do.
    void book_moves();
    void cores(const Request& request);
    void exclude(const Request& request, bool excluded);
    void hint();
    void go(const Request& request);
    void memory(const Request& request);
    void option(const Request& request);
    void egt_path(const Request& request);
    void ping(const Request& request);
    void place_pieces(const Request& request);
    void rating(const Request& request);
    void server(const Request& request);
    void share_memory();
    void set_board(std::string_view fen);
    void statistics();
    void take_back(int plies);
    void user_move(const Request& request);
    void variant(const Request& request);

    std::optional<Editor> editor_;   // between `edit` and `.`
    std::deque<Request> deferred_;   // until our move is played
    std::optional<int> memory_mib_;  // for the whole program, as the client asked
};

}  // namespace protocol
