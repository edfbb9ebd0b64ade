// Takes the knowledge of another book into one: its games by name, each once, its marks and
// searches, and its imported games where they can be told apart. Books merged in any order are the
// same book.
#pragma once

#include "book/store/store.h"

namespace book {

struct Merged {
    std::int64_t games = 0;     // own games that were new here
    std::int64_t known = 0;     // and those that were not
    std::int64_t marks = 0;     // taken over
    std::int64_t disputed = 0;  // marked otherwise in both: the more cautious mark holds
    std::int64_t searches = 0;  // analyses taken over
    std::int64_t imported_games = 0, imported_moves = 0;
    std::string left_out{};  // why imported games were not taken, one sentence; "" if they were
};

struct MergeOptions {
    bool imported = true;  // also imported games
    bool recorded = true;  // as a change that can be taken back
};

// One transaction: all or nothing. `file` is where `into` lies, for keeping imports out meanwhile.
// Fails if another program holds the book.
Result<Merged>
merge(Store& into, const std::filesystem::path& file, Store& from, const MergeOptions& options);

}  // namespace book
