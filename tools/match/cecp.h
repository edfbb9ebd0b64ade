// Engines that speak the Chess Engine Communication Protocol, version 2 (and 1 as far as needed).
// Source: T. Mann and H. G. Muller, "Chess Engine Communication Protocol" (2009).
#pragma once

#include "tools/match/driver.h"

#include <map>

namespace tools::match {

// The features of one "feature" line, in order: `ping=1 myname="A B"` gives {ping, 1}, {myname, A
// B}.
std::vector<std::pair<std::string, std::string>> parse_features(std::string_view text);

// A line of thinking output, "ply score time nodes pv" with the time in centiseconds; nothing if it
// is none. A score of 100000 + n is a mate in n.
std::optional<Thinking> parse_cecp_thinking(std::string_view line);

// The command that sets the engine's clock: "level 40 5 0", "level 0 0:01 0.01", "st 0.2".
std::string cecp_time_text(const TimeControl& time);

class Cecp : public Driver {
  public:
    Cecp(EngineSpec spec, std::unique_ptr<Process> process, Trace* trace, Cancel cancel)
        : Driver(std::move(spec), std::move(process), trace, cancel) {}

    EngineResult handshake() override;
    EngineResult
    begin(const engine::Game& game, engine::Color own, const std::string& other) override;
    void think(const engine::Game& game, const Clocks& clocks) override;
    // The engine ponders by itself.
    void start_pondering(const engine::Game& /*game*/, const Clocks& /*clocks*/) override {}
    Event handle_line(std::string_view line) override;
    void send_draw_offer() override;
    [[nodiscard]] bool has_limit() const override;
    [[nodiscard]] bool reusable() const override {
        return has("ping", false) && has("reuse", true);
    }
    EngineResult end(const engine::Game& game, Outcome outcome, const std::string& reason) override;

  private:
    [[nodiscard]] bool has(const std::string& feature, bool otherwise) const;
    void handle_features(std::string_view text);
    // Sets memory, cores and options. What the engine objects to becomes a warning; without the
    // feature "ping" its answers are not awaited.
    EngineResult set_options();
    void set_option(const std::string& option, const std::optional<std::string>& value);
    [[nodiscard]] std::string setup_text(const engine::Position& start) const;
    [[nodiscard]] std::string move_text(const engine::Game& game, std::size_t ply) const;
    std::string unsent_moves(const engine::Game& game);  // one line each
    EngineResult ping();
    // Whether the line complains about the last move, or about the position that is set up.
    [[nodiscard]] bool refuses(std::string_view line) const;
    Event handle_move(std::string_view text);
    [[nodiscard]] Event handle_result(std::string_view text) const;

    std::map<std::string, std::string> features_;
    std::vector<std::string> known_options_;
    bool done_ = false, wait_longer_ = false;
    int ping_ = 0;
    bool awaiting_ = false;    // a pong
    bool setting_up_ = false;  // a position and its moves were sent
    bool setting_options_ = false;
    engine::Color own_ = engine::White;
    bool in_force_ = true;        // force mode: it plays neither side
    std::size_t sent_plies_ = 0;  // plies of the game that it knows
    std::string last_sent_;       // the last move sent, as it was written
};

}  // namespace tools::match
