// Endgame tables of Syzygy: which positions with few men are won, drawn or lost, and in how many
// plies the next capture or pawn move comes.
// Source: R. de Man, the format of the Syzygy tables, 2013.
#pragma once

#include "engine/syzygy/table.h"

#include <unordered_map>

namespace engine {

// The result of a position just after a capture or pawn move. Cursed, blessed: the 50-move rule
// makes a draw of the win or loss.
enum class Wdl : std::int8_t { Loss = -2, BlessedLoss, Drawn, CursedWin, Win };

constexpr Wdl operator-(Wdl w) {
    return static_cast<Wdl>(-static_cast<int>(w));
}

// The tables of one or more folders. Immutable, so all calls are allowed from any thread.
class Syzygy {
  public:
    // Opens all tables of the folders, which platform::ListSeparator separates; where two have the
    // same table the first one counts. Fails if a folder cannot be read or there is no table that
    // can be used.
    static Result<std::shared_ptr<const Syzygy>> open(const std::string& folders);

    [[nodiscard]] int max_men() const { return max_men_; }      // of the largest table
    [[nodiscard]] std::size_t count() const { return count_; }  // files in use
    // Files that were refused, one sentence each.
    [[nodiscard]] const std::vector<std::string>& refused() const { return refused_; }

    // Both give nothing if a table is missing or damaged, and where somebody may castle. The
    // counter of the 50-move rule is taken as 0.
    [[nodiscard]] std::optional<Wdl> wdl(const Position& pos) const;
    // Plies until the winner's next capture or pawn move that keeps the win: positive for a win, 0
    // for a draw, negative for a loss; from 101 on the 50-move rule makes it a draw. May be one too
    // low. A position where such a move is at once possible counts 1, a checkmate -1.
    [[nodiscard]] std::optional<int> dtz(const Position& pos) const;
    // Makes the move, which must be legal, and returns the same for the side that made it.
    [[nodiscard]] std::optional<int> dtz_after(Position& pos, Move m) const;

  private:
    struct Ending {
        std::unique_ptr<SyzygyTable> wdl, dtz;
    };
    struct Resolved {
        Wdl value;
        bool zeroing;  // the best move is a capture, or a pawn move if those were tried
    };
    void add(const std::string& path, const std::string& name, SyzygyTable::Kind kind);
    [[nodiscard]] const Ending* find(const Position& pos) const;
    [[nodiscard]] std::optional<Resolved> resolve(const Position& pos, bool pawn_moves) const;
    [[nodiscard]] std::optional<int> dtz_by_moves(const Position& pos, Wdl wdl) const;

    std::unordered_map<std::uint64_t, Ending> endings_;  // by material, the table's colours
    int max_men_ = 0;
    std::size_t count_ = 0;
    std::vector<std::string> refused_;
};

}  // namespace engine
