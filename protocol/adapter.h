// What the adapters of both protocols share: the player, the events, the options and the work that
// only prints. An adapter turns the lines of its protocol into calls of the player, and the answers
// into lines.
#pragma once

#include "protocol/game/player.h"

#include <set>
#include <span>

namespace protocol {

class Adapter {
  public:
    struct Parts {
        engine::Searcher& searcher;
        Books& books;
        Queue<Event>& mail;
        Output& out;
    };
    // The hash table and threads asked for at the start; 0: leave the searcher as it is.
    struct Resources {
        int hash_mib = 0, threads = 0;
    };
    virtual ~Adapter() = default;
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    // False when the program should end.
    bool handle(const Event& event);
    // When the next Alarm is due, if no other event comes before.
    [[nodiscard]] virtual std::optional<Time> alarm() { return player_.thinking().alarm(); }

  protected:
    // The parts must outlive the adapter.
    Adapter(const Parts& parts, const Settings& settings, const Resources& resources);

    virtual void receive(const Line& line) = 0;
    virtual void run_deferred() = 0;
    // Shows a message to the user, in a window if the client has one.
    virtual void notify(const std::string& text) = 0;
    virtual void ring(Time at) { player_.thinking().print_due(at); }
    virtual void input_ended() { quitting_ = true; }
    // The game is over, though the client may not have said so.
    virtual void end_game() { player_.end_game(); }

    // Gives the searcher what was asked for at the start. To be called once the client no longer
    // waits for the first answer: it waits two seconds at most.
    void allot_resources();
    void set_hash(int mebibytes);
    void set_threads(int count);
    // Sets and applies the option, or prints an error. `by_user`: false if the client sets it by
    // itself, as XBoard does with its default folder of tables; a failure is then only a comment.
    void set_option(std::string_view name, std::string_view value, bool by_user = true);

    // Commands that only print. `line` is for errors.
    template <typename Command>
    void list(std::span<const Command> commands) {
        for (const Command& command : commands)
            explain(command.name, command.args, command.help);
    }
    void board();
    void bench(std::string_view args, std::string_view line);
    void perft(int depth);
    [[nodiscard]] std::optional<int>
    depth_argument(std::string_view args, std::string_view line, int minimum);
    void divide(std::string_view args, std::string_view line);

    // NOLINTBEGIN(*-non-private-member-variables-in-classes): used by the derived adapters
    engine::Searcher& searcher_;
    Books& books_;
    Output& out_;
    Settings settings_;
    Player player_;
    int hash_mib_ = 0, threads_ = 0;     // as last set; 0: not yet
    Resources wanted_;                   // asked for at the start; then zeros
    std::optional<Time> ending_work_{};  // since when long commands are cut short
    bool quitting_ = false;
    // NOLINTEND(*-non-private-member-variables-in-classes)

    void apply_settings();

  private:
    void explain(std::string_view command, std::string_view args, std::string_view help);
    void tell(const BookMessage& message, std::string_view about = "");
    void use_book(const std::string& before);
    void use_further_books();
    void use_network(const std::string& before);
    void use_tables(const std::string& before, bool by_user);
    [[nodiscard]] engine::Stopped interruption(bool& interrupted) const;

    Queue<Event>& mail_;
    std::set<std::string> told_;  // warnings shown so far
};

}  // namespace protocol
