// Searches with a fixed number of nodes, which can be repeated.
#pragma once

#include "engine/engine.h"

namespace tools {

// An engine with one thread: equal positions, histories and nodes give equal moves. `network` as in
// engine::Searcher::set_network. Throws Failure if this processor runs no engine, or there is no
// memory or no such network.
std::unique_ptr<engine::Searcher> make_single_threaded(int hash_mib,
                                                       const std::string& network = {});

// The engine's choice after `nodes` nodes, not among the `excluded` moves unless these are all.
engine::SearchResult search_nodes(engine::Searcher& searcher,
                                  const engine::Game& game,
                                  std::uint64_t nodes,
                                  const std::vector<engine::Move>& excluded = {});

}  // namespace tools
