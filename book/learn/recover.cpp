#include "book/learn/recover.h"

#include "book/learn/learn.h"
#include "book/store/copies.h"
#include "book/store/failure.h"
#include "engine/platform/file.h"

#include <algorithm>

#include <fmt/format.h>

namespace book {
namespace {

namespace fs = std::filesystem;

constexpr const char* LostMoves = "moves lost in a damaged book";  // name of a source

// The clock is the highest of all games, also where the setting was lost.
void restore_clock(Store& store) {
    std::int64_t clock = store.clock();
    store.games.each({}, [&clock](const LoggedGame& g) { clock = std::max(clock, g.clock); });
    store.db.set_number(ClockName, static_cast<double>(clock));
}

// Imported moves are only counts, so only the sum of the lost ones is known.
void note_lost_moves(Store& store) {
    std::int64_t missing = store.positions.counts().occurrences;
    for (const Source& source : store.games.sources())
        missing -= source.moves;
    if (missing != 0)
        store.games.add_source(
            {.kind = "recover", .name = LostMoves, .added = seconds_now(), .moves = missing});
}

void remove_book(const fs::path& file) {
    if (const std::error_code error = Database::remove_file(file))
        throw Failure(fmt::format("\"{}\" cannot be removed: {}", file.string(), error.message()));
}

Salvaged make(const fs::path& damaged, const fs::path& part) {
    Salvaged salvaged = salvage(damaged, part);
    Store store(part, true);
    Transaction transaction(store.db);
    const std::int64_t bad = store.games.remove_bad_rows();
    for (SalvagedTable& table : salvaged.tables)
        if (table.name == "game") {
            table.rows -= bad;
            table.lost += bad;
        }
    for (const fs::path& copy : copies_of(part))  // as the rows were read, in an older format
        fs::remove(copy);
    restore_clock(store);
    rebuild_derived(store);
    note_lost_moves(store);
    transaction.commit();
    store.db.seal();
    return salvaged;
}

}  // namespace

Salvaged recover(const fs::path& damaged, const fs::path& target) {
    if (fs::exists(target))
        throw Failure(fmt::format("\"{}\" exists already", target.string()));
    if (const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
        !engine::platform::is_writable(folder))
        throw Failure(fmt::format("\"{}\" cannot be written", target.string()));
    const fs::path part = fs::path(target) += ".part";
    remove_book(part);
    try {
        Salvaged salvaged = make(damaged, part);
        fs::rename(part, target);
        return salvaged;
    } catch (...) {
        remove_book(part);
        throw;
    }
}

}  // namespace book
