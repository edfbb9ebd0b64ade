// A list of small numbers, compressed by recursive pairing (each symbol stands for one number or
// for two symbols) and canonical Huffman codes, in blocks that can be read one by one.
#pragma once

#include "engine/syzygy/bytes.h"

#include <array>
#include <optional>
#include <vector>

namespace engine {

class Pairs {
  public:
    static constexpr int SideToMove = 1, Mapped = 2, WinPlies = 4, LossPlies = 8, Wide = 16;

    // Reads the header of a list of `count` numbers. Then the three parts of each list must be
    // read, the same part of all lists of a file after one another. False if the header cannot be
    // right; the reader tells whether the file was too short.
    bool read_header(ByteReader& reader, std::uint64_t count);
    void read_index(ByteReader& reader);
    void read_lengths(ByteReader& reader);
    void read_blocks(ByteReader& reader);

    [[nodiscard]] int flags() const { return flags_; }
    // The number at `index`; nothing if the list is damaged there. Any thread.
    [[nodiscard]] std::optional<int> at(std::uint64_t index) const;

  private:
    struct Place {
        std::uint64_t block;
        int offset;  // in the numbers of the block
    };
    bool read_symbols(ByteReader& reader);
    bool measure(std::size_t symbol, std::vector<bool>& open);
    [[nodiscard]] std::optional<Place> find(std::uint64_t index) const;
    [[nodiscard]] std::size_t left(std::size_t symbol) const {
        return symbols_[3 * symbol] | (symbols_[3 * symbol + 1] & 15U) << 8;
    }
    [[nodiscard]] std::size_t right(std::size_t symbol) const {
        return symbols_[3 * symbol + 1] >> 4 | std::size_t{symbols_[3 * symbol + 2]} << 4;
    }
    [[nodiscard]] int length(std::uint64_t block) const {  // numbers in the block
        return 1 +
               static_cast<int>(little_endian(lengths_, static_cast<std::size_t>(2 * block), 2));
    }
    [[nodiscard]] std::size_t expand(std::size_t symbol, int offset) const;

    int flags_ = 0;
    std::optional<int> only_;  // all numbers are this one
    std::uint64_t count_ = 0, index_count_ = 0, block_count_ = 0, length_count_ = 0;
    int block_log2_ = 0, span_log2_ = 0;
    int shortest_ = 0;                       // code, in bits
    std::vector<std::size_t> first_symbol_;  // by length of code, from the shortest on
    std::vector<std::uint64_t> first_code_;  // of that length, in the highest bits
    std::vector<std::uint16_t> weights_;     // by symbol: the count of its numbers; 0: unknown
    Bytes symbols_, index_, lengths_, blocks_;
};

}  // namespace engine
