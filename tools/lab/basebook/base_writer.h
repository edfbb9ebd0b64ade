// The text of the base book, from the graph.
#pragma once

#include "tools/common/base_text.h"
#include "tools/lab/basebook/book_graph.h"

namespace tools::basebook {

// The moves, in preorder, best first. Requires evaluate().
std::vector<BaseMove> moves_of(const BookGraph& graph);

// Our most reached moves, one line each, for people: colour, reach, line, value, the second move,
// and the share of masters' games, separated by tabs.
std::string most_reached(const BookGraph& graph, std::size_t count);

}  // namespace tools::basebook
