// A foreign engine as an opponent in the learning match: a process that may break down, and is then
// started again for the next game.
#pragma once

#include "tools/common/self_play.h"
#include "tools/match/driver.h"

namespace tools::learning {

// Belongs to one thread. The program must ignore broken pipes. The process ends with this object:
// it is told to quit, so that it can write what it learned, unless it had a fault.
class ForeignEngine {
  public:
    // `patience` bounds every move; all waiting ends after `cancel`.
    ForeignEngine(match::EngineSpec spec, milliseconds patience, match::Cancel cancel)
        : spec_(std::move(spec)), patience_(patience), cancel_(cancel) {}
    ~ForeignEngine();
    ForeignEngine(const ForeignEngine&) = delete;
    ForeignEngine& operator=(const ForeignEngine&) = delete;

    // A new game, in which it plays `own`. False if it is not ready: see fault(). Throws Failure if
    // there is no such program.
    bool begin(const engine::Game& game, engine::Color own);
    // Its move and, if it sent one, its score. Nothing if it resigned or cannot play on.
    std::optional<MoveChoice> move(const engine::Game& game);
    // The game is over. An engine with a fault, or that does not answer, is killed.
    void end(const engine::Game& game, Outcome outcome);

    [[nodiscard]] const std::string& name() const { return spec_.name; }
    [[nodiscard]] bool resigned() const { return resigned_; }  // in this game
    // What it did wrong in this game, as match::ending_name gives it; else empty.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }  // by `cancel`

  private:
    bool start();
    void quit();
    bool ready(const match::EngineResult& result);
    std::nullopt_t give_up(match::Ending fault);
    // The move that an event brings, if any; notes what else it means.
    std::optional<MoveChoice> handle(const match::Event& event, const engine::Game& game);

    match::EngineSpec spec_;
    milliseconds patience_;
    match::Cancel cancel_;
    std::unique_ptr<match::Driver> driver_;
    bool resigned_ = false, cancelled_ = false, claimed_ = false;
    std::string fault_;
};

}  // namespace tools::learning
