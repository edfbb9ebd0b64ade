#include "engine/syzygy/pairs.h"

namespace engine {
namespace {

constexpr std::size_t Leaf = 0xFFF;  // as the second half of a symbol
constexpr int MaxCodeLength = 32;
constexpr int MaxWeight = 1 << 12;
constexpr std::uint32_t IndexEntry = 6, LengthEntry = 2, SymbolEntry = 3;  // bytes

}  // namespace

bool Pairs::read_header(ByteReader& reader, std::uint64_t count) {
    constexpr int Single = 128;
    flags_ = static_cast<int>(reader.number(1));
    if ((flags_ & Single) != 0) {
        only_ = static_cast<int>(reader.number(1));
        return true;
    }
    count_ = count;
    block_log2_ = static_cast<int>(reader.number(1));
    span_log2_ = static_cast<int>(reader.number(1));
    if (block_log2_ < 3 || block_log2_ > 30 || span_log2_ < 1 || span_log2_ > 30)
        return false;
    index_count_ = (count + (1ULL << span_log2_) - 1) >> span_log2_;
    const std::uint32_t extra_lengths = reader.number(1);
    block_count_ = reader.number(4);
    length_count_ = block_count_ + extra_lengths;
    return read_symbols(reader);
}

// The Huffman codes of each length are consecutive, and so are their symbols. The longest codes
// begin at 0; the first code of a length follows from those one bit longer.
bool Pairs::read_symbols(ByteReader& reader) {
    const auto longest = static_cast<int>(reader.number(1));
    shortest_ = static_cast<int>(reader.number(1));
    if (shortest_ < 1 || longest < shortest_ || longest > MaxCodeLength)
        return false;
    const auto lengths = static_cast<std::size_t>(longest - shortest_ + 1);
    for (std::size_t i = 0; i < lengths; ++i)
        first_symbol_.push_back(reader.number(2));
    first_code_.assign(lengths, 0);
    for (std::size_t i = lengths - 1; i-- > 0;)
        first_code_[i] = (first_code_[i + 1] + first_symbol_[i] - first_symbol_[i + 1]) / 2;
    for (std::size_t i = 0; i < lengths; ++i)
        first_code_[i] <<= 64 - shortest_ - static_cast<int>(i);

    const std::size_t symbols = reader.number(2);
    symbols_ = reader.take(SymbolEntry * symbols);
    reader.align(2);
    if (reader.failed() || symbols == 0 || symbols > Leaf)
        return false;
    weights_.assign(symbols, 0);
    std::vector<bool> open(symbols);
    for (std::size_t symbol = 0; symbol < symbols; ++symbol)
        if (!measure(symbol, open))
            return false;
    return true;
}

// Sets the weight of a symbol. False if a symbol contains itself or one that does not exist.
bool Pairs::measure(std::size_t symbol, std::vector<bool>& open) {
    if (symbol >= weights_.size() || open[symbol])
        return false;
    if (weights_[symbol] != 0)
        return true;
    int weight = 1;
    if (right(symbol) != Leaf) {
        open[symbol] = true;
        if (!measure(left(symbol), open) || !measure(right(symbol), open))
            return false;
        open[symbol] = false;
        weight = weights_[left(symbol)] + weights_[right(symbol)];
    }
    weights_[symbol] = static_cast<std::uint16_t>(weight);
    return weight <= MaxWeight;
}

void Pairs::read_index(ByteReader& reader) {
    index_ = reader.take(IndexEntry * index_count_);
}
void Pairs::read_lengths(ByteReader& reader) {
    lengths_ = reader.take(LengthEntry * length_count_);
}
void Pairs::read_blocks(ByteReader& reader) {
    if (only_)
        return;
    reader.align(64);
    blocks_ = reader.take(block_count_ << block_log2_);
}

// The index knows where the middle of each span of numbers is; from there go block by block.
std::optional<Pairs::Place> Pairs::find(std::uint64_t index) const {
    const std::uint64_t span = 1ULL << span_log2_;
    const auto entry = static_cast<std::size_t>((index >> span_log2_) * IndexEntry);
    std::uint64_t block = little_endian(index_, entry, 4);
    if (index >= count_ || block >= length_count_)
        return std::nullopt;
    std::int64_t offset = static_cast<std::int64_t>(little_endian(index_, entry + 4, 2)) +
                          static_cast<std::int64_t>(index & (span - 1)) -
                          static_cast<std::int64_t>(span / 2);
    while (offset < 0) {
        if (block == 0)
            return std::nullopt;
        offset += length(--block);
    }
    while (offset >= length(block)) {
        offset -= length(block);
        if (++block >= length_count_)
            return std::nullopt;
    }
    if (block >= block_count_)
        return std::nullopt;
    return Place{block, static_cast<int>(offset)};
}

std::optional<int> Pairs::at(std::uint64_t index) const {
    if (only_)
        return only_;
    const std::optional<Place> place = find(index);
    if (!place)
        return std::nullopt;
    int offset = place->offset;
    auto next = static_cast<std::size_t>(place->block << block_log2_);
    std::uint64_t bits = big_endian(blocks_, next, 8);  // the next codes, in the highest bits
    int known = 64;
    next += 8;
    for (;;) {
        std::size_t i = 0;
        while (bits < first_code_[i])  // the last one is 0
            ++i;
        const int length = shortest_ + static_cast<int>(i);
        const std::uint64_t symbol = first_symbol_[i] + ((bits - first_code_[i]) >> (64 - length));
        if (symbol >= weights_.size())
            return std::nullopt;
        const int weight = weights_[static_cast<std::size_t>(symbol)];
        if (offset < weight)
            return static_cast<int>(left(expand(static_cast<std::size_t>(symbol), offset)));
        offset -= weight;
        bits <<= length;
        known -= length;
        if (known <= 32) {
            bits |= big_endian(blocks_, next, 4) << (32 - known);
            next += 4;
            known += 32;
        }
    }
}

// The leaf at `offset` of the numbers that the symbol stands for.
std::size_t Pairs::expand(std::size_t symbol, int offset) const {
    while (right(symbol) != Leaf) {
        const int weight = weights_[left(symbol)];
        if (offset < weight) {
            symbol = left(symbol);
        } else {
            offset -= weight;
            symbol = right(symbol);
        }
    }
    return symbol;
}

}  // namespace engine
