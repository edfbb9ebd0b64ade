#include "engine/eval/rice_code.h"

#include <bit>
#include <utility>

namespace engine {

void RiceWriter::put(std::uint32_t bits, unsigned count) {
    pending_ |= static_cast<std::uint64_t>(bits) << pending_count_;
    pending_count_ += count;
    for (; pending_count_ >= 8; pending_count_ -= 8, pending_ >>= 8)
        bytes_ += static_cast<char>(pending_ & 0xFF);
}

void RiceWriter::write_value(std::uint32_t value, unsigned low_bits) {
    const std::uint32_t ones = value >> low_bits;
    if (ones >= Escape) {
        put((1U << Escape) - 1, Escape);
        put(value, 32);
        return;
    }
    put((1U << ones) - 1, ones + 1);
    put(value & ((1U << low_bits) - 1), low_bits);
}

std::string RiceWriter::finish() {
    if (pending_count_ > 0)
        put(0, 8 - pending_count_);
    return std::move(bytes_);
}

void RiceReader::fill() {
    for (; pending_count_ < 32 && at_ < bytes_.size(); pending_count_ += 8)
        pending_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at_++]))
                    << pending_count_;
}

std::uint32_t RiceReader::get(unsigned count) {
    fill();
    if (count > pending_count_) {
        failed_ = true;
        return 0;
    }
    const auto bits = static_cast<std::uint32_t>(pending_ & ((std::uint64_t{1} << count) - 1));
    pending_ >>= count;
    pending_count_ -= count;
    return bits;
}

std::uint32_t RiceReader::read_value(unsigned low_bits) {
    fill();
    const auto ones = static_cast<unsigned>(std::countr_one(pending_));
    if (ones >= RiceWriter::Escape) {
        get(RiceWriter::Escape);
        return get(32);
    }
    get(ones + 1);
    return (ones << low_bits) | get(low_bits);
}

}  // namespace engine
