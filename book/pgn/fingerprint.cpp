#include "book/pgn/fingerprint.h"

#include "engine/board/zobrist.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace book {
namespace {

constexpr std::uint64_t Odd = 0x9E37'79B9'7F4A'7C15;

template <typename Lanes>
void absorb(Lanes& lanes, const char* block) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, block + i * sizeof word, sizeof word);
        lanes[i] = std::rotl((lanes[i] ^ word) * (Odd + 2 * i), 29);
    }
}

}  // namespace

void Fingerprint::add(std::string_view text) {
    total_ += text.size();
    while (!text.empty()) {
        if (used_ == 0 && text.size() >= block_.size()) {
            absorb(lanes_, text.data());
            text.remove_prefix(block_.size());
            continue;
        }
        const std::size_t n = std::min(text.size(), block_.size() - used_);
        std::memcpy(block_.data() + used_, text.data(), n);
        used_ += n;
        text.remove_prefix(n);
        if (used_ == block_.size()) {
            absorb(lanes_, block_.data());
            used_ = 0;
        }
    }
}

std::array<std::uint64_t, 2> Fingerprint::finished() const {
    Lanes lanes = lanes_;
    std::array<char, sizeof(Lanes)> block{};
    std::copy_n(block_.begin(), used_, block.begin());
    absorb(lanes, block.data());
    std::array<std::uint64_t, 2> words{total_, ~total_};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        words[0] = engine::splitmix64(words[0] ^ lanes[i]);
        words[1] = engine::splitmix64((words[1] ^ std::rotl(lanes[i], 32)) + 2 * Odd);
    }
    return words;
}

std::uint64_t Fingerprint::word() const {
    return finished()[0];
}

std::string Fingerprint::bytes() const {
    const std::array<std::uint64_t, 2> words = finished();
    std::string bytes(sizeof words, '\0');
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

}  // namespace book
