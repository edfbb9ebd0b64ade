// The interface of engine/ to the rest of the program.
#pragma once

#include "engine/search/searcher.h"

namespace engine {

// How long a search under these limits takes on average, if neither depth nor nodes end it before;
// 0 if its time is not limited.
milliseconds expected_time(const Limits& limits);

// The fastest slice that this processor runs. `slice` forces one by name; null if there is none.
std::unique_ptr<Searcher> make_searcher(std::string_view slice = {});
std::vector<std::string_view> slices_here();  // those that this processor runs, fastest first

}  // namespace engine
