// Idle work as a sequence of searches.
#pragma once

#include "book/types.h"

namespace book {

// One search for each candidate, then one for the deviation; collects the findings.
class WorkSearches {
  public:
    // `nodes`: of one search; recorded also for moves that end the game, which need no search, and
    // for searches that end with fewer because a mate is near.
    WorkSearches(Work work, std::int64_t nodes);

    struct Search {
        engine::Game root;
        std::vector<engine::Move> excluded{};  // root moves not to consider
    };
    // Nothing when all is done.
    std::optional<Search> next();
    // Records the result of the latest search: its best move and `cp` from the view of its root's
    // side to move. Not called for a search that was stopped.
    void found(engine::Move best, int cp, int depth);

    [[nodiscard]] const Work& work() const { return work_; }
    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
    // "e4 +20, d4 +18, Nf3* +15"; * marks a move that was not known.
    [[nodiscard]] std::string text() const;

  private:
    Work work_;
    std::int64_t nodes_;
    std::size_t next_ = 0;  // index of the candidate; one more for the deviation
    std::vector<Finding> findings_{};
};

}  // namespace book
