// Idle extension: in which book positions a search would help most, and storing its results. Knows
// the board, but not the search. Source: M. Buro, "Toward opening book learning", 1999, for the
// best move that is not in the book; T. Lincke, "Strategies for the automatic construction of
// opening books", 2000, for the order of work.
#pragma once

#include "book/probe/probe.h"
#include "book/store/leases.h"

namespace book {

// What remains to be searched in a position with us to move, given its view; nothing if all is
// done.
std::optional<Work>
work_at(const engine::Position& pos, const PositionView& view, std::int64_t search_nodes);

// At most `max` positions with work for either colour, the most useful first, reached from the
// start position by moves of own or imported games.
std::vector<Work>
plan_work(const Layers& layers, const Model& model, const WorkOptions& options, std::size_t max);

// The work of one process. Requires an experience that can be written; the layers must outlive it.
// Functions may throw Failure or an exception of SQLite.
class Extension {
  public:
    Extension(const Layers& layers, std::string owner)
        : layers_(layers), owner_(std::move(owner)) {}

    // See Book::next_work and finish_work. `now`: seconds since 1970.
    std::optional<Work> next(const WorkOptions& options, std::int64_t now);
    void finish(const Work& work,
                const std::vector<Finding>& findings,
                const std::string& engine,
                std::int64_t now);

  private:
    std::optional<Work> lease_from_plan(const WorkOptions& options, std::int64_t now);

    Layers layers_;
    std::string owner_;
    std::vector<Work> plan_;  // the most useful last
    std::int64_t plan_clock_ = 0;
};

}  // namespace book
