#include "book/spools.h"

#include "book/book.h"
#include "book/store/failure.h"
#include "book/store/spool.h"

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

Result<void> keep_for_later(const fs::path& experience, const GameRecord& game) {
    if (experience.empty() || experience == ":memory:")
        return fail("the game cannot be kept, because the book has no file");
    Result<void> kept;
    for (const fs::path& spool : spools_of(experience)) {
        kept = guarded([&] { append_to_spool(spool, game); });
        if (kept)
            break;
        std::error_code ignored;  // the data folder may not be there yet
        fs::create_directories(overlays_of(experience).back().parent_path(), ignored);
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
