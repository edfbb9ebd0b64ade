// Adaptive binary range coding: the better its model predicts a bit, the less the bit costs.
// Encoder and decoder have the same interface, so that one piece of code describes both directions.
// Source: G. N. N. Martin, "Range encoding: an algorithm for removing redundancy from a digitised
// message", 1979.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace tools::datagen {

// The chance that a bit is set, in 1/65536, learned from the bits so far.
class AdaptiveBit {
  public:
    [[nodiscard]] std::uint32_t chance() const { return chance_; }
    void learn(bool bit) {
        const int error = (bit ? 65'536 : 0) - static_cast<int>(chance_);
        const int moved = static_cast<int>(chance_) + 2 * error / (2 * seen_ + 3);
        chance_ = static_cast<std::uint16_t>(std::clamp(moved, MinChance, 65'536 - MinChance));
        seen_ = static_cast<std::uint16_t>(std::min(seen_ + 1, MaxSeen));
    }

  private:
    static constexpr int MinChance = 24, MaxSeen = 1'000;
    std::uint16_t chance_ = 32'768, seen_ = 0;
};

class BitEncoder {
  public:
    static constexpr bool Decodes = false;

    // Writes the bit and returns it.
    bool code(bool bit, AdaptiveBit& model) {
        const std::uint64_t middle = low_ + ((high_ - low_) >> 16) * model.chance();
        (bit ? high_ : low_) = bit ? middle : middle + 1;
        model.learn(bit);
        for (; (low_ ^ high_) >> 56 == 0; low_ <<= 8, high_ = high_ << 8 | 255)
            bytes_ += static_cast<char>(low_ >> 56);
        return bit;
    }
    // All that was written; nothing may be written afterwards.
    std::string finish() {
        bytes_ += static_cast<char>((low_ >> 56) + 1);  // the decoder reads zeros after it
        return std::move(bytes_);
    }

  private:
    std::uint64_t low_ = 0, high_ = UINT64_MAX;
    std::string bytes_;
};

class BitDecoder {
  public:
    static constexpr bool Decodes = true;

    explicit BitDecoder(std::string_view bytes) : bytes_(bytes) {
        for (int i = 0; i < 8; ++i)
            take_byte();
    }
    // The next bit; the one that is passed means nothing.
    bool code(bool /*bit*/, AdaptiveBit& model) {
        const std::uint64_t middle = low_ + ((high_ - low_) >> 16) * model.chance();
        const bool bit = value_ <= middle;
        (bit ? high_ : low_) = bit ? middle : middle + 1;
        model.learn(bit);
        for (; (low_ ^ high_) >> 56 == 0; low_ <<= 8, high_ = high_ << 8 | 255)
            take_byte();
        return bit;
    }

  private:
    void take_byte() {
        const char next = at_ < bytes_.size() ? bytes_[at_++] : '\0';
        value_ = value_ << 8 | static_cast<unsigned char>(next);
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t low_ = 0, high_ = UINT64_MAX, value_ = 0;
};

}  // namespace tools::datagen
