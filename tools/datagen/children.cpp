#include "tools/datagen/children.h"

#include "tools/datagen/play.h"

namespace tools {

std::vector<TrainingGame> value_children(engine::Searcher& searcher,
                                         const std::vector<TrainingGame>& games,
                                         std::uint64_t nodes,
                                         std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const TrainingGame& game = games[random() % games.size()];
    searcher.clear();
    engine::Limits limits;
    limits.nodes = nodes;
    std::vector<TrainingGame> records;
    engine::Position pos = game.start;
    for (const ScoredMove& ply : game.plies) {
        const int moves = 1 + static_cast<int>(random() & 1);
        const auto child = after_random_moves(pos, moves, random);
        if (child && !child->in_check()) {  // no network has to value a check
            const engine::Choice choice = engine::think(searcher, engine::Game(*child), limits);
            const ScoredMove valued{choice.best, static_cast<std::int16_t>(choice.score)};
            if (is_usable(*child, valued, game_ply(*child)))
                records.push_back({*child, GameResult::Unknown, {valued}});
        }
        pos.make(ply.move);
    }
    return records;
}

}  // namespace tools
