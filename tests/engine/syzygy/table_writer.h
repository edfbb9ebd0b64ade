// Writes tables in the format of Syzygy, for tests: no good compression, but every feature of it.
#pragma once

#include "engine/syzygy/table.h"

#include <functional>
#include <string>

namespace table_writer {

using Data = std::vector<std::uint8_t>;

inline void put(Data& data, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
        const std::uint64_t shifted = i < sizeof value ? value >> (8 * i) : 0;
        data.push_back(static_cast<std::uint8_t>(shifted));
    }
}
inline void align(Data& data, std::size_t unit) {
    data.resize((data.size() + unit - 1) / unit * unit);
}

// A list of numbers from 0 to 63. The number 2 twice has a code of one bit and a symbol of its own,
// the others have codes of seven bits.
struct List {
    static constexpr int Bits = 6, Symbols = 1 << Bits, Common = 2, SpanLog2 = 4, BlockLog2 = 5;
    static constexpr std::size_t BlockBits = 8 << BlockLog2;

    explicit List(std::vector<int> all, int flags = 0) : values(std::move(all)) {
        std::vector<bool> bits;
        std::size_t first = 0;  // of the block
        for (std::size_t i = 0; i < values.size();) {
            if (bits.size() + Bits + 1 > BlockBits) {
                close(bits, i - first);
                first = i;
            }
            firsts.resize(lengths.size() + 1, first);
            const bool pair =
                values[i] == Common && i + 1 < values.size() && values[i + 1] == Common;
            bits.push_back(pair);
            for (int bit = Bits - 1; !pair && bit >= 0; --bit)
                bits.push_back((values[i] >> bit & 1) != 0);
            i += pair ? 2 : 1;
        }
        close(bits, values.size() - first);
        put(header, static_cast<std::uint64_t>(flags), 1);
        put(header, BlockLog2, 1);
        put(header, SpanLog2, 1);
        put(header, 0, 1);
        put(header, lengths.size(), 4);
        put(header, Bits + 1, 1);
        put(header, 1, 1);
        for (int i = 0; i < Bits; ++i)
            put(header, Symbols, 2);
        put(header, 0, 2);
        put(header, Symbols + 1, 2);
        for (std::uint64_t s = 0; s < Symbols; ++s)
            put(header, s | 0xFFF000U, 3);
        put(header, Common | Common << 12, 3);
        header.resize((header.size() + 1) / 2 * 2);
    }
    // All numbers are the same.
    explicit List(int value) { header = {128, static_cast<std::uint8_t>(value)}; }

    void put_index(Data& data) const {
        constexpr std::size_t Span = 1 << SpanLog2;
        for (std::size_t middle = Span / 2; middle < values.size() + Span / 2; middle += Span) {
            std::size_t block = lengths.size() - 1;
            while (firsts[block] > middle)
                --block;
            put(data, block, 4);
            put(data, middle - firsts[block], 2);
        }
    }
    void put_lengths(Data& data) const {
        for (const std::size_t length : lengths)
            put(data, length - 1, 2);
    }
    void put_blocks(Data& data) const {
        if (blocks.empty())
            return;
        align(data, 64);
        data.insert(data.end(), blocks.begin(), blocks.end());
    }

    std::vector<int> values;
    Data header, blocks;
    std::vector<std::size_t> lengths, firsts;  // by block

  private:
    void close(std::vector<bool>& bits, std::size_t length) {
        bits.resize(BlockBits);
        for (std::size_t at = 0; at < BlockBits; at += 8) {
            unsigned byte = 0;
            for (std::size_t i = 0; i < 8; ++i)
                byte = byte << 1 | static_cast<unsigned>(bits[at + i]);
            blocks.push_back(static_cast<std::uint8_t>(byte));
        }
        bits.clear();
        lengths.push_back(length);
    }
};

// A table. `orders`: the order bytes and pieces of each file, as they stand in it.
inline Data file(bool wdl,
                 int flags,
                 const std::vector<Data>& orders,
                 const std::vector<List>& lists,
                 const Data& maps = {}) {
    Data data = wdl ? Data{0x71, 0xE8, 0x23, 0x5D} : Data{0xD7, 0x66, 0x0C, 0xA5};
    put(data, static_cast<std::uint64_t>(flags), 1);
    for (const Data& order : orders)
        data.insert(data.end(), order.begin(), order.end());
    align(data, 2);
    for (const List& list : lists)
        data.insert(data.end(), list.header.begin(), list.header.end());
    data.insert(data.end(), maps.begin(), maps.end());
    align(data, 2);
    for (const List& list : lists)
        list.put_index(data);
    for (const List& list : lists)
        list.put_lengths(data);
    for (const List& list : lists)
        list.put_blocks(data);
    align(data, 64);
    put(data, 0, 16);
    return data;
}

}  // namespace table_writer
