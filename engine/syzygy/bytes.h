// Reads from a mapped file with bounds checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace engine {

using Bytes = std::span<const std::uint8_t>;

// `count` bytes at `at`, the lowest first; those beyond the end count as 0.
constexpr std::uint64_t little_endian(Bytes bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count && at + i < bytes.size(); ++i)
        value |= std::uint64_t{bytes[at + i]} << (8 * i);
    return value;
}
// The same, the highest byte first.
constexpr std::uint64_t big_endian(Bytes bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value = value << 8 | (at + i < bytes.size() ? bytes[at + i] : 0);
    return value;
}

// Reads from the beginning to the end. A read beyond the end gives 0 and is remembered.
class ByteReader {
  public:
    explicit ByteReader(Bytes bytes) : bytes_(bytes) {}
    [[nodiscard]] bool failed() const { return failed_; }

    Bytes take(std::uint64_t count) {
        if (count > bytes_.size() - at_) {
            failed_ = true;
            return {};
        }
        const Bytes taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
        at_ += taken.size();
        return taken;
    }
    // A number of `count` bytes, the lowest first.
    std::uint32_t number(std::size_t count) {
        return static_cast<std::uint32_t>(little_endian(take(count), 0, count));
    }
    // Goes on at a multiple of `unit`, counted from the beginning of the file.
    void align(std::size_t unit) { take((unit - at_ % unit) % unit); }

  private:
    Bytes bytes_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

}  // namespace engine
