// Writes vectors of facts.
#pragma once

#include "tools/lab/facts/facts.h"

namespace tools::facts {

using engine::distance;

// Appends facts to a vector, bit by bit.
class FactWriter {
  public:
    void flag(bool holds) { facts_ |= Facts{holds} << next_++; }
    // One of the facts low, low + 1, ... high holds; what is beyond counts as the last one.
    void one_of(int value, int low, int high) {
        facts_ |= Facts{1} << (next_ + std::clamp(value, low, high) - low);
        next_ += high - low + 1;
    }
    [[nodiscard]] Facts facts() const {
        assert(next_ <= 64);
        return facts_;
    }

  private:
    Facts facts_ = 0;
    int next_ = 0;
};

}  // namespace tools::facts
