// A game: where it started, the moves since, and whether the rules have ended it.
#pragma once

#include "engine/board/position.h"

#include <vector>

namespace engine {

enum class Status {
    Ongoing,
    Checkmate,  // the side to move is mated
    Stalemate,
    DeadPosition,  // no mate is possible any more
    FiftyMoves,    // 100 plies without capture or pawn move
    Repetition     // the position stands for the third time
};

class Game {
  public:
    explicit Game(const Position& start = Position());

    [[nodiscard]] const Position& start() const { return start_; }
    [[nodiscard]] const Position& position() const { return current_; }
    [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
    [[nodiscard]] int ply() const { return static_cast<int>(moves_.size()); }
    // Keys of all positions from the start to the current one; ply() + 1 of them.
    [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }
    [[nodiscard]] bool starts_normally() const;  // from the start position of chess

    void play(Move m);  // requires legality
    void undo();        // requires ply() > 0

    // How often the current position has stood on the board, this time included; 1 and up.
    [[nodiscard]] int repetitions() const;
    [[nodiscard]] Status status() const;
    // The same after one more move; requires legality.
    [[nodiscard]] Status status_after(Move m) const;

  private:
    Position start_, current_;
    std::vector<Move> moves_;
    std::vector<Undo> undos_;
    std::vector<Key> keys_;
};

}  // namespace engine
