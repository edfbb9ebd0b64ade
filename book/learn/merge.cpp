#include "book/learn/merge.h"

#include "book/learn/learn.h"
#include "book/store/changes.h"
#include "book/store/locked_file.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <tuple>

#include <fcntl.h>

namespace book {
namespace {

// Of two rows of one game the later state holds, and what a person decided above all.
int standing(GameState state) {
    switch (state) {
    case GameState::Pending:
        return 0;
    case GameState::Rejected:
        return 1;
    case GameState::Applied:
        return 2;
    case GameState::Unlearned:
        return 3;
    }
    return 0;
}

// From harmless to forbidding.
int caution(int flags) {
    return (flags & Never) != 0    ? 4
           : (flags & Avoid) != 0  ? 3
           : (flags & Prefer) != 0 ? 2
           : (flags & Always) != 0 ? 1
                                   : 0;
}

class Merge {
  public:
    Merge(Store& into, Store& from, const MergeOptions& options)
        : into_(into), from_(from), options_(options) {}

    Result<Merged> run() {
        Result<void> done = take_games();
        if (done)
            done = take_marks();
        if (done)
            done = take_analyses();
        if (done && options_.imported)
            done = take_imported();
        if (done && changed())
            done = settle();
        if (!done)
            return tl::unexpected<Error>(done.error());
        return merged_;
    }

  private:
    [[nodiscard]] bool changed() const {
        return replaced_ || merged_.games > 0 || merged_.marks > 0 || merged_.searches > 0 ||
               merged_.imported_moves > 0;
    }
    Result<void> take_games();
    Result<void> take_game(LoggedGame& game);
    Result<std::int64_t> opponent_here(std::int64_t there);
    Result<void> take_marks();
    Result<void> take_mark(Key key, StoredMove move, int flags);
    Result<void> take_analyses();
    Result<void> take_imported();
    Result<void> add_edges();
    Result<void> settle();

