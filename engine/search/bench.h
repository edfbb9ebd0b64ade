// Bench: a fixed search whose node count is the signature of search and evaluation.
#pragma once

#include "engine/search/searcher.h"

namespace engine {

// Searches the bench positions one after the other, with a new hash table, in the calling thread.
// depth 0: the depth of the signature. `stopped` is asked as Searcher::bench() says. Fails without
// memory.
Result<BenchResult> run_bench(int depth, const Stopped& stopped);

}  // namespace engine
