#include "protocol/game/record.h"

#include "protocol/io/engine_name.h"
#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <random>

#include <fmt/format.h>

namespace protocol {
namespace {

constexpr int MateCentipawns = 10'000;

bool mentions(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
        return contains_words(text, word);
    });
}

// Recognises the wordings of FICS, ICC, xboard and cutechess.
book::Termination termination_of(std::string_view comment) {
    const std::string text = lower(comment);
    if (mentions(text, {"abort", "aborts", "aborted", "adjourn", "adjourns", "adjourned"}))
        return book::Termination::Aborted;
    if (mentions(text,
                 {"disconnect",
                  "disconnects",
                  "disconnected",
                  "disconnection",
                  "lost connection",
                  "connection stalls",
                  "connection lost"}))
        return book::Termination::Disconnection;
    if (mentions(text,
                 {"on time", "time forfeit", "out of time", "ran out", "flag", "flags", "flagged"}))
        return book::Termination::Flag;
    return book::Termination::Board;
}

std::string random_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

std::optional<Ending> parse_result(std::string_view token, std::string_view comment) {
    const book::Termination termination = termination_of(comment);
    if (token == "1-0")
        return Ending{1.0, termination};
    if (token == "0-1")
        return Ending{0.0, termination};
    if (token == "1/2-1/2")
        return Ending{0.5, termination};
    return std::nullopt;
}

Record::Record() : run_name_(random_name()) {}

void Record::new_game() {
    record_ = {};
    unlearnable_ = finished_ = false;
}

void Record::our_move(const engine::Game& game) {
    const engine::Color side = game.position().side_to_move();
    if (!record_.uid.empty() && record_.our_side != side)
        unlearnable_ = true;  // we play both sides
    record_.our_side = side;
    if (!record_.uid.empty())
        return;
    record_.resumed = game.ply() > 1;
    record_.played = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    record_.engine = EngineName;
    record_.uid = fmt::format("{}-{}-{}", run_name_, ++games_, record_.played);
}

void Record::from_book(std::string draw) {
    record_.exit_ply.reset();
    record_.exit_cp = record_.exit_depth = 0;
    if (!draw.empty())
        record_.draws.push_back(std::move(draw));
}

bool Record::searched(int ply, engine::Score score, int depth) {
    if (record_.exit_ply || record_.resumed)
        return false;
    record_.exit_ply = ply;
    record_.exit_cp = std::clamp(score, -MateCentipawns, MateCentipawns);
    record_.exit_depth = depth;
    return true;
}

std::optional<book::GameRecord> Record::in_progress(const engine::Game& game) const {
    if (unlearnable_ || finished_ || record_.uid.empty() || !game.starts_normally())
        return std::nullopt;
    book::GameRecord record = record_;
    record.game = game;
    return record;
}

std::optional<book::GameRecord> Record::finish(const engine::Game& game, const Ending& ending) {
    std::optional<book::GameRecord> record = in_progress(game);
    if (!record)
        return record;
    finished_ = true;
    record->score =
        record->our_side == engine::White ? ending.white_score : 1.0 - ending.white_score;
    record->termination = ending.termination;
    return record;
}

}  // namespace protocol
