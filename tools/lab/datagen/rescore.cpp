#include "tools/lab/datagen/rescore.h"

#include "engine/board/movegen.h"
#include "engine/board/see.h"
#include "tools/common/adjudicator.h"
#include "tools/common/fixed_nodes.h"
#include "tools/lab/datagen/training_game.h"

#include <algorithm>

namespace tools::datagen {
namespace {

// Whether some capture wins material by static exchange evaluation. A search would nearly always
// prefer it, and the position would not be usable.
bool has_winning_capture(const engine::Position& pos) {
    engine::MoveList captures;
    engine::generate<engine::Moves::Captures>(pos, captures);
    return std::any_of(captures.begin(), captures.end(), [&pos](engine::Move m) {
        return pos.is_capture(m) && engine::see_ge(pos, m, 1);
    });
}

// The position and the one after the best move, with the score of one search. Nothing if neither is
// usable.
std::optional<TrainingGame>
label(engine::Searcher& searcher, engine::Position pos, std::uint64_t nodes) {
    const engine::SearchResult found = search_nodes(searcher, engine::Game(pos), nodes);
    TrainingGame record{pos, GameResult::Unknown, {}};
    bool any = false;
    int score = found.score;
    for (const engine::Move m : {found.best, found.ponder}) {
        if (!m)
            break;
        ScoredMove ply{m, static_cast<std::int16_t>(score)};
        if (is_usable(pos, ply, game_ply(pos)))
            any = true;
        else
            ply.score = NotForTraining;
        record.plies.push_back(ply);
        pos.make(m);
        score = -score;
    }
    return any ? std::optional(record) : std::nullopt;
}

std::optional<TrainingGame> label_child(engine::Searcher& searcher,
                                        const engine::Position& pos,
                                        std::uint64_t nodes,
                                        std::mt19937_64& random) {
    const int moves = 1 + static_cast<int>(random() & 1);
    const auto child = after_random_moves(pos, moves, random);
    if (!child || !is_usable(*child, 0, game_ply(*child)) || has_winning_capture(*child))
        return std::nullopt;
    return label(searcher, *child, nodes);
}

}  // namespace

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
                                         const ChildLabels& labels,
                                         std::uint64_t seed) {
    std::mt19937_64 random(seed);
    searcher.clear();
    std::vector<TrainingGame> records;
    for (std::uint64_t i = 0; i < labels.every; ++i) {
        const TrainingGame& game = games[random() % games.size()];
        engine::Position pos = game.start;
        for (const ScoredMove& ply : game.plies) {
            if (random() % labels.every == 0)
                if (auto record = label_child(searcher, pos, labels.nodes, random))
                    records.push_back(std::move(*record));
            pos.make(ply.move);
        }
    }
    return records;
}

}  // namespace tools::datagen
