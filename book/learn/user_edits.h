// Changes that people make to a book by hand. Each is one transaction and can be undone. Every
// function may throw Failure or an exception of SQLite.
#pragma once

#include "book/store/changes.h"
#include "book/store/failure.h"
#include "book/store/store.h"

#include <span>

namespace book {

// Marks a legal move of the game's position with flags (see Flag; 0: none).
void mark(Store& store, const engine::Game& game, Move move, int flags);

// Removes the own games and the analyses of imports (at least one), and computes all else anew.
// Needs a Transaction.
CountBySource remove_own_imports(Store& store, std::span<const std::int64_t> sources);

// Undoes the latest event, a learned game or a change. Returns one line that names it; "" if there
// was nothing. Throws Failure if the latest was an import of others' games or a forgotten import,
// which cannot be undone; after a forgotten import, the next call undoes the event before it.
std::string undo(Store& store);
class ChangedMeanwhile : public Failure {
    using Failure::Failure;
};
// Undoes the latest marks if they are the change with this number, whatever was learned or imported
// since. Returns the line that names it. Throws ChangedMeanwhile if other marks are the latest.
std::string undo_last_mark(Store& store, std::int64_t id);

// Whether engines learn from their games. ReadOnly: what they learn goes into a file beside the
// book.
enum class Learning : std::uint8_t { On, Off, ReadOnly };
Learning learning(Store& store);
void set_learning(Store& store, Learning learning);

}  // namespace book
