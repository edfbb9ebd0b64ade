// The searches of idle work.
#pragma once

#include "book/types.h"

namespace book {

// Takes a work apart into searches, one after another, and gathers what they find.
class WorkSearches {
  public:
    // `nodes`: of a search, for moves that need none because they end the game.
    WorkSearches(Work work, std::int64_t nodes);

    struct Search {
        engine::Game root;
        std::vector<engine::Move> excluded{};  // root moves not to consider
    };
    // Nothing when all is done.
    std::optional<Search> next();
    // What the search given last chose; `cp` is the score of the root's side to move. A search that
    // was cut short is left out by not calling this.
    void found(engine::Move best, int cp, int depth, std::int64_t nodes);

    [[nodiscard]] const Work& work() const { return work_; }
    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
    // "e4 +20, d4 +18, Nf3* +15"; * marks a move that was not known.
    [[nodiscard]] std::string text() const;

  private:
    Work work_;
    std::int64_t nodes_;
    std::size_t next_ = 0;  // of the candidates; then the deviation
    std::vector<Finding> findings_{};
};

}  // namespace book
