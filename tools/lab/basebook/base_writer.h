// The text of the base book, from the graph.
#pragma once

#include "tools/common/base_text.h"
#include "tools/lab/basebook/book_graph.h"

namespace tools::basebook {

// The moves, in preorder, best first. Requires evaluate().
std::vector<BaseMove> moves_of(const BookGraph& graph);

}  // namespace tools::basebook
