// The base book as text: a head line, then the tree of moves in preorder, one move a line.
//
//     PLY MOVE CP CLASS DEPTH EFFORT GAMES          7 Bb5 31 B 24 27 13
//
// CP: backed-up value for the mover; CLASS: A, B or C for a move of the book, by the nodes of its
// searches, or x for a move that is only scored; EFFORT: nodes below the move as 2^EFFORT; GAMES:
// masters' games as 2^(GAMES-1), 0 if none. "=" before the move: the moves after it stand earlier
// in the text. "!" before it: the best move that is not in the book.
#pragma once

#include "engine/board/position.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

struct BaseMove {
    int ply = 1;                // 1: a move of the start position
    engine::Position before{};  // the move is played here
    engine::Move move{};
    int cp = 0;
    char kind = 'C';  // A, B, C or x
    int depth = 0;    // plies
    int effort = 0, games = 0;
    bool transposition = false, deviation = false;
};

struct BaseText {
    std::map<std::string, std::string> head;  // such as "engine", "counts"
    std::vector<BaseMove> moves;
};

std::string to_text(const BaseText& text);
// Throws Failure with the number of the first line that is malformed or does not fit the moves
// before it.
BaseText read_base_text(std::string_view text);

int power_of_two(double number);         // the rounded exponent; 0 below 1
int games_digit(int games);              // 0 if none, else 1 + the exponent
std::int64_t games_of_digit(int digit);  // the inverse

}  // namespace tools
