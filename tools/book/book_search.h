// Idle extension with our own engine: searches what the book asks for.
#pragma once

#include "book/book.h"
#include "engine/engine.h"

#include <functional>

namespace tools {

struct SearchRules {
    std::uint64_t nodes = 200'000;  // a search
    // Asked before each search; no ends the work with what is found so far.
    std::function<bool()> go_on = [] { return true; };
    // When all must be over, if ever.
    std::optional<engine::Clock::time_point> end{};
};

// What was finished of the work: a search that was stopped, or ran out of time, gives no finding.
// `searched`: nodes are added to it. The searcher must be idle; another thread may stop it.
book::WorkSearches search_work(engine::Searcher& searcher,
                               const book::Work& work,
                               const SearchRules& rules,
                               std::uint64_t& searched);

}  // namespace tools
