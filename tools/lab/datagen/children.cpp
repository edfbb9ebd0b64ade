#include "tools/lab/datagen/children.h"

#include "tools/lab/datagen/training_game.h"

namespace tools {

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
        const int moves = 1 + static_cast<int>(random() & 1);
        const auto child = after_random_moves(pos, moves, random);
        if (child && !child->in_check())  // no network has to value a check
            if (const auto valued = value_of(searcher, *child, nodes))
                records.push_back({*child, GameResult::Unknown, {*valued}});
        pos.make(ply.move);
    }
    return records;
}

}  // namespace tools
