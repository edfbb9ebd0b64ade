// The values of positions: what own games, searches and imported games say, backed up through the
// graph of positions from where games left the book.
#pragma once

#include "book/store/store.h"

namespace book {

// A node's own evidence as it counts at the book's clock `now`, in one time class.
Own own_of(const Node& node, const Aging& aging, std::int64_t now);
Results results_for(const Edge& edge, Color side);
// An analysis as an expected score of `side`.
double analysed_score(const Analysis& analysis, Color side);

// Values of these positions and of all from which own games came to them.
Result<void>
back_up(Store& store, const Model& model, const Aging& aging, const std::vector<NodeKey>& names);
// All values, from the leaves up.
Result<void> back_up_all(Store& store, const Model& model, const Aging& aging);

}  // namespace book
