#include "tools/lab/datagen/training_game.h"

#include "engine/board/movegen.h"
#include "tools/common/referee.h"

#include <cmath>

namespace tools {
namespace {

using engine::Score;

constexpr Score OpeningLimit = 800;  // openings beyond are thrown away
constexpr std::uint64_t HardFactor = 8;
constexpr RefereeRules Plain{
    .won = 2'000, .won_plies = 4, .level = 8, .level_plies = 10, .level_from = 70, .longest = 500};

GameResult result_of(const engine::Game& game) {
    if (game.status() != engine::Status::Checkmate)
        return GameResult::Drawn;
    return game.position().side_to_move() == engine::White ? GameResult::BlackWins
                                                           : GameResult::WhiteWins;
}

// Nothing if the first search finds the opening decided.
std::optional<TrainingGame>
play_from(const engine::Position& start, engine::Searcher& searcher, const SelfPlay& rules) {
    searcher.clear();
    engine::Limits limits;
    limits.soft_nodes = rules.soft_nodes;
    limits.nodes = HardFactor * rules.soft_nodes;
    engine::Game game(start);
    TrainingGame record{start, GameResult::Drawn, {}};
    Referee referee(Plain);
    while (game.status() == engine::Status::Ongoing) {
        const engine::Position& pos = game.position();
        const engine::SearchResult choice = engine::think(searcher, game, limits);
        if (record.plies.empty() && std::abs(choice.score) > OpeningLimit)
            return std::nullopt;
        record.plies.push_back({choice.best, static_cast<std::int16_t>(choice.score)});
        const Score white = pos.side_to_move() == engine::White ? choice.score : -choice.score;
        if (const auto points = referee.judge(white, game_ply(pos))) {
            record.result = static_cast<GameResult>(std::lround(2 * *points));
            return record;
        }
        game.play(choice.best);
    }
    record.result = result_of(game);
    return record;
}

}  // namespace

std::optional<engine::Position>
after_random_moves(engine::Position pos, int moves, std::mt19937_64& random) {
    for (; moves > 0; --moves) {
        const engine::MoveList legal = engine::legal_moves(pos);
        if (legal.empty())
            return std::nullopt;
        pos.make(legal[random() % legal.size()]);
    }
    if (!engine::has_legal_move(pos))
        return std::nullopt;
    return pos;
}

std::optional<ScoredMove>
value_of(engine::Searcher& searcher, const engine::Position& pos, std::uint64_t nodes) {
    engine::Limits limits;
    limits.nodes = nodes;
    const engine::SearchResult choice = engine::think(searcher, engine::Game(pos), limits);
    const ScoredMove valued{choice.best, static_cast<std::int16_t>(choice.score)};
    return is_usable(pos, valued, game_ply(pos)) ? std::optional(valued) : std::nullopt;
}

std::uint64_t seed_of(std::uint64_t run, std::uint64_t number) {
    std::seed_seq mixed{static_cast<std::uint32_t>(run),
                        static_cast<std::uint32_t>(run >> 32),
                        static_cast<std::uint32_t>(number),
                        static_cast<std::uint32_t>(number >> 32)};
    return std::mt19937_64(mixed)();
}

TrainingGame
play_training_game(engine::Searcher& searcher, const SelfPlay& rules, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (;;) {
        const auto plies = rules.random_plies + static_cast<int>(random() & 1);
        if (const auto start = after_random_moves({}, plies, random))
            if (auto game = play_from(*start, searcher, rules))
                return std::move(*game);
    }
}

}  // namespace tools
