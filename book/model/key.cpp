#include "book/model/key.h"

#include "engine/board/zobrist.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include <blake2.h>

namespace book {

std::uint32_t check_bits(const engine::Position& pos) {
    using namespace engine;
    std::uint64_t h = pos.side_to_move() == White ? 1 : 2;
    for (const Color c : {White, Black})
        for (const PieceType t : {Pawn, Knight, Bishop, Rook, Queen, King})
            h = splitmix64(h ^ pos.pieces(c, t));
    h = splitmix64(h ^ static_cast<std::uint64_t>(pos.castling_rights()));
    return static_cast<std::uint32_t>(h >> 32);
}

int progress(const engine::Position& pos) {
    using namespace engine;
    // Counts the irreversible steps that remain: for a pawn its steps to the last rank and two
    // more, for any other piece and any castling right one. So a promotion decreases the count,
    // too.
    int left = popcount(pos.pieces() & ~pos.pieces(Pawn)) +
               std::popcount(static_cast<unsigned>(pos.castling_rights()));
    for (const Color c : {White, Black})
        for (Bitboard pawns = pos.pieces(c, Pawn); pawns != 0;)
            left += 2 + 7 - relative_rank(c, pop_lowest(pawns));
    return std::clamp(255 - left, 0, 255);
}

struct Digest::State : blake2b_state {};

Digest::Digest(std::size_t bytes) : state_(std::make_unique<State>()), bytes_(bytes) {
    assert(8 <= bytes && bytes <= 64);
    blake2b_init(state_.get(), bytes_);
}

Digest::~Digest() = default;

void Digest::add(std::span<const std::byte> data) {
    blake2b_update(
        state_.get(), reinterpret_cast<const std::uint8_t*>(data.data()), data.size_bytes());
}

std::string Digest::finish() {
    std::string bytes(bytes_, '\0');
    blake2b_final(state_.get(), reinterpret_cast<std::uint8_t*>(bytes.data()), bytes_);
    return bytes;
}

std::uint64_t Digest::finish_word() {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0;
    std::memcpy(&word, finish().data(), sizeof word);
    return word;
}

}  // namespace book
