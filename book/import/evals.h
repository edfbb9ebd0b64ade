// Turns the scores of [%eval] comments into analyses of the moves before them.
#pragma once

#include "book/import/filter.h"
#include "book/store/store.h"

#include <map>

namespace book {

class Evals {
  public:
    // `memory`: in bytes; scores of further moves are dropped when it is full.
    explicit Evals(std::size_t memory) : max_(memory / BytesPerMove) {}
    // Takes the scores of the plies from options.min_ply to below options.max_ply. `file`: number
    // of the game's file.
    void add(const PgnGame& game, const ImportOptions& options, std::size_t file);
    [[nodiscard]] bool empty() const { return analyses_.empty(); }
    [[nodiscard]] bool full() const { return analyses_.size() >= max_; }
    // Stores the analyses; `sources` holds the source id of each file. Returns how many were
    // stored. Needs a Transaction.
    std::int64_t store(Store& store, const std::vector<std::int64_t>& sources);

  private:
    struct Eval {
        Analysis analysis{};
        std::size_t file = 0;
    };
    using Analyses = std::map<std::pair<Key, StoredMove>, Eval>;
    // Includes the map node's pointers and the allocator's overhead.
    static constexpr std::size_t BytesPerMove = sizeof(Analyses::value_type) + 48;
    std::size_t max_;  // moves
    Analyses analyses_;
};

}  // namespace book
