// Scores of [%eval] comments as analyses of the moves before them.
#pragma once

#include "book/import/filter.h"
#include "book/store/store.h"

#include <map>

namespace book {

class Evals {
  public:
    // `max`: moves; the scores of further ones are left out.
    explicit Evals(std::size_t max) : max_(max) {}
    // Takes the scores of the plies from options.min_ply to below options.max_ply. `file`: number
    // of the game's file.
    void add(const PgnGame& game, const ImportOptions& options, std::size_t file);
    [[nodiscard]] bool empty() const { return analyses_.empty(); }
    [[nodiscard]] bool full() const { return analyses_.size() >= max_; }
    // Enters them with the ids of the sources that the files have become. Returns how many moves
    // have one. Needs a Transaction.
    std::int64_t store(Store& store, const std::vector<std::int64_t>& sources);

  private:
    struct Eval {
        Analysis analysis{};
        std::size_t file = 0;
    };
    std::size_t max_;
    std::map<std::pair<Key, StoredMove>, Eval> analyses_;
};

}  // namespace book
