// A move in 16 bits, and a move list of fixed capacity.
#pragma once

#include "engine/board/types.h"

#include <array>
#include <cassert>
#include <cstddef>

namespace engine {

enum class MoveKind : std::uint8_t { Normal, Promotion, EnPassant, Castling };

// Bits: from 0..5, to 6..11, promotion piece 12..13 (Knight = 0), kind 14..15. Castling is encoded
// as king takes own rook, in standard chess too.
class Move {
  public:
    constexpr Move() = default;
    constexpr Move(Square from, Square to, MoveKind kind = MoveKind::Normal)
        : bits_(static_cast<std::uint16_t>(from | to << 6 | static_cast<int>(kind) << 14)) {}
    static constexpr Move promotion(Square from, Square to, PieceType piece) {
        return from_raw(static_cast<std::uint16_t>(Move(from, to, MoveKind::Promotion).bits_ |
                                                   (piece - Knight) << 12));
    }
    // For storage. Any 16 bits are allowed; Position::is_legal tells whether the move can be
    // played.
    static constexpr Move from_raw(std::uint16_t bits) {
        Move m;
        m.bits_ = bits;
        return m;
    }
    [[nodiscard]] constexpr std::uint16_t raw() const { return bits_; }

    [[nodiscard]] constexpr Square from() const { return bits_ & 63; }
    [[nodiscard]] constexpr Square to() const { return bits_ >> 6 & 63; }
    [[nodiscard]] constexpr MoveKind kind() const { return static_cast<MoveKind>(bits_ >> 14); }
    // Requires kind() == Promotion.
    [[nodiscard]] constexpr PieceType promoted() const {
        return static_cast<PieceType>((bits_ >> 12 & 3) + Knight);
    }
    constexpr explicit operator bool() const { return bits_ != 0; }
    friend constexpr bool operator==(Move, Move) = default;

  private:
    std::uint16_t bits_ = 0;
};

inline constexpr Move NoMove{};

// A position of a game has at most 218 moves; with any number of pieces it has at most 507: at most
// 27 for each piece, 8 directions into each square, and 168 knight moves on the board.
class MoveList {
  public:
    MoveList() {}  // NOLINT(modernize-use-equals-default): moves_ stays unset
    void add(Move m) {
        assert(size_ < moves_.size());
        moves_[size_++] = m;
    }
    void clear() { size_ = 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] bool contains(Move m) const {
        for (const Move known : *this)
            if (known == m)
                return true;
        return false;
    }
    Move operator[](std::size_t i) const { return moves_[i]; }
    [[nodiscard]] const Move* begin() const { return moves_.data(); }
    [[nodiscard]] const Move* end() const { return moves_.data() + size_; }

  private:
    union {  // not initialised: clearing it would slow the search by 1.5 %
        std::array<Move, 512> moves_;
    };
    std::size_t size_ = 0;
};

}  // namespace engine
