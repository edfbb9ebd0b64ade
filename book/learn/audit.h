// Rebuilds the book from its log of games, compares it with the log, unlearns and relearns. Every
// function may throw Failure or an exception of SQLite.
#pragma once

#include "book/learn/learn.h"

#include <set>

namespace book {

// Opens a book as Store does and brings an older format up to date; if it cannot be written now, it
// is read as it is.
Store open_store(const std::filesystem::path& file,
                 bool write,
                 std::chrono::milliseconds patience = UsualPatience);
// If the store is an overlay, also opens the book under it as store.overlaid, as BookFiles does.
void open_overlaid(Store& store);

// Computes everything derived from own games anew, in one transaction.
void rebuild(Store& store);
// Does the same in memory and compares it with the book: one line for each difference, at most
// about twenty. Others may go on writing.
std::vector<std::string> verify(Store& store);

// A book in memory as this one would be without these games of its log, at the same clock. It has
// all marks, and the imported games and analyses at positions of own games.
Store book_without(Store& store, const std::set<std::int64_t>& games);

// Removes games from what is learned, or restores them, in one transaction that can be undone.
// Returns the number of games.
std::int64_t unlearn(Store& store, const GameFilter& filter);
std::int64_t relearn(Store& store, const GameFilter& filter);

}  // namespace book
