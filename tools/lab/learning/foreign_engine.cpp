#include "tools/lab/learning/foreign_engine.h"

#include "engine/board/notation.h"
#include "tools/common/errors.h"

namespace tools::learning {

using match::Ending;
using match::EventType;

std::nullopt_t ForeignEngine::give_up(Ending fault) {
    fault_ = match::ending_name(fault);
    return std::nullopt;
}

ForeignEngine::~ForeignEngine() {
    quit();
}

void ForeignEngine::quit() {
    if (driver_)
        driver_->quit(match::QuitPatience);
    driver_.reset();
}

bool ForeignEngine::ready(const match::EngineResult& result) {
    if (result)
        return true;
    cancelled_ = result.error().kind == Ending::Unfinished;
    if (!cancelled_) {
        give_up(result.error().kind);
        driver_.reset();
    }
    return false;
}

bool ForeignEngine::start() {
    driver_ = value_or_throw(match::Driver::start(spec_, nullptr, cancel_));
    if (!ready(driver_->handshake()))
        return false;
    if (driver_->has_limit())
        return true;
    give_up(Ending::Stall);  // it would think forever
    driver_.reset();
    return false;
}

bool ForeignEngine::begin(const engine::Game& game, engine::Color own) {
    resigned_ = claimed_ = false;
    fault_.clear();
    if (driver_ && (spec_.restart || !driver_->reusable()))
        quit();
    return (driver_ || start()) && ready(driver_->begin(game, own, "Nutcracker"));
}

std::optional<MoveChoice> ForeignEngine::handle(const match::Event& event,
                                                const engine::Game& game) {
    switch (event.type) {
    case EventType::Resign:
        resigned_ = true;
        return std::nullopt;
    case EventType::Claim:  // must be true after its move
        claimed_ = true;
        return std::nullopt;
    case EventType::Refusal:
        return give_up(Ending::IllegalMove);
    case EventType::Move:
        break;
    default:
        return std::nullopt;
    }
    const auto move = engine::parse_move(game.position(), event.text);
    if (!move)
        return give_up(Ending::IllegalMove);
    if (claimed_ && game.status_after(*move) == engine::Status::Ongoing)
        return give_up(Ending::FalseClaim);
    const match::Thinking thinking = driver_->take_thinking();
    if (thinking.depth == 0)
        return MoveChoice{*move, std::nullopt};
    const bool turned = spec_.white_view && game.position().side_to_move() == engine::Black;
    return MoveChoice{*move, turned ? -thinking.score : thinking.score};
}

std::optional<MoveChoice> ForeignEngine::move(const engine::Game& game) {
    claimed_ = false;
    const match::Clock::time_point until = match::Clock::now() + patience_;
    driver_->think(game, {});
    const std::array<match::Process*, 1> process{&driver_->process()};
    for (;;) {
        while (const std::optional<std::string_view> line = driver_->next_line()) {
            const std::optional<MoveChoice> choice = handle(driver_->handle_line(*line), game);
            if (choice || resigned_ || !fault_.empty())
                return choice;
        }
        if (driver_->process().at_end())
            return give_up(Ending::Crash);
        if (!match::wait_for(process, until, cancel_)) {
            cancelled_ = match::Clock::now() < until;
            if (!cancelled_)
                give_up(claimed_ ? Ending::FalseClaim : Ending::Stall);
            return std::nullopt;
        }
    }
}

void ForeignEngine::end(const engine::Game& game, Outcome outcome) {
    if (driver_ && fault_.empty()) {
        const match::EngineResult ended = driver_->end(game, outcome, "Game over");
        if (ended || ended.error().kind == Ending::Unfinished)
            return;
    }
    driver_.reset();
}

}  // namespace tools::learning
