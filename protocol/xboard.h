// The XBoard protocol, version 2: lines in, calls on the player; events in, lines out.
// Source: T. Mann and H.G. Muller, "Chess Engine Communication Protocol".
#pragma once

#include "protocol/game/edit_mode.h"
#include "protocol/game/player.h"

#include <deque>
#include <optional>
#include <span>

namespace protocol {

class Xboard {
  public:
    // All that is given must outlive it.
    Xboard(engine::Searcher& searcher,
           Books& books,
           Queue<Event>& mail,
           Output& out,
           const Settings& settings);

    // False when the program should end.
    bool handle(const Event& event);

    struct Command {
        std::string_view name;
        When when;
        void (Xboard::*run)(std::string_view args);
        std::string_view help;  // empty: not for people
    };
    static std::span<const Command> commands();

  private:
    void handle_line(const Line& line);
    void run_line(std::string_view line, Time arrived);
    void run_deferred();
    void editing(std::string_view line);
    void try_move(std::string_view text, bool keyword);
    void apply_settings();
    void use_network(const std::string& path);
    void report(const Result<void>& result);

    // One for each row of the table, in its order; what each does is said there.
    void accepted(std::string_view args);
    void rejected(std::string_view args);
    void analyze(std::string_view args);
    void bench(std::string_view args);
    void bk(std::string_view args);
    void computer(std::string_view args);
    void cores(std::string_view args);
    void display(std::string_view args);
    void divide(std::string_view args);
    void draw(std::string_view args);
    void easy(std::string_view args);
    void edit(std::string_view args);
    void eval(std::string_view args);
    void exclude(std::string_view args);
    void exit(std::string_view args);
    void force(std::string_view args);
    void go(std::string_view args);
    void hard(std::string_view args);
    void help(std::string_view args);
    void hint(std::string_view args);
    void ics(std::string_view args);
    void ignore(std::string_view args);
    void include(std::string_view args);
    void level(std::string_view args);
    void memory(std::string_view args);
    void move_now(std::string_view args);
    void name(std::string_view args);
    void new_game(std::string_view args);
    void nopost(std::string_view args);
    void nps(std::string_view args);
    void option(std::string_view args);
    void otim(std::string_view args);
    void pause(std::string_view args);
    void perft(std::string_view args);
    void ping(std::string_view args);
    void playother(std::string_view args);
    void post(std::string_view args);
    void protover(std::string_view args);
    void quit(std::string_view args);
    void rating(std::string_view args);
    void remove(std::string_view args);
    void result(std::string_view args);
    void resume(std::string_view args);
    void sd(std::string_view args);
    void setboard(std::string_view args);
    void st(std::string_view args);
    void statistics(std::string_view args);
    void time(std::string_view args);
    void undo(std::string_view args);
    void usermove(std::string_view args);
    void variant(std::string_view args);
    void why(std::string_view args);

    engine::Searcher& searcher_;
    Books& books_;
    Output& out_;
    Settings settings_;
    Player player_;
    std::optional<Editor> editor_;
    std::deque<Line> deferred_;       // until the search has moved
    std::string_view line_;           // the one being handled
    Time now_;                        // when it arrived
    int hash_mib_ = 0, threads_ = 0;  // as last set by memory and cores; 0: not yet
    bool quitting_ = false;
};

}  // namespace protocol
