// The only visible symbol of a slice. Compiled once for every instruction set in ENGINE_SLICES.
#include "engine/search/threads.h"

#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

extern "C" engine::Searcher* JOIN(make_searcher_, ENGINE_SLICE)();

// The caller owns the object.
extern "C" engine::Searcher* JOIN(make_searcher_, ENGINE_SLICE)() {
    return new engine::ThreadPool;
}
