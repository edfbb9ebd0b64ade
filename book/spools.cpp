#include "book/spools.h"

#include "book/book.h"
#include "book/places.h"
#include "book/store/failure.h"
#include "book/store/spool.h"

#include <algorithm>

namespace book {

namespace fs = std::filesystem;

std::vector<fs::path> spools_of(const fs::path& book) {
    std::vector<fs::path> spools;
    if (book.empty() || book == ":memory:")
        return spools;
    spools.push_back(spool_of(book));
    for (const fs::path& overlay : overlays_of(book))
        spools.push_back(spool_of(overlay));
    return spools;
}

namespace {

// The data folder may not be there yet.
void create_last_folder(const fs::path& book) {
    std::error_code ignored;
    fs::create_directories(overlays_of(book).back().parent_path(), ignored);
}

}  // namespace

bool can_keep_games(const fs::path& book) {
    const std::vector<fs::path> spools = spools_of(book);
    if (!spools.empty() && !std::any_of(spools.begin(), spools.end(), can_write))
        create_last_folder(book);
    return std::any_of(spools.begin(), spools.end(), can_write);
}

Result<void> keep_for_later(const fs::path& experience, const GameRecord& game) {
    if (experience.empty() || experience == ":memory:")
        return fail("the game cannot be kept, because the book has no file");
    Result<void> kept;
    for (const fs::path& spool : spools_of(experience)) {
        kept = guarded([&] { append_to_spool(spool, game); });
        if (kept)
            break;
        create_last_folder(experience);
    }
    return kept;
}

Result<WaitingGames> waiting_games(const fs::path& experience) {
    return guarded([&] {
        WaitingGames all;
        for (const fs::path& spool : spools_of(experience)) {
            const WaitingGames waiting = count_spool(spool);
            all.games += waiting.games;
            all.unreadable += waiting.unreadable;
        }
        return all;
    });
}

}  // namespace book
