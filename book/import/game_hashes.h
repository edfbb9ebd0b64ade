// Which games of an import are duplicates. Hashes in memory, as many as fit, find most duplicates
// at once; an external sort of all hashes finds the rest at the end.
#pragma once

#include "book/import/run_file.h"

namespace book {

// A set of hashes with open addressing in one block of memory: 8 to 16 bytes each.
class HashSet {
  public:
    HashSet() : slots_(1 << 12, 0) {}
    bool insert(std::int64_t hash);  // true if it was not there
    [[nodiscard]] bool contains(std::int64_t hash) const;
    [[nodiscard]] std::size_t size() const { return size_ + (has_zero_ ? 1 : 0); }

  private:
    [[nodiscard]] std::size_t find(std::int64_t hash) const;
    void grow();
    std::vector<std::int64_t> slots_;
    std::size_t size_ = 0;
    bool has_zero_ = false;
};

class GameHashes {
  public:
    // `bytes`: memory, of which an eighth to a quarter is used. The temporary file lies in
    // `folder`. Throws Failure if it cannot be made.
    GameHashes(std::size_t bytes, const std::filesystem::path& folder);

    [[nodiscard]] std::size_t max_in_memory() const { return max_in_memory_; }
    // A game of an earlier import; at most max_in_memory() / 2 of them.
    void add_earlier(std::int64_t hash) { in_memory_.insert(hash); }
    [[nodiscard]] bool has_earlier(std::int64_t hash) const { return in_memory_.contains(hash); }
    // False if the game is known to be a duplicate, which is then not added. `game` is its number.
    // Throws Failure if the temporary file cannot be written.
    bool add(std::int64_t hash, std::uint64_t game);
    // Passes on all games added, in order of (hash, number), and empties the set. `is_duplicate`:
    // an earlier game of this import has the same hash. Throws Failure if the temporary file cannot
    // be read.
    using Take = std::function<void(std::int64_t hash, std::uint64_t game, bool is_duplicate)>;
    void merge(const Take& take);

  private:
    std::size_t max_in_memory_, max_unsorted_;
    HashSet in_memory_;
    std::vector<SortRecord> unsorted_;
    RunFile file_;
};

}  // namespace book
