// What a game changed in the book, in words.
#pragma once

#include "book/probe/probe.h"

namespace book {

// One of our moves inside the book, as seen from the position where it was played.
struct MoveValue {
    std::size_t plies = 0;  // length of the game with it
    double mean = 0.5;
    std::int64_t games = 0;  // own games with the move
};
std::vector<MoveValue>
values_along(const Layers& layers, const Model& model, const GameRecord& game);

// One line per move; one that says so if there was no move.
std::vector<std::string> learning_report(const GameRecord& game,
                                         const std::vector<MoveValue>& before,
                                         const std::vector<MoveValue>& after);

}  // namespace book