    Store& into_;
    Store& from_;
    MergeOptions options_;
    Merged merged_;
    Change change_;
    bool replaced_ = false;  // a row of a known game
    std::int64_t last_epoch_ = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> opponents_;  // their number there and here
};

Result<std::int64_t> Merge::opponent_here(std::int64_t there) {
    if (there == 0)
        return 0;
    for (const auto& [number, here] : opponents_)
        if (number == there)
            return here;
    const Result<std::optional<OpponentRecord>> known = from_.opponents->get(there);
    if (!known)
        return tl::unexpected<Error>(known.error());
    if (!*known)
        return fail("the other book's log names opponent " + std::to_string(there) +
                    ", who is not in it");
    const OpponentRecord& o = **known;
    const Result<std::int64_t> here = into_.opponents->identify(
        {.name = o.name, .server = o.server, .computer = o.computer, .rating = o.rating});
    if (here)
        opponents_.emplace_back(there, *here);
    return here;
}

Result<void> Merge::take_game(LoggedGame& game) {
    const Result<std::optional<LoggedGame>> known = into_.games->find(game.record.uid);
    if (!known)
        return tl::unexpected<Error>(known.error());
    if (*known && standing((*known)->state) >= standing(game.state)) {
        ++merged_.known;
        return {};
    }
    const Result<std::int64_t> opponent = opponent_here(game.opponent_id);
    if (!opponent)
        return tl::unexpected<Error>(opponent.error());
    game.opponent_id = *opponent;
    game.epoch = *known ? (*known)->epoch : game.epoch + last_epoch_;
    game.id = *known ? (*known)->id : 0;
    replaced_ = true;
    ++(*known ? merged_.known : merged_.games);
    const Result<void> put = into_.games->put(game);
    if (put && !*known && game.state == GameState::Applied)
        change_.relearned.push_back(game.id);
    return put;
}

Result<void> Merge::take_games() {
    const Result<std::int64_t> epoch = into_.games->last_epoch();
    if (!epoch)
        return tl::unexpected<Error>(epoch.error());
    last_epoch_ = *epoch;
    return from_.games->each({}, [this](LoggedGame& game) { return take_game(game); });
}

Result<void> Merge::take_mark(Key key, StoredMove move, int flags) {
    const Result<std::vector<std::pair<StoredMove, int>>> here = into_.positions->flags(key);
    if (!here)
        return tl::unexpected<Error>(here.error());
    int mine = 0;
    for (const auto& [marked, as] : *here)
        if (marked == move)
            mine = as;
    if (mine != 0 && mine != flags)
        ++merged_.disputed;
    if (caution(flags) <= caution(mine))
        return {};
    ++merged_.marks;
    change_.marks.push_back({.key = key, .move = move, .flags = mine});
    return into_.positions->set_flags(key, move, flags);
}

Result<void> Merge::take_marks() {
    Result<void> done;
    const Result<void> read = from_.positions->each_flag([&](Key key, StoredMove move, int flags) {
        if (done)
            done = take_mark(key, move, flags);
    });
    return read ? done : read;
}

Result<void> Merge::take_analyses() {
    Result<void> done;
    const auto worth = [](const Analysis& a) { return std::tuple(a.depth, a.at, a.nodes, a.cp); };
    const Result<void> read = from_.positions->each_analysis([&](Key key, const Analysis& theirs) {
        if (!done)
            return;
        const Result<std::vector<Analysis>> here = into_.positions->analyses(key);
        if (!here) {
            done = tl::unexpected<Error>(here.error());
            return;
        }
        for (const Analysis& ours : *here)
            if (ours.move == theirs.move && worth(ours) >= worth(theirs))
                return;
        ++merged_.searches;
        done = into_.positions->set_analysis(key, theirs);
    });
    return read ? done : read;
}

struct Imported {
    std::vector<std::int64_t> hashes;  // sorted
    std::vector<Source> sources;
    std::int64_t games = 0;
};

Result<Imported> imported_of(Store& store) {
    Imported all;
    const Result<void> read =
        store.games->each_imported([&all](std::int64_t hash) { all.hashes.push_back(hash); });
    Result<std::vector<Source>> sources = store.games->sources();
    if (!read || !sources)
        return tl::unexpected<Error>(!read ? read.error() : sources.error());
    std::sort(all.hashes.begin(), all.hashes.end());
    all.sources = std::move(*sources);
    for (const Source& source : all.sources)
        all.games += source.games;
    return all;
}

bool same_source(const Source& a, const Source& b) {
    return a.digest.empty() ? a.name == b.name && a.bytes == b.bytes && a.games == b.games
                            : a.digest == b.digest;
}

Result<void> Merge::take_imported() {
    Result<Imported> theirs = imported_of(from_);
    const Result<Imported> ours = imported_of(into_);
    const Result<std::vector<std::int64_t>> own = into_.games->contents();
    if (!theirs || !ours || !own)
        return tl::unexpected<Error>(!theirs ? theirs.error() : !ours ? ours.error() : own.error());
    std::vector<std::int64_t> common;
    std::set_intersection(theirs->hashes.begin(),
                          theirs->hashes.end(),
                          ours->hashes.begin(),
                          ours->hashes.end(),
                          std::back_inserter(common));
    // Files that were read without keeping the names of their games are told by themselves.
    std::int64_t shared = 0, unnamed = 0;
    for (const Source& source : theirs->sources) {
        const bool same =
            std::any_of(ours->sources.begin(), ours->sources.end(), [&source](const Source& s) {
                return same_source(s, source);
            });
        shared += same ? 1 : 0;
        unnamed += !same && (theirs->hashes.empty() || !source.digest.empty()) ? 1 : 0;
    }
    if (common.size() == theirs->hashes.size() && unnamed == 0)
        return {};  // nothing new
    if (!common.empty() || shared > 0) {
        merged_.left_out = std::to_string(common.size()) + " of its " +
                           std::to_string(theirs->games) +
                           " imported games are here already, and counts do not tell which: import "
                           "its files instead";
        return {};
    }
    if (const Result<void> added = add_edges(); !added)
        return added;
    for (Source& source : theirs->sources) {
        source.id = 0;
        merged_.imported_games += source.games;
        if (const Result<void> added = into_.games->add_source(source); !added)
            return added;
    }
    return into_.games->set_imported(theirs->hashes);
}

Result<void> Merge::add_edges() {
    using Limits = std::numeric_limits<std::int64_t>;
    constexpr std::size_t AtOnce = 4096;
    const Result<bool> there = into_.positions->has_edges();
    if (!there)
        return tl::unexpected<Error>(there.error());
    std::vector<KeyedEdge> batch;
    Result<void> added;
    const auto flush = [&] {
        added = into_.positions->add_edges(batch, !*there);
        batch.clear();
    };
    const Result<void> read =
        from_.positions->each_edge(Limits::min(), Limits::max(), [&](const KeyedEdge& e) {
            merged_.imported_moves += e.edge.games();
            batch.push_back(e);
            if (batch.size() == AtOnce)
                flush();
            return added.has_value();
        });
    if (read && added)
        flush();
    return read ? added : read;
}

// The clock follows from the games alone, and all that is derived from clock and games.
Result<void> Merge::settle() {
    const Result<std::int64_t> clock = into_.games->order_by_time();
    if (!clock)
        return tl::unexpected<Error>(clock.error());
    Result<void> done = into_.db->set_number(ClockName, static_cast<double>(*clock));
    if (done)
        done = rebuild_derived(into_);
    if (!done || !options_.recorded)
        return done;
    change_.at = std::time(nullptr);
    change_.clock = *clock;
    change_.what = "merged " + std::to_string(merged_.games) + " games and " +
                   std::to_string(merged_.marks) + " marks of another book";
    return add_change(*into_.db, change_);
}

}  // namespace

Result<Merged>
merge(Store& into, const std::filesystem::path& file, Store& from, const MergeOptions& options) {
    std::optional<LockedFile> lock;
    if (options.imported && file != ":memory:") {
        std::filesystem::path name = file;
        lock.emplace(name += ".import", O_RDWR | O_CREAT);
        if (!lock->is_open())
            return fail("book \"" + file.string() + "\" cannot be written");
    }
    Result<Transaction> transaction = begin_writing(*into.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    const Result<Reading> reading = Reading::begin(*from.db);
    if (!reading)
        return tl::unexpected<Error>(reading.error());
    const Result<Merged> merged = Merge(into, from, options).run();
    if (merged)
        if (const Result<void> committed = transaction->commit(); !committed)
            return tl::unexpected<Error>(committed.error());
    return merged;
}

}  // namespace book
