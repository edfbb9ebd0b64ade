#include "tools/book/book_search.h"

namespace tools {
namespace {

// Returns nothing if the search was cut short.
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
    const engine::SearchResult result = searcher.search(search.root, limits);
    searched += result.nodes;
    // A search that ends by itself because a mate is near needs few nodes: it was not cut short.
    const bool stopped = !rules.go_on() || (rules.end && engine::Clock::now() >= *rules.end);
    const bool cut_short = stopped && result.nodes < rules.nodes / 2;
    return cut_short || result.score == engine::NoScore ? std::nullopt : std::optional(result);
}

}  // namespace

book::WorkSearches search_work(engine::Searcher& searcher,
                               const book::Work& work,
                               const SearchRules& rules,
                               std::uint64_t& searched) {
    book::WorkSearches searches(work, static_cast<std::int64_t>(rules.nodes));
    while (const auto search = searches.next()) {
        if (const auto result = search_one(searcher, *search, rules, searched))
            searches.found(result->best, result->score, result->depth);
    }
    return searches;
}

}  // namespace tools
