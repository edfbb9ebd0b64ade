#include "protocol/game/record.h"

#include "book/model/ending.h"
#include "protocol/io/engine_name.h"
#include "protocol/io/text.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

namespace protocol {
namespace {

constexpr int MateCentipawns = 10'000;

std::string random_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// The first word of "1-0 {comment}", and the comment.
std::pair<std::string_view, std::string_view> split(std::string_view text) {
    const std::string_view token = text.substr(0, text.find_first_of(" \t{"));
    std::string_view comment = trimmed(text.substr(token.size()));
    if (comment.starts_with('{'))
        comment.remove_prefix(1);
    if (comment.ends_with('}'))
        comment.remove_suffix(1);
    return {token, comment};
}

}  // namespace

bool is_adjourned(std::string_view text, std::string_view opponent) {
    return !book::termination_of(split(text).second, opponent, false);
}

std::optional<Ending> parse_result(std::string_view text, std::string_view opponent) {
    const auto [token, comment] = split(text);
    const bool drawn = token == "1/2-1/2";
    const std::optional<book::Termination> termination =
        book::termination_of(comment, opponent, drawn);
    const bool aborted = token == "*" && termination == book::Termination::Aborted;
    if (!termination || !(token == "1-0" || token == "0-1" || drawn || aborted))
        return std::nullopt;
    return Ending{.white_score = token == "1-0"   ? 1.0
                                 : token == "0-1" ? 0.0
                                                  : 0.5,
                  .termination = *termination,
                  .comment = recordable(comment, 200)};
}

Record::Record() : run_name_(random_name()) {}

void Record::new_game() {
    record_ = {};
    unlearnable_ = noted_ = moved_by_others_ = false;
}

bool Record::plays_both(const engine::Game& game) const {
    return has_begun() && record_.our_side != game.position().side_to_move();
}

bool Record::in_book() const {
    return has_begun() && !record_.exit_ply && !record_.resumed;
}

void Record::our_move(const engine::Game& game) {
    record_.our_side = game.position().side_to_move();
    if (has_begun())
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
    if (record_.exit_ply)
        return false;
    record_.exit_ply = ply;
    record_.exit_cp = std::clamp(score, -MateCentipawns, MateCentipawns);
    record_.exit_depth = depth;
    return !record_.resumed;
}

std::optional<book::GameRecord> Record::in_progress(const engine::Game& game) const {
    if (unlearnable_ || !has_begun() || !game.starts_normally())
        return std::nullopt;
    book::GameRecord record = record_;
    record.game = game;
    return record;
}

std::optional<book::GameRecord> Record::finished(const engine::Game& game,
                                                 const Ending& ending) const {
    std::optional<book::GameRecord> record = in_progress(game);
    if (!record)
        return record;
    record->score =
        record->our_side == engine::White ? ending.white_score : 1.0 - ending.white_score;
    record->termination = ending.termination;
    record->reason = ending.comment;
    return record;
}

std::optional<book::GameRecord> Record::spoil(const engine::Game& game) {
    std::optional<book::GameRecord> record = noted_ ? in_progress(game) : std::nullopt;
    if (record)
        record->termination = book::Termination::Aborted;
    unlearnable_ = true;
    return record;
}

}  // namespace protocol
