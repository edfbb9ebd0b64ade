#include "tools/lab/datagen/training_game.h"

#include "engine/board/movegen.h"
#include "tools/common/fixed_nodes.h"
#include "tools/common/self_play.h"

#include <cmath>

namespace tools::datagen {
namespace {

constexpr engine::Score MaxOpeningScore = 800;
constexpr std::uint64_t HardLimitFactor = 8;
constexpr AdjudicationRules Adjudication{.win_score = 900,
                                         .win_plies = 6,
                                         .draw_score = 6,
                                         .draw_plies = 12,
                                         .draw_from_ply = 90,
                                         .max_plies = 500};
constexpr std::uint64_t PlayedOutInterval = 5;
constexpr int EndgamePieces = 11;  // of a game that is played out: not adjudicated from here on

// Nothing if the first search finds one side winning.
std::optional<TrainingGame> play_from(const engine::Position& start,
                                      engine::Searcher& searcher,
                                      const SelfPlayRules& rules,
                                      bool played_out) {
    searcher.clear();
    engine::Limits limits;
    limits.soft_nodes = rules.soft_nodes;
    limits.nodes = HardLimitFactor * rules.soft_nodes;
    limits.solve_endings = false;  // takes longer than the whole game
    engine::Game game(start);
    TrainingGame record{start, GameResult::Drawn, {}};
    const auto choose = [&](const engine::Game& now) -> std::optional<MoveChoice> {
        const engine::SearchResult choice = searcher.search(now, limits);
        if (record.plies.empty() && std::abs(choice.score) > MaxOpeningScore)
            return std::nullopt;
        record.plies.push_back({choice.best, static_cast<std::int16_t>(choice.score)});
        if (played_out && engine::popcount(now.position().pieces()) <= EndgamePieces)
            return MoveChoice{choice.best, std::nullopt};
        return MoveChoice{choice.best, choice.score};
    };
    const Outcome outcome = play_out(game, Adjudication, choose);
    if (outcome == Outcome::Unfinished)
        return std::nullopt;
    record.result = static_cast<GameResult>(std::lround(2 * white_points(outcome)));
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
search_score(engine::Searcher& searcher, const engine::Position& pos, std::uint64_t nodes) {
    const engine::SearchResult choice = search_nodes(searcher, engine::Game(pos), nodes);
    const ScoredMove scored{choice.best, static_cast<std::int16_t>(choice.score)};
    return is_usable(pos, scored, game_ply(pos)) ? std::optional(scored) : std::nullopt;
}

std::uint64_t seed_of(std::uint64_t run, std::uint64_t number) {
    std::seed_seq mixed{static_cast<std::uint32_t>(run),
                        static_cast<std::uint32_t>(run >> 32),
                        static_cast<std::uint32_t>(number),
                        static_cast<std::uint32_t>(number >> 32)};
    return std::mt19937_64(mixed)();
}

bool is_played_out(std::uint64_t seed) {
    return seed % PlayedOutInterval == 0;
}

TrainingGame
play_training_game(engine::Searcher& searcher, const SelfPlayRules& rules, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (;;) {
        const auto plies = rules.random_plies + static_cast<int>(random() & 1);
        if (const auto start = after_random_moves({}, plies, random))
            if (auto game = play_from(*start, searcher, rules, is_played_out(seed)))
                return std::move(*game);
    }
}

}  // namespace tools::datagen
