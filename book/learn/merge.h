// Merges another book into one: own games, each once, marks, analyses, and imported games
// where duplicates can be recognised. The order in which books are merged does not matter.
#pragma once

#include "book/store/store.h"

namespace book {

struct Merged {
    std::int64_t games = 0;      // own games that were new
    std::int64_t known = 0;      // own games that were not
    std::int64_t unlearned = 0;  // of the known: only in the other book until now
    std::int64_t exits = 0;      // of the known: the other book's exit is later, and is taken over
    bool reordered = false;      // games are now in the order in which they were played
    std::int64_t marks = 0;      // taken over
    std::int64_t disputed = 0;   // moves with different marks: the more cautious one holds
    std::int64_t searches = 0;   // analyses taken over
    std::int64_t imported_games = 0, imported_moves = 0;
    std::string left_out{};  // a sentence: why imported games were not taken; "" if they were
};

struct MergeOptions {
    bool imported = true;  // also imported games
    bool marks = true;     // also marks
    bool recorded = true;  // as a change that can be undone
};

// One transaction: all or nothing. `file`: path of `into`, to lock out imports meanwhile. Throws
// Failure if another process holds the book, or an exception of SQLite.
Merged
merge(Store& into, const std::filesystem::path& file, Store& from, const MergeOptions& options);

}  // namespace book
