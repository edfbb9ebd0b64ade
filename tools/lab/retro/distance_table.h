// A solved ending: the result and the distance of every position, in memory and in a file.
#pragma once

#include "engine/syzygy/table.h"
#include "tools/lab/retro/packed_file.h"

namespace tools::retro {

using engine::Bitboard;
using engine::Color;
using engine::PieceType;
using engine::Square;

inline constexpr std::size_t MaxMen = 5;

// A result for the side to move, with the plies to mate or, in an ending with pawns, to mate, to a
// capture or to a promotion, whichever comes first and keeps the result. 0: a draw; n: won in n
// plies; -n: lost in n - 1 plies.
using Value = std::int8_t;
inline constexpr Value Illegal = -128;  // no such position: the side not to move is in check
constexpr Value won_in(int plies) {
    return static_cast<Value>(plies);
}
constexpr Value lost_in(int plies) {
    return static_cast<Value>(-plies - 1);
}
constexpr int plies(Value v) {  // requires a decided position
    return v > 0 ? v : -v - 1;
}
constexpr int sign(int v) {
    return (v > 0) - (v < 0);
}

struct Man {
    Color color;
    PieceType type;
    friend bool operator==(const Man&, const Man&) = default;
};
using Squares = std::array<Square, MaxMen>;  // those beyond the ending's men are a1

struct Board {
    Squares squares{};
    Color side = engine::White;  // to move
};

// The men of an ending: both kings, White's others, then Black's, each from queen to pawn.
class Ending {
  public:
    explicit Ending(const engine::PieceCounts& counts);
    // Fails if the name is not that of three to five men, as KRvK or KPPvKP.
    static Result<Ending> from_name(std::string_view name);
    // All endings of three and four men, each after those that it can become.
    static std::vector<Ending> all();
    // Those that a capture or promotion leads to, bare kings excepted.
    [[nodiscard]] std::vector<Ending> successors() const;

    [[nodiscard]] std::string name() const;
    [[nodiscard]] const engine::PieceCounts& counts() const { return counts_; }
    [[nodiscard]] std::size_t size() const { return men_.size(); }
    [[nodiscard]] const Man& operator[](std::size_t i) const { return men_[i]; }
    [[nodiscard]] bool has_pawns() const { return pawns_[0] || pawns_[1]; }
    [[nodiscard]] bool both_have_pawns() const { return pawns_[0] && pawns_[1]; }
    friend bool operator==(const Ending& a, const Ending& b) { return a.men_ == b.men_; }

  private:
    engine::PieceCounts counts_;
    std::vector<Man> men_;
    std::array<bool, 2> pawns_{};
};

class DistanceTable {
  public:
    explicit DistanceTable(const Ending& ending);  // all values 0

    [[nodiscard]] const Ending& ending() const { return ending_; }
    [[nodiscard]] Value value(Color side, const Squares& squares) const {
        return values_[index(side, squares)];
    }
    // The squares must be as for_each() gives them. For the value of any placement, no pawn may
    // stand on the first or last rank.
    void set(Color side, const Squares& squares, Value v) { values_[index(side, squares)] = v; }
    // Calls action(side, squares) for every placement, symmetric ones once or twice. White's king
    // stands on one of king_squares().
    template <typename Action>
    void for_each(Action action) const {
        for (const Color side : {engine::White, engine::Black})
            for_each_placement(MaxMen, [&](const Squares& squares) { action(side, squares); });
    }
    // Calls action(squares) for every placement of the men but one, whose square is any.
    template <typename Action>
    void for_each_placement(std::size_t without, Action action) const {
        Squares squares = first_placement();
        do
            action(squares);
        while (advance(squares, without));
    }
    [[nodiscard]] Bitboard king_squares() const;
    // True for one of the placements that are equal by symmetry or by an exchange of equal men.
    [[nodiscard]] bool is_first(const Squares& squares) const;

    // See packed_file.h.
    [[nodiscard]] Result<void> save(const std::string& path) const;
    // Fails unless the file is whole, of this version and of this ending.
    static Result<DistanceTable> load(const std::string& path, const Ending& ending);

  private:
    [[nodiscard]] std::size_t index(Color side, Squares squares) const;
    [[nodiscard]] PackedFile file(const std::string& path) const;
    [[nodiscard]] Squares first_placement() const;
    bool advance(Squares& squares, std::size_t without) const;  // false: that was the last one

    Ending ending_;
    std::vector<Value> values_;
};

// In Forsyth-Edwards notation; `ep_square` only if it is not NoSquare.
std::string fen_of(const Ending& ending,
                   const Squares& squares,
                   Color side,
                   Square ep_square = engine::NoSquare);

}  // namespace tools::retro
