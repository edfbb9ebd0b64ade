#include "tools/lab/learning/judge.h"

#include <algorithm>

namespace tools::learning {
namespace {

constexpr RefereeRules Plain{
    .won = 500, .won_plies = 5, .level = 8, .level_plies = 8, .level_from = 60, .longest = 300};

}  // namespace

Result<Thinker> Thinker::make(int hash_mib) {
    std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    if (!searcher)
        return fail("no engine for this processor");
    searcher->set_threads(1);
    if (const Result<void> sized = searcher->set_hash(hash_mib); !sized)
        return tl::unexpected<Error>(sized.error());
    return Thinker(std::move(searcher));
}

engine::SearchResult Thinker::think(const engine::Game& game, std::uint64_t nodes) {
    engine::Limits limits;
    limits.nodes = nodes;
    return engine::think(*searcher_, game, limits);
}

int to_centipawns(engine::Score score) {
    return score == engine::NoScore ? 0 : std::clamp(score, -MostCentipawns, MostCentipawns);
}

int Judge::score(const engine::Position& pos) {
    const auto known = known_.find(pos.key());
    if (known != known_.end())
        return known->second;
    thinker_.forget();
    return known_[pos.key()] = to_centipawns(thinker_.think(engine::Game(pos), nodes_).score);
}

GameEnd::GameEnd() : referee_(Plain) {}

std::optional<double> GameEnd::judge(const engine::Game& game, engine::Score score) {
    const bool white_moved = game.position().side_to_move() == engine::Black;
    const engine::Status status = game.status();
    if (status == engine::Status::Checkmate)
        return white_moved ? 1 : 0;
    if (status != engine::Status::Ongoing)
        return 0.5;
    return referee_.judge(white_moved ? score : -score, game.ply());
}

}  // namespace tools::learning
