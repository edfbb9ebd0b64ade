// A game: its start position, its moves, and its status by the rules.
#pragma once

#include "engine/board/position.h"

#include <vector>

namespace engine {

enum class Status {
    Ongoing,
    Checkmate,  // the side to move is mated
    Stalemate,
    DeadPosition,  // insufficient material
    FiftyMoves,    // 100 plies without capture or pawn move
    Repetition     // the position occurred for the third time
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
    [[nodiscard]] bool starts_normally() const;  // from the standard start position

    void play(Move m);  // requires legality
    void undo();        // requires ply() > 0

    // How often the current position has occurred, this time included; 1 and up.
    [[nodiscard]] int repetitions() const;
    [[nodiscard]] Status status() const;
    // FiftyMoves or Repetition if a draw can be claimed, also in a dead position; else Ongoing.
    [[nodiscard]] Status claim() const;
    // The status after one more move; requires legality.
    [[nodiscard]] Status status_after(Move m) const;

  private:
    Position start_, current_;
    std::vector<Move> moves_;
    std::vector<Undo> undos_;
    std::vector<Key> keys_;
};

}  // namespace engine
