#include "tools/learning/thinker.h"

#include <algorithm>

namespace tools::learning {
namespace {

// A score beyond Won so many plies long is a win, one within Level a draw.
constexpr engine::Score Won = 500, Level = 8;
constexpr int WonPlies = 5, LevelPlies = 8, LevelFrom = 60, Longest = 300;

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

engine::Choice Thinker::think(const engine::Game& game, std::uint64_t nodes) {
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

std::optional<double> Referee::judge(const engine::Game& game, engine::Score score) {
    const bool white_moved = game.position().side_to_move() == engine::Black;
    const engine::Status status = game.status();
    if (status == engine::Status::Checkmate)
        return white_moved ? 1 : 0;
    if (status != engine::Status::Ongoing || game.ply() >= Longest)
        return 0.5;
    const engine::Score white = white_moved ? score : -score;
    const int side = white > Won ? 1 : white < -Won ? -1 : 0;
    decided_ = side == 0 ? 0 : side == leader_ ? decided_ + 1 : 1;
    leader_ = side;
    level_ = std::abs(white) < Level && game.ply() >= LevelFrom ? level_ + 1 : 0;
    if (decided_ >= WonPlies)
        return leader_ > 0 ? 1 : 0;
    return level_ >= LevelPlies ? std::optional(0.5) : std::nullopt;
}

}  // namespace tools::learning
