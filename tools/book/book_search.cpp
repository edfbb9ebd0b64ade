#include "tools/book/book_search.h"

#include <algorithm>

namespace tools {
namespace {

// Nothing if it was cut short.
std::optional<engine::SearchResult> search_one(engine::Searcher& searcher,
                                               const book::WorkSearches::Search& search,
                                               const SearchRules& rules,
                                               std::uint64_t& searched) {
    engine::Limits limits;
    limits.nodes = rules.nodes;
    limits.excluded = search.excluded;
    if (rules.end) {
        const auto left =
            std::chrono::duration_cast<engine::milliseconds>(*rules.end - engine::Clock::now());
        if (left <= engine::milliseconds(0))
            return std::nullopt;
        limits.move_time = left;
    }
    if (!rules.go_on())
        return std::nullopt;
    const engine::SearchResult choice = engine::think(searcher, search.root, limits);
    searched += choice.nodes;
    const bool whole = choice.nodes >= rules.nodes / 2 && choice.score != engine::NoScore;
    return whole ? std::optional(choice) : std::nullopt;
}

}  // namespace

book::WorkSearches search_work(engine::Searcher& searcher,
                               const book::Work& work,
                               const SearchRules& rules,
                               std::uint64_t& searched) {
    book::WorkSearches searches(work, static_cast<std::int64_t>(rules.nodes));
    while (const auto search = searches.next()) {
        const std::optional<engine::SearchResult> choice =
            search_one(searcher, *search, rules, searched);
        if (choice)
            searches.found(choice->best,
                           choice->score,
                           choice->depth,
                           static_cast<std::int64_t>(choice->nodes));
    }
    return searches;
}

}  // namespace tools
