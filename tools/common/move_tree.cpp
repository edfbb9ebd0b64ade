#include "tools/common/move_tree.h"

#include "engine/board/notation.h"
#include "tools/common/errors.h"

#include <fmt/format.h>

namespace tools {

MoveTree::Step MoveTree::step(int ply, std::string_view move) {
    if (ply < 1 || static_cast<std::size_t>(ply) > line_.size())
        throw Failure(fmt::format("ply {} follows ply {}", ply, line_.size() - 1));
    line_.resize(static_cast<std::size_t>(ply));
    const auto parsed = engine::parse_move(line_.back(), move);
    if (!parsed)
        throw Failure(fmt::format("\"{}\" is not a legal move at ply {}", move, ply));
    Step step{.before = line_.back(), .move = *parsed, .after = line_.back()};
    step.after.make(*parsed);
    line_.push_back(step.after);
    return step;
}

}  // namespace tools
