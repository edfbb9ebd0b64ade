// Engines that speak the Chess Engine Communication Protocol, version 2 (and 1 as far as needed).
// Source: T. Mann and H. G. Muller, "Chess Engine Communication Protocol" (2009).
#pragma once

#include "tools/match/driver.h"

#include <map>

namespace tools {

// The features one line announces, in order: `ping=1 myname="A B"` gives {ping, 1}, {myname, A B}.
std::vector<std::pair<std::string, std::string>> parse_features(std::string_view text);

// What a line of thinking says: "ply score time nodes pv", time in centiseconds; nothing if it is
// none. Scores of 100000 + n are mates in n.
std::optional<Thinking> parse_cecp_thinking(std::string_view line);

// "level 40 5 0", "level 0 0:01 0.01", "st 0.2": what sets the engine's clock.
std::string cecp_time_text(const TimeControl& time);

class Cecp : public Driver {
  public:
    Cecp(EngineSpec spec, std::unique_ptr<Process> process, Trace* trace, int cancel)
        : Driver(std::move(spec), std::move(process), trace, cancel) {}

    Outlook greet() override;
    Outlook begin(const engine::Game& game, engine::Color own, const std::string& other) override;
    void think(const engine::Game& game, const Clocks& clocks) override;
    void rest(const engine::Game& /*game*/, const Clocks& /*clocks*/) override {
    }  // it knows itself
    Event hear(std::string_view line) override;
    void pass_on_draw_offer() override;
    [[nodiscard]] bool has_limit() const override;
    [[nodiscard]] bool reusable() const override {
        return has("ping", false) && has("reuse", true);
    }
    Outlook end(const engine::Game& game, Outcome outcome, const std::string& reason) override;

  private:
    [[nodiscard]] bool has(const std::string& feature, bool otherwise) const;
    void hear_features(std::string_view text);
    void set_option(const std::string& option, const std::optional<std::string>& value);
    [[nodiscard]] std::string setup_text(const engine::Position& start) const;
    [[nodiscard]] std::string move_text(const engine::Game& game, std::size_t ply) const;
    std::string untold_moves(const engine::Game& game);  // one line each; now they are told
    Outlook ping();
    Event hear_move(std::string_view text);
    [[nodiscard]] Event hear_result(std::string_view text) const;

    std::map<std::string, std::string> features_;
    std::vector<std::string> known_options_;
    bool done_ = false, wait_longer_ = false;
    int ping_ = 0;
    bool awaiting_ = false;  // a pong
    engine::Color own_ = engine::White;
    bool in_force_ = true;   // it plays neither side yet
    std::size_t told_ = 0;   // plies of the game it knows
    std::string last_told_;  // the last move sent, in its words
};

}  // namespace tools
