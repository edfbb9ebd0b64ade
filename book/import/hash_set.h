// A set of hashes in one block of memory: eight to sixteen bytes each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace book {

class HashSet {
  public:
    HashSet() : slots_(1 << 12, 0) {}
    // True if it was not there.
    bool insert(std::int64_t hash) {
        if (hash == 0)
            return !std::exchange(zero_, true);
        if (2 * (size_ + 1) > slots_.size())
            grow();
        std::int64_t& slot = find(hash);
        if (slot == hash)
            return false;
        slot = hash;
        ++size_;
        return true;
    }
    [[nodiscard]] bool contains(std::int64_t hash) {
        return hash == 0 ? zero_ : find(hash) == hash;
    }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    std::int64_t& find(std::int64_t hash) {
        std::size_t i = static_cast<std::size_t>(hash) & (slots_.size() - 1);
        while (slots_[i] != 0 && slots_[i] != hash)
            i = (i + 1) & (slots_.size() - 1);
        return slots_[i];
    }
    void grow() {
        std::vector<std::int64_t> old(2 * slots_.size(), 0);
        old.swap(slots_);
        for (const std::int64_t hash : old)
            if (hash != 0)
                find(hash) = hash;
    }
    std::vector<std::int64_t> slots_;
    std::size_t size_ = 0;
    bool zero_ = false;
};

}  // namespace book
