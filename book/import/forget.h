// Takes imports out of a book again, as if they had never been made. May throw Failure or an
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
    // The latest year of some moves may be too late: it may come from an import forgotten now,
    // because another import kept no games to compute it from. Only of the last one of forget().
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
// One transaction: all or nothing. `sources`: at least one. Returns an item for each source, in
// this order, but one for all that were counted together. `file`: path of the store, to lock out
// imports meanwhile. Throws Failure if an import kept no games. Needs memory for 8 bytes a game and
// 24 bytes a move whose latest year has to be found again; moves that do not fit into `sort_bytes`
// go to a temporary file.
inline constexpr std::size_t MaxSortBytes = std::size_t{128} << 20;
std::vector<Forgotten> forget(Store& store,
                              const std::filesystem::path& file,
                              const std::vector<Source>& sources,
                              std::size_t sort_bytes = MaxSortBytes);

}  // namespace book
