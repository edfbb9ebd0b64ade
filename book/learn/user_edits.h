// Changes that people make to a book by hand. Each is one transaction, and can be taken back.
#pragma once

#include "book/store/changes.h"
#include "book/store/store.h"

namespace book {

// Puts a mark (see Flag; 0: none) on a move of the position that the game has reached. Requires
// legality.
Result<void> mark(Store& store, const engine::Game& game, Move move, int flags);

// Takes back the last act, be it a learned game or a change. Returns what was taken back, as one
// line; "" if there was nothing.
Result<std::string> undo(Store& store);

// Whether engines learn from their games. ReadOnly: what they learn goes into a file beside the
// book.
enum class Learning : std::uint8_t { On, Off, ReadOnly };
Result<Learning> learning(Store& store);
Result<void> set_learning(Store& store, Learning learning);

}  // namespace book
