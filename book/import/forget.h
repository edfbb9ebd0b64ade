// Takes an import out of a book again, as if it had never been made. May throw Failure or an
// exception of SQLite.
#pragma once

#include "book/store/store.h"

#include <filesystem>

namespace book {

struct Forgotten {
    std::vector<Source> sources{};  // more than one if their moves were counted together
    std::int64_t games = 0;         // imported, or own
    std::int64_t moves = 0;         // occurrences in imported games that are no longer counted
    std::int64_t analyses = 0;
    // Later imports of PGN, which may have left out games that this one had. Importing their files
    // again counts these games: the files are then read from the beginning.
    std::vector<Source> read_again{};
    // The latest year of some moves may be too late: it may come from this import, because another
    // import kept no games to compute it from.
    bool years_may_differ = false;
    // Another import stored analyses, too. Those that this one's deeper analyses replaced are gone.
    bool may_lack_analyses = false;
};

// The source with this number or file name, with or without its folder; if there is none, those
// whose files were in the folder of this name, but of sources counted together only one. Throws
// Failure if there are none, or more than one file of the name.
std::vector<Source> find_sources(Store& store, const std::string& name);
// Whether the games of the source, and of those counted together with it, were kept. `all`: the
// sources of the store.
bool can_be_forgotten(Store& store, const std::vector<Source>& all, const Source& source);
// One transaction: all or nothing. `file`: path of the store, to lock out imports meanwhile. Throws
// Failure if the import kept no games.
Forgotten forget(Store& store, const std::filesystem::path& file, const Source& source);

}  // namespace book
