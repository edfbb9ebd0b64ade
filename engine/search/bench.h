// A fixed piece of work: its node count is the signature of search and evaluation, its time their
// speed.
#pragma once

#include "engine/search/searcher.h"

namespace engine {

// Searches our own positions one after the other, with a fresh table, in the calling thread.
// depth 0: the depth of the signature.
BenchResult run_bench(int depth);

}  // namespace engine
