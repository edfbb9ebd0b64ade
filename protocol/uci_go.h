// The arguments of UCI's go and position.
#pragma once

#include "engine/board/game.h"
#include "engine/search/limits.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {

struct GoOrder {
    engine::Limits limits;               // the clock is that of the side to move
    bool endless = false;                // infinite, or without any limit
    bool restricted = false;             // searchmoves
    std::optional<int> perft;            // depth: count leaves instead of searching
    std::vector<std::string> ignored{};  // words that make no sense here
    std::vector<std::string> illegal{};  // moves of searchmoves that are not legal
};
// "wtime 1000 btime 1000 depth 5 searchmoves e2e4 ..." in the position. If there are words
// of a clock, but our time is missing or cannot be read, the search is short.
GoOrder parse_go(std::string_view args, const engine::Position& pos);

struct PositionOrder {
    engine::Position start;
    std::vector<engine::Move> moves;  // legal
};
// "startpos" or "fen FEN", then perhaps "moves MOVE...". The error quotes the bad part.
Result<PositionOrder> parse_position(std::string_view args, engine::CastlingStyle castling);

}  // namespace protocol
