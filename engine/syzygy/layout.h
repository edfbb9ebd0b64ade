// How a table numbers the positions of its material: pieces in groups, the first one reduced by the
// symmetry of the board, the others as combinations of the squares left.
#pragma once

#include "engine/board/types.h"

#include <array>
#include <optional>

namespace engine {

inline constexpr int MaxMen = 7;

// Pieces as the files name them: 1 pawn .. 6 king, plus 8 for the weaker side.
using Men = std::array<std::uint8_t, MaxMen>;
using Squares = std::array<Square, MaxMen>;

class Layout {
  public:
    // Of `men` pieces, in this order. `pawns`: a pawn leads. `three`: a group of three different
    // pieces leads, else of the kings. `order`: at which place the first group is multiplied in,
    // and the pawns of the other side (15 without them). `file`: that of the leading pawn, 0..3.
    // Nothing if no table can be like that.
    static std::optional<Layout>
    make(const Men& pieces, int men, bool pawns, bool three, std::array<int, 2> order, int file);

    [[nodiscard]] int men() const { return men_; }
    [[nodiscard]] int piece(int i) const { return pieces_[static_cast<std::size_t>(i)]; }
    [[nodiscard]] std::uint64_t size() const { return size_; }  // numbers are below
    // The number of the position; `squares` in the order of the pieces. With pawns the leading one
    // is on files a to d after `mirror` (see lead()).
    [[nodiscard]] std::uint64_t number(Squares squares) const;

    // Puts the leading one of the `count` pawns first, and returns its file; 4 to 7: the board must
    // be mirrored.
    static int lead(Squares& squares, int count);

  private:
    struct Group {
        int length = 0;
        std::uint64_t factor = 0;
    };
    void split();
    bool multiply(std::array<int, 2> order, int file);
    [[nodiscard]] std::uint64_t first_number(Squares& squares) const;

    Men pieces_{};
    int men_ = 0, groups_ = 0;
    bool pawns_ = false, three_ = false, second_pawns_ = false;
    std::array<Group, MaxMen> group_{};
    std::uint64_t size_ = 1;
};

}  // namespace engine
