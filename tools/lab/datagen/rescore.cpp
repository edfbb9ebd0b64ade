#include "tools/lab/datagen/rescore.h"

#include "tools/common/adjudicator.h"
#include "tools/lab/datagen/training_game.h"

namespace tools::datagen {

TrainingGame rescore(engine::Searcher& searcher, TrainingGame game, std::uint64_t nodes) {
    searcher.clear();
    std::vector<engine::Position> positions;
    engine::Position pos = game.start;
    for (const ScoredMove& ply : game.plies) {
        positions.push_back(pos);
        pos.make(ply.move);
    }
    // The last position first: its search fills the hash table for the positions before it.
    for (std::size_t i = positions.size(); i-- > 0;) {
        ScoredMove& ply = game.plies[i];
        const bool usable = is_usable(positions[i], ply, game_ply(positions[i]));
        const auto scored = usable ? search_score(searcher, positions[i], nodes) : std::nullopt;
        ply.score = scored ? scored->score : NotForTraining;
    }
    return game;
}

std::vector<TrainingGame> label_children(engine::Searcher& searcher,
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
        if (child && !child->in_check())  // the network never evaluates a check
            if (const auto scored = search_score(searcher, *child, nodes))
                records.push_back({*child, GameResult::Unknown, {*scored}});
        pos.make(ply.move);
    }
    return records;
}

}  // namespace tools::datagen
