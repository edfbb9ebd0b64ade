// Rice coding: a row of integers near zero takes little more room than its entropy. Each row has
// the parameter that suits it best. Source: R. Rice, J. Plaunt, "Adaptive Variable-Length Coding
// for Efficient Compression of Spacecraft Television Data", 1971.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace engine {

class RiceWriter {
  public:
    template <std::signed_integral T>
    void write(std::span<const T> row) {
        const unsigned low_bits = best_parameter(row);
        put(low_bits, ParameterBits);
        for (const T value : row)
            write_value(folded(value), low_bits);
    }
    std::string finish();  // what was written, filled up with zeros to whole bytes

    static constexpr unsigned ParameterBits = 4;
    static constexpr unsigned Escape = 24;  // after this many ones the value follows in 32 bits

  private:
    // 0, -1, 1, -2 and so on become 0, 1, 2, 3.
    static constexpr std::uint32_t folded(std::int32_t value) {
        return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
    }
    template <typename T>
    static unsigned best_parameter(std::span<const T> row) {
        unsigned best = 0;
        std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
        for (unsigned low_bits = 0; low_bits < 1U << ParameterBits; ++low_bits) {
            std::uint64_t bits = 0;
            for (const T value : row)
                bits += (folded(value) >> low_bits) + low_bits;
            if (bits < fewest) {
                fewest = bits;
                best = low_bits;
            }
        }
        return best;
    }
    void write_value(std::uint32_t value, unsigned low_bits);
    void put(std::uint32_t bits, unsigned count);  // the lowest bit first

    std::string bytes_;
    std::uint64_t pending_ = 0;  // bits that fill no byte yet
    unsigned pending_count_ = 0;
};

class RiceReader {
  public:
    explicit RiceReader(std::string_view bytes) : bytes_(bytes) {}

    // False if the bytes end too early or a value is no T; `row` is then undefined.
    template <std::signed_integral T>
    [[nodiscard]] bool read(std::span<T> row) {
        const unsigned low_bits = get(RiceWriter::ParameterBits);
        for (T& value : row) {
            const std::int32_t wide = unfolded(read_value(low_bits));
            value = static_cast<T>(wide);
            if (value != wide)
                return false;
        }
        return !failed_;
    }
    // Whether all bytes were read.
    [[nodiscard]] bool at_end() const { return at_ == bytes_.size() && pending_count_ < 8; }

  private:
    static constexpr std::int32_t unfolded(std::uint32_t value) {
        return static_cast<std::int32_t>((value >> 1) ^ (0U - (value & 1U)));
    }
    std::uint32_t read_value(unsigned low_bits);
    std::uint32_t get(unsigned count);
    void fill();  // until there are 32 bits pending, or no more bytes

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t pending_ = 0;
    unsigned pending_count_ = 0;
    bool failed_ = false;
};

}  // namespace engine
