// Takes an import out of a book again, as if it had never been made. May throw Failure or an
// exception of SQLite.
#pragma once

#include "book/store/store.h"

#include <filesystem>

namespace book {

struct Forgotten {
    std::vector<Source> sources{};  // more than one if their moves were counted together
    std::int64_t games = 0;         // imported, or own
    std::int64_t moves = 0;         // that imported games no longer count, each time it was played
    std::int64_t analyses = 0;
    // Later imports of PGN, which left out the games that were in this one as well. To count them,
    // the same files are to be imported again, and are then read from the beginning.
    std::vector<Source> read_again{};
    // The latest year of some moves may be too late: it came from this import, or from others that
    // kept no games.
    bool years_may_differ = false;
};

// The source of a number or of a file's name, with or without its folder. Throws Failure if there
// is none, or more than one of the name.
Source find_source(Store& store, const std::string& name);
// Whether the games of the source, and of those counted together with it, were kept. `all`: the
// sources of the store.
bool can_be_forgotten(Store& store, const std::vector<Source>& all, const Source& source);
// One transaction: all or nothing. `file` is the path of the store, for keeping imports out
// meanwhile. Throws Failure if the import kept no games.
Forgotten forget(Store& store, const std::filesystem::path& file, const Source& source);

}  // namespace book
