// What the adapters of both protocols share: the player, the events, the options and the work that
// only prints. An adapter turns the lines of its protocol into calls of the player, and words what
// comes of them.
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
    // What the searcher is to get at the start; 0: what it has.
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
    // For the user, in a window if the client has one.
    virtual void notify(const std::string& text) = 0;
    virtual void ring(Time at) { player_.thinking().print_due(at); }
    virtual void input_ended() { quitting_ = true; }
    // The game is over, though the client may not have said so.
    virtual void end_game() { player_.end_game(); }

    // The searcher gets what was asked for at the start. To be called when the client does not wait
    // for the first answer any more, which it does two seconds at most.
    void allot_resources();
    void set_hash(int mebibytes);
    void set_threads(int count);
    // Sets the option and uses it, or prints an error. `by_user`: false if a client sets it
    // unasked, as XBoard does with its usual folder of tables; then a comment takes the place of a
    // message.
    void set_option(std::string_view name, std::string_view value, bool by_user = true);

    // Commands that only print. `line` is for errors.
    template <typename Command>
    void list(std::span<const Command> commands) {
        for (const Command& command : commands)
            explain(command.name, command.args, command.help);
    }
    void board();
    void bench(std::string_view depth, std::string_view line);
    void perft(int depth);
    [[nodiscard]] std::optional<int>
    depth_argument(std::string_view depth, std::string_view line, int minimum);
    void divide(std::string_view depth, std::string_view line);

    // NOLINTBEGIN(*-non-private-member-variables-in-classes): the adapters are one with this
    engine::Searcher& searcher_;
    Books& books_;
    Output& out_;
    Settings settings_;
    Player player_;
    int hash_mib_ = 0, threads_ = 0;  // as last set; 0: not yet
    Resources wanted_;                // at the start; zeros once that is done
    bool ending_work_ = false;        // long commands are cut short
    bool quitting_ = false;
    // NOLINTEND(*-non-private-member-variables-in-classes)

    void apply_settings();

  private:
    void explain(std::string_view command, std::string_view args, std::string_view help);
    void tell(const BookMessage& message);
    void use_book(const std::string& before);
    void use_further_books();
    void use_network(const std::string& before);
    void use_tables(const std::string& before, bool by_user);
    [[nodiscard]] engine::Stopped interruption(bool& interrupted) const;

    Queue<Event>& mail_;
    std::set<std::string> told_;  // faults of the book
};

}  // namespace protocol
