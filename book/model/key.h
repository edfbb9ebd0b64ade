// Keys, moves and hashes as they are stored in the book's tables.
#pragma once

#include "engine/board/position.h"

#include <cstddef>
#include <memory>
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

// A move as it is stored: White's as it is, Black's as its complement, which is negative.
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

// 32 bits of a hash independent of the key, to detect two positions with the same key.
std::uint32_t check_bits(const engine::Position& pos);

// Counts irreversible steps, 0..255: captures, pawn moves, promotions and lost castling rights
// increase it, no legal move decreases it.
int progress(const engine::Position& pos);

// BLAKE2b without a key. Source: M.-J. Saarinen, J.-P. Aumasson, "The BLAKE2 Cryptographic Hash",
// RFC 7693, 2015.
class Digest {
  public:
    explicit Digest(std::size_t bytes = 16);  // 8..64
    Digest(const Digest&) = delete;
    Digest& operator=(const Digest&) = delete;
    ~Digest();
    void add(std::span<const std::byte> data);
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
    // Ends the message: call one of these, once.
    std::string finish();         // the bytes
    std::uint64_t finish_word();  // the first eight of them, little-endian

  private:
    struct State;
    std::unique_ptr<State> state_;
    std::size_t bytes_;
};

}  // namespace book
