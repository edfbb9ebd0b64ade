// The moves of a game in PGN text, from its start position to its result.
#pragma once

#include "book/pgn/pgn_game.h"
#include "book/pgn/text_buffer.h"

namespace book {

// Reads the moves that follow the tags of `game`: adds its start position, moves, keys and outcome,
// or its trouble. Stops after the result, or before the next game's tags. `keep_comments`: adds its
// comments, too.
void read_movetext(TextBuffer& text, PgnGame& game, bool keep_comments);

}  // namespace book
