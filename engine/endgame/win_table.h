// The positions of an ending that one side, the attacker, wins: a bit for each of them, and if
// wanted a byte for the distance. The attacker plays up the board, as White does; the defender's
// king is the bit in a word, so that 64 positions are solved at once.
#pragma once

#include "engine/board/attacks.h"
#include "engine/endgame/turn.h"

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace engine {

inline constexpr PieceType Promotions[] = {Queen, Rook, Bishop, Knight};

// The men beside the kings.
struct WinMaterial {
    static constexpr int MaxMen = 3;            // of both sides together, without kings
    std::array<std::array<int, 5>, 2> count{};  // attacker, defender; by type, pawn to queen

    [[nodiscard]] int men() const;
    [[nodiscard]] int pawns() const { return count[0][Pawn] + count[1][Pawn]; }
    [[nodiscard]] WinMaterial swapped() const { return {{count[1], count[0]}}; }
    [[nodiscard]] std::uint64_t key() const;
    // The materials after one capture, promotion or capture with promotion.
    [[nodiscard]] std::vector<WinMaterial> successors() const;
    friend bool operator==(const WinMaterial&, const WinMaterial&) = default;
};

class WinTable {
  public:
    struct Man {
        bool attacks;
        PieceType type;
        friend bool operator==(const Man&, const Man&) = default;
    };
    using Men = std::array<Square, WinMaterial::MaxMen>;  // squares, in the order of men()
    // Where the word of a placement lies, and the turn that brings its squares there.
    struct Place {
        std::size_t index;
        Turn turn;
    };

    // An empty table, to be filled. With `distances` it takes 9 times the memory, see bytes().
    WinTable(const WinMaterial& material, bool distances);

    [[nodiscard]] const WinMaterial& material() const { return material_; }
    // Pawns first, then pieces; of each, the attacker's first.
    [[nodiscard]] const std::vector<Man>& men() const { return men_; }
    [[nodiscard]] bool has_distances() const { return !won_plies_.empty(); }

    [[nodiscard]] Place place(Square king, const Men& men) const;
    // Sets of squares of the defender's king, for the attacker's king and men as given. legal():
    // the attacker is to move and does not attack that king. open(): legal and not won. lost(): the
    // defender is to move and loses. Positions with two men on one square are in none.
    [[nodiscard]] Bitboard legal(Square king, const Men& men) const;
    [[nodiscard]] Bitboard open(Square king, const Men& men) const {
        return word(open_, king, men);
    }
    [[nodiscard]] Bitboard lost(Square king, const Men& men) const {
        return word(lost_, king, men);
    }
    // Plies to mate, or in endings with pawns to the first of mate, capture and promotion. Require
    // distances and a decided position.
    [[nodiscard]] int won_plies(const Place& at, Square king) const {
        return won_plies_[64 * at.index + static_cast<std::size_t>(turned(king, at.turn))];
    }
    [[nodiscard]] int lost_plies(const Place& at, Square king) const {
        return lost_plies_[64 * at.index + static_cast<std::size_t>(turned(king, at.turn))];
    }
    // All words of open() and of lost(), by Place::index: to store a table, and to fill an empty
    // one of the same material.
    [[nodiscard]] std::array<std::span<const Bitboard>, 2> words() const { return {open_, lost_}; }
    [[nodiscard]] std::array<std::span<Bitboard>, 2> words() { return {open_, lost_}; }
    // Bytes in memory.
    [[nodiscard]] std::size_t bytes() const { return open_.size() * (has_distances() ? 144 : 16); }

  private:
    friend class WinSolver;
    using Words = std::vector<Bitboard>;

    [[nodiscard]] Bitboard word(const Words& words, Square king, const Men& men) const {
        const Place at = place(king, men);
        return turned_back(words[at.index], at.turn);
    }

    WinMaterial material_;
    std::vector<Man> men_;
    std::size_t pawns_ = 0;
    Words open_, lost_;
    std::vector<std::uint8_t> won_plies_, lost_plies_;
};

// Solved endings, by material.
class WinTables {
  public:
    void add(std::shared_ptr<const WinTable> table) {
        const std::uint64_t key = table->material().key();
        tables_[key] = std::move(table);
    }
    // Requires that the table exists.
    [[nodiscard]] const WinTable& at(const WinMaterial& material) const {
        return *tables_.at(material.key());
    }
    void remove(const WinMaterial& material) { tables_.erase(material.key()); }
    // Null if there is none.
    [[nodiscard]] const WinTable* find(const WinMaterial& material) const {
        const auto found = tables_.find(material.key());
        return found == tables_.end() ? nullptr : found->second.get();
    }

  private:
    std::unordered_map<std::uint64_t, std::shared_ptr<const WinTable>> tables_;
};

}  // namespace engine
