// A 128-bit hash that identifies files and games. Fast, because everything imported passes through
// it; not safe against forgery.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace book {

class Fingerprint {
  public:
    void add(std::string_view text);
    template <typename T>
    void add(std::span<const T> values) {
        const auto bytes = std::as_bytes(values);
        add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    [[nodiscard]] std::uint64_t word() const;  // 64 bits, of what was added so far
    [[nodiscard]] std::string bytes() const;   // all 16 bytes

  private:
    using Lanes = std::array<std::uint64_t, 8>;
    [[nodiscard]] std::array<std::uint64_t, 2> finished() const;

    Lanes lanes_{1, 2, 3, 4, 5, 6, 7, 8};
    std::array<char, sizeof(Lanes)> block_{};  // not yet full
    std::size_t used_ = 0;
    std::uint64_t total_ = 0;
};

}  // namespace book
