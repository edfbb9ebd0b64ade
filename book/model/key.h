// Positions and moves as the book's tables name them, and hashes of longer things.
#pragma once

#include "engine/board/position.h"

#include <array>
#include <cstddef>
#include <span>

namespace book {

using engine::Color;
using engine::Key;
using engine::Move;

// SQLite has no unsigned 64-bit integers; the casts keep every bit.
constexpr std::int64_t to_sql(Key key) {
    return static_cast<std::int64_t>(key);
}
constexpr Key from_sql(std::int64_t key) {
    return static_cast<Key>(key);
}

// A move as it is stored: White's moves as they are, Black's as their complement and so negative. A
// row then says by itself who moved.
using StoredMove = std::int32_t;
constexpr StoredMove store(Move m, Color mover) {
    return mover == engine::White ? m.raw() : ~StoredMove{m.raw()};
}
constexpr Move stored_move(StoredMove m) {
    return Move::from_raw(static_cast<std::uint16_t>(m < 0 ? ~m : m));
}
constexpr Color mover(StoredMove m) {
    return m < 0 ? engine::Black : engine::White;
}

// 32 bits of a hash that shares nothing with the key: two positions with one key give themselves
// away.
std::uint32_t check_bits(const engine::Position& pos);

// How far the game has gone on a way that nothing leads back on: captures, pawn moves, promotions
// and lost castling rights raise it, no legal move lowers it. 0..255.
int progress(const engine::Position& pos);

// BLAKE2b without a key. Source: M.-J. Saarinen, J.-P. Aumasson, "The BLAKE2 Cryptographic Hash",
// RFC 7693, 2015.
class Digest {
  public:
    explicit Digest(std::size_t bytes = 16);  // 8..64
    void add(std::span<const std::byte> data);
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
    // Ends the message: call one of these, once.
    std::string finish();         // the bytes
    std::uint64_t finish_word();  // the first eight of them
  private:
    void compress(bool last);
    std::array<std::uint64_t, 8> state_;
    std::array<std::byte, 128> block_{};
    std::uint64_t total_ = 0;
    std::size_t used_ = 0, bytes_;
};

}  // namespace book
