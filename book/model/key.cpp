#include "book/model/key.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace book {
namespace {

// Steps of splitmix64: a bijection of 64 bits that leaves no bit alone.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9E37'79B9'7F4A'7C15;
    x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9;
    x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EB;
    return x ^ x >> 31;
}

constexpr std::array<std::uint64_t, 8> BlakeStart{0x6a09e667f3bcc908,
                                                  0xbb67ae8584caa73b,
                                                  0x3c6ef372fe94f82b,
                                                  0xa54ff53a5f1d36f1,
                                                  0x510e527fade682d1,
                                                  0x9b05688c2b3e6c1f,
                                                  0x1f83d9abfb41bd6b,
                                                  0x5be0cd19137e2179};

constexpr std::array<std::array<std::uint8_t, 16>, 10> BlakeOrder{{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}};

}  // namespace

std::uint32_t check_bits(const engine::Position& pos) {
    using namespace engine;
    std::uint64_t h = pos.side_to_move() == White ? 1 : 2;
    for (const Color c : {White, Black})
        for (const PieceType t : {Pawn, Knight, Bishop, Rook, Queen, King})
            h = mix(h ^ pos.pieces(c, t));
    h = mix(h ^ static_cast<std::uint64_t>(pos.castling_rights()));
    return static_cast<std::uint32_t>(h >> 32);
}

int progress(const engine::Position& pos) {
    using namespace engine;
    // What is still to be spent: a pawn counts its steps to the last rank and two for itself, any
    // other piece and any right one; so no irreversible move is free, promotion and capture
    // included.
    int left = popcount(pos.pieces() & ~pos.pieces(Pawn)) +
               std::popcount(static_cast<unsigned>(pos.castling_rights()));
    for (const Color c : {White, Black})
        for (Bitboard pawns = pos.pieces(c, Pawn); pawns != 0;)
            left += 2 + 7 - relative_rank(c, pop_lowest(pawns));
    return std::clamp(255 - left, 0, 255);
}

Digest::Digest(std::size_t bytes) : state_(BlakeStart), bytes_(bytes) {
    assert(8 <= bytes && bytes <= 64);
    state_[0] ^= 0x01010000 ^ bytes;
}

void Digest::add(std::span<const std::byte> data) {
    while (!data.empty()) {
        if (used_ == block_.size())  // only now: the last block is compressed differently
            compress(false);
        const std::size_t n = std::min(data.size(), block_.size() - used_);
        std::memcpy(block_.data() + used_, data.data(), n);
        used_ += n;
        total_ += n;
        data = data.subspan(n);
    }
}

void Digest::compress(bool last) {
    static_assert(std::endian::native == std::endian::little);
    std::array<std::uint64_t, 16> m{}, v{};
    std::memcpy(m.data(), block_.data(), block_.size());
    std::copy(state_.begin(), state_.end(), v.begin());
    std::copy(BlakeStart.begin(), BlakeStart.end(), v.begin() + 8);
    v[12] ^= total_;
    if (last)
        v[14] = ~v[14];
    const auto quarter = [&v](std::size_t a,
                              std::size_t b,
                              std::size_t c,
                              std::size_t d,
                              std::uint64_t x,
                              std::uint64_t y) {
        v[a] += v[b] + x;
        v[d] = std::rotr(v[d] ^ v[a], 32);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 24);
        v[a] += v[b] + y;
        v[d] = std::rotr(v[d] ^ v[a], 16);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 63);
    };
    for (std::size_t round = 0; round < 12; ++round) {
        const auto& s = BlakeOrder[round % 10];
        quarter(0, 4, 8, 12, m[s[0]], m[s[1]]);
        quarter(1, 5, 9, 13, m[s[2]], m[s[3]]);
        quarter(2, 6, 10, 14, m[s[4]], m[s[5]]);
        quarter(3, 7, 11, 15, m[s[6]], m[s[7]]);
        quarter(0, 5, 10, 15, m[s[8]], m[s[9]]);
        quarter(1, 6, 11, 12, m[s[10]], m[s[11]]);
        quarter(2, 7, 8, 13, m[s[12]], m[s[13]]);
        quarter(3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (std::size_t i = 0; i < 8; ++i)
        state_[i] ^= v[i] ^ v[i + 8];
    used_ = 0;
}

std::string Digest::finish() {
    std::fill(block_.begin() + static_cast<std::ptrdiff_t>(used_), block_.end(), std::byte{0});
    compress(true);
    std::string bytes(bytes_, '\0');
    std::memcpy(bytes.data(), state_.data(), bytes_);
    return bytes;
}

std::uint64_t Digest::finish_word() {
    finish();
    return state_[0];
}

}  // namespace book
