#include "tools/common/fixed_nodes.h"

#include "engine/board/movegen.h"
#include "tools/common/errors.h"

namespace tools {

std::unique_ptr<engine::Searcher> make_single_threaded(int hash_mib, const std::string& network) {
    std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    if (!searcher)
        throw Failure("no engine for this processor");
    searcher->set_threads(1);
    value_or_throw(searcher->set_hash(hash_mib));
    value_or_throw(searcher->set_network(network));
    return searcher;
}

engine::SearchResult search_nodes(engine::Searcher& searcher,
                                  const engine::Game& game,
                                  std::uint64_t nodes,
                                  const std::vector<engine::Move>& excluded) {
    engine::Limits limits;
    limits.nodes = nodes;
    limits.solve_endings = false;  // which takes longer than a short search
    if (static_cast<int>(excluded.size()) < engine::count_legal_moves(game.position()))
        limits.excluded = excluded;
    return searcher.search(game, limits);
}

}  // namespace tools
