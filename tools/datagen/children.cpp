#include "tools/datagen/children.h"

#include "engine/board/movegen.h"

#include <optional>
#include <random>

namespace tools {
namespace {

// Nothing if the game ends on the way, or at a check, which no network has to value.
std::optional<engine::Position> random_child(engine::Position pos, std::mt19937_64& random) {
    for (std::uint64_t moves = 1 + (random() & 1); moves > 0; --moves) {
        const engine::MoveList legal = engine::legal_moves(pos);
        if (legal.empty())
            return std::nullopt;
        pos.make(legal[random() % legal.size()]);
    }
    if (pos.in_check() || !engine::has_legal_move(pos))
        return std::nullopt;
    return pos;
}

ScoredMove value(engine::Searcher& searcher, const engine::Position& pos, std::uint64_t nodes) {
    engine::Limits limits;
    limits.nodes = nodes;
    engine::Choice choice;
    searcher.start(
        engine::Game(pos),
        limits,
        [](const engine::Thought&) {},
        [&choice](const engine::Choice& c) { choice = c; });
    searcher.wait();
    return {choice.best, static_cast<std::int16_t>(choice.score)};
}

}  // namespace

std::vector<TrainingGame> value_children(engine::Searcher& searcher,
                                         const std::vector<TrainingGame>& games,
                                         std::uint64_t nodes,
                                         std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const TrainingGame& game = games[random() % games.size()];
    searcher.clear();
    std::vector<TrainingGame> records;
    engine::Position pos = game.start;
    for (const ScoredMove& ply : game.plies) {
        if (const auto child = random_child(pos, random)) {
            const ScoredMove valued = value(searcher, *child, nodes);
            if (is_usable(*child, valued, game_ply(*child)))
                records.push_back({*child, GameResult::Unknown, {valued}});
        }
        pos.make(ply.move);
    }
    return records;
}

}  // namespace tools
