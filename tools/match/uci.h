// Engines that speak UCI. Source: S. Meyer-Kahlen, "UCI protocol" (2004).
#pragma once

#include "tools/match/driver.h"

namespace tools::match {

class Uci : public Driver {
  public:
    Uci(EngineSpec spec, std::unique_ptr<Process> process, Trace* trace, Cancel cancel)
        : Driver(std::move(spec), std::move(process), trace, cancel) {}

    EngineResult handshake() override;
    EngineResult
    begin(const engine::Game& game, engine::Color own, const std::string& other) override;
    void think(const engine::Game& game, const Clocks& clocks) override;
    void start_pondering(const engine::Game& game, const Clocks& clocks) override;
    Event handle_line(std::string_view line) override;
    void send_draw_offer() override {}
    [[nodiscard]] bool reusable() const override { return true; }
    EngineResult end(const engine::Game& game, Outcome outcome, const std::string& reason) override;

  private:
    enum class State : std::uint8_t { Idle, Thinking, Pondering, Stopping };

    [[nodiscard]] bool knows(std::string_view option) const;
    // Sets memory, cores and options. What the engine objects to becomes a warning.
    EngineResult set_options();
    void set_option(const std::string& option, const std::optional<std::string>& value);
    [[nodiscard]] std::string go_text(const Clocks& clocks, engine::Color own) const;
    [[nodiscard]] std::string position_text(const engine::Game& game, engine::Move then) const;
    void handle_option(std::string_view text);
    void handle_info(std::string_view text);
    Event handle_bestmove(std::string_view text);

    State state_ = State::Idle;
    std::string awaited_;             // the word that means Ready
    std::string after_stop_;          // sent when the stopped search has reported
    std::vector<std::string> known_;  // names of its options, lower case
    std::string ponder_text_;         // the reply that it expects, as it wrote it
    engine::Move ponder_move_;        // the move that it ponders on
    std::size_t ponder_ply_ = 0;      // number of the game's moves when the pondering began
    bool chess960_ = false;
    bool setting_options_ = false;
};

}  // namespace tools::match
