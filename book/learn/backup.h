// Backs up the values of positions through the graph of own games, from the exits to the root. May
// throw an exception of SQLite.
#pragma once

#include "book/store/store.h"

namespace book {

// A node's own evidence with weights as of the book's clock `now`.
Own own_of(const Node& node, const Aging& aging, std::int64_t now);
// Counts of imported games from the view of `side`.
Results results_for(const Edge& edge, Color side);
// The expected score of `side` by an analysis.
SearchScore analysed_score(const Analysis& analysis, Color side);

// Sums the results at an exit into `node`, as of the latest result. Results against one opponent
// are corrected by the measured advantage and count at most opponent_cap games. Does not store the
// node.
void sum_up_exits(
    Store& store, const Model& model, const Aging& aging, const NodeKey& key, Node& node);

// Recomputes these positions and all positions from which own games reached them. Needs a
// Transaction.
void back_up(Store& store,
             const Model& model,
             const Aging& aging,
             const std::vector<NodeKey>& keys);
// Recomputes all positions, the deepest first, with the sums at their exits. Needs a Transaction.
void back_up_all(Store& store, const Model& model, const Aging& aging);

}  // namespace book
