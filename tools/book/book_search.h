// Idle extension: searches the positions that the book asks for.
#pragma once

#include "book/book.h"
#include "engine/engine.h"

#include <functional>

namespace tools {

struct SearchRules {
    std::uint64_t nodes = 200'000;  // per search
    // Called before each search; false ends the work with what is found so far.
    std::function<bool()> go_on = [] { return true; };
    std::optional<engine::Clock::time_point> end{};  // of all searches; nothing: no limit
};

// Returns the finished part of the work: a search that was stopped, or ran out of time, gives no
// finding. Adds the nodes to `searched`. The searcher must be idle; another thread may stop it.
book::WorkSearches search_work(engine::Searcher& searcher,
                               const book::Work& work,
                               const SearchRules& rules,
                               std::uint64_t& searched);

}  // namespace tools
