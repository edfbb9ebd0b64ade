// Idle extension: where in the book a search would help most, and what becomes of its results. It
// knows the board, not the search. Source: M. Buro, "Toward opening book learning", 1999, for the
// best move that is not in the book; T. Lincke, "Strategies for the automatic construction of
// opening books", 2000, for the order of work.
#pragma once

#include "book/probe/view.h"
#include "book/store/leases.h"

namespace book {

// What is still to be searched in a position with us to move, as `view` has it: nothing if all is
// done.
std::optional<Work>
work_at(const engine::Position& pos, const PositionView& view, std::int64_t search_nodes);

// Positions with work, the most useful first: at most `most`. Both colours, by ways from the start
// position that games of ours or imported ones took.
Result<std::vector<Work>>
plan_work(const Layers& layers, const Model& model, const WorkOptions& options, std::size_t most);

// The work of one process. Its layers must outlive it; the experience can be written.
class Extension {
  public:
    Extension(const Layers& layers, std::string owner)
        : layers_(layers), owner_(std::move(owner)) {}

    // See Book::next_work and finish_work. `now`: seconds since 1970.
    Result<std::optional<Work>> next(const WorkOptions& options, std::int64_t now);
    Result<void> finish(const Work& work,
                        const std::vector<Finding>& findings,
                        const std::string& engine,
                        std::int64_t now);

  private:
    Result<std::optional<Work>> lease_from_plan(const WorkOptions& options, std::int64_t now);

    Layers layers_;
    std::string owner_;
    std::vector<Work> plan_;  // the most useful last
    std::int64_t plan_clock_ = 0;
};

}  // namespace book
