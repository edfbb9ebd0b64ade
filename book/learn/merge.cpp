#include "book/learn/merge.h"

#include "book/learn/learn.h"
#include "book/learn/same_game.h"
#include "book/store/changes.h"
#include "book/store/failure.h"
#include "book/store/import_lock.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace book {
namespace {

// Two books may hold the same game in different states: the higher precedence wins. Unlearned is
// the highest, because a user decided it.
int precedence(GameState state) {
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

// Of two notes of one game, that with the later exit holds.
bool replaces(const LoggedGame& theirs, const LoggedGame& ours) {
    if (theirs.state != ours.state)
        return precedence(theirs.state) > precedence(ours.state);
    return GameValues::of(theirs).has_later_exit_than(GameValues::of(ours));
}

// The same game may have left two books at different moves, as import --as sees it: the later exit
// holds, whichever book comes first. False if `game` has it.
bool take_later_exit(LoggedGame& game, const LoggedGame& other) {
    GameValues values = GameValues::of(other);
    if (!values.has_later_exit_than(GameValues::of(game)))
        return false;
    values.source = game.source;
    values.opponent = game.opponent_id;
    values.restore(game);
    return true;
}

// Two books may mark the same move differently: the more cautious mark wins.
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
        : into_(into), from_(from), options_(options), last_epoch_(into.games.last_epoch()) {}

    Merged run();

  private:
    void merge_games();
    std::optional<LoggedGame> game_here(const LoggedGame& theirs);
    void merge_game(LoggedGame& game, std::optional<LoggedGame> known);
    void merge_values(LoggedGame& known, const LoggedGame& theirs);
    std::int64_t opponent_here(std::int64_t there);
    void merge_mark(Key key, StoredMove move, int flags);
    void merge_analysis(Key key, const Analysis& theirs);
    void merge_imported();
    std::int64_t add_source(const Source& theirs);
    std::int64_t source_here(std::int64_t there);
    void add_edges();
    void rebuild(bool has_news);

    Store& into_;
    Store& from_;
    MergeOptions options_;
    Merged merged_;
    Change change_;
    bool replaced_ = false;  // or added a row of the log
    std::int64_t last_epoch_;
    std::map<std::int64_t, std::int64_t> opponents_;  // numbers in `from_`, and here
    std::map<std::int64_t, std::int64_t> sources_;    // the same
    std::set<std::int64_t> matched_;                  // games here that the other book has
};

Merged Merge::run() {
    if (options_.imported)
        merge_imported();
    merge_games();
    if (options_.marks)
        from_.positions.each_flag(
            [this](Key key, StoredMove move, int flags) { merge_mark(key, move, flags); });
    from_.positions.each_analysis(
        [this](Key key, const Analysis& theirs) { merge_analysis(key, theirs); });
    const bool has_news =
        replaced_ || merged_.marks > 0 || merged_.searches > 0 || merged_.imported_moves > 0;
    if (has_news || options_.recorded)
        rebuild(has_news);
    return merged_;
}

std::int64_t Merge::opponent_here(std::int64_t there) {
    if (there == 0)
        return 0;
    if (const auto known = opponents_.find(there); known != opponents_.end())
        return known->second;
    const std::optional<OpponentRecord> o = from_.opponents.get(there);
    if (!o)
        throw Failure(
            fmt::format("the other book's log names opponent {}, who is not in that book", there));
    return opponents_[there] = into_.opponents.identify({.name = o->name,
                                                         .server = o->server,
                                                         .computer = o->computer,
                                                         .rating = o->rating});
}

// Games are matched one to one: first by their uids, then those that have another uid here.
void Merge::merge_games() {
    std::vector<LoggedGame> others;
    from_.games.each({}, [&](LoggedGame& game) {
        if (std::optional<LoggedGame> known = into_.games.find(game.record.uid)) {
            matched_.insert(known->id);
            merge_game(game, std::move(known));
        } else {
            others.push_back(std::move(game));
        }
    });
    for (LoggedGame& game : others)
        merge_game(game, game_here(game));
}

// The finished game here that is the same under another uid, as import --as sees it.
std::optional<LoggedGame> Merge::game_here(const LoggedGame& theirs) {
    if (theirs.state == GameState::Pending)
        return std::nullopt;
    const auto copy = [&] { return copy_of(from_, theirs); };
    return match_copy(into_, content_hash(theirs.record), copy, matched_);
}

void Merge::merge_game(LoggedGame& game, std::optional<LoggedGame> known) {
    ++(known ? merged_.known : merged_.games);
    const bool finished_twice =
        known && known->state == game.state && game.state != GameState::Pending;
    // A game that was played with a book has more there than an import of it.
    const bool only_imported_here = finished_twice && known->source != 0 && game.source == 0;
    if (finished_twice && !only_imported_here)
        return merge_values(*known, game);
    if (known && !only_imported_here && !replaces(game, *known))
        return;
    if (known) {
        change_.values.push_back(GameValues::of(*known));
        change_.values.back().record = known->record;
        if (only_imported_here)
            take_later_exit(game, *known);
        game.record.uid = known->record.uid;
    }
    game.opponent_id = opponent_here(game.opponent_id);
    game.epoch = known ? known->epoch : game.epoch + last_epoch_;
    game.id = known ? known->id : 0;
    game.clock = known ? known->clock : 0;  // until renumbered
    game.source = source_here(game.source);
    replaced_ = true;
    into_.games.put(game);
    merged_.unlearned += known && game.state == GameState::Unlearned ? 1 : 0;
    if (known)
        change_.replaced.push_back(
            {.id = known->id, .state = known->state, .plies = known->record.game.ply()});
    else if (game.state == GameState::Applied)
        change_.relearned.push_back(game.id);
    else if (game.state == GameState::Rejected)  // so that earlier versions unlearn it, too
        change_.replaced.push_back(
            {.id = game.id, .state = GameState::Unlearned, .plies = game.record.game.ply()});
    if (!known) {
        change_.added.push_back(game.id);
        matched_.insert(game.id);
    }
}

void Merge::merge_values(LoggedGame& known, const LoggedGame& theirs) {
    const GameValues ours = GameValues::of(known);
    if (!take_later_exit(known, theirs))
        return;
    change_.values.push_back(ours);
    into_.games.put(known);
    merged_.exits += known.record.exit_ply > ours.exit_ply ? 1 : 0;
    replaced_ = true;
}

void Merge::merge_mark(Key key, StoredMove move, int flags) {
    const int here = into_.positions.flags(key, move);
    if (here != 0 && here != flags)
        ++merged_.disputed;
    if (caution(flags) <= caution(here))
        return;
    ++merged_.marks;
    change_.marks.push_back({.key = key, .move = move, .flags = here});
    into_.positions.set_flags(key, move, flags);
}

void Merge::merge_analysis(Key key, const Analysis& theirs) {
    const auto rank = [](const Analysis& a) { return std::tuple(a.depth, a.at, a.nodes, a.cp); };
    for (const Analysis& ours : into_.positions.analyses(key)) {
        if (ours.move != theirs.move)
            continue;
        // After undo, an analysis of an import that was merged counts as ours.
        const bool is_undone = rank(ours) == rank(theirs) && ours.source == 0 && theirs.source != 0;
        if (rank(ours) >= rank(theirs) && !is_undone)
            return;
    }
    ++merged_.searches;
    Analysis here = theirs;
    here.source = source_here(theirs.source);
    into_.positions.set_analysis(key, here);
}

std::vector<std::int64_t> imported_hashes(Store& store) {
    std::vector<std::int64_t> hashes;
    store.games.each_imported([&hashes](std::int64_t hash) { hashes.push_back(hash); });
    std::sort(hashes.begin(), hashes.end());
    return hashes;
}

// Without imports of own games, which are merged with the log.
std::vector<Source> sources_of_others(Store& store) {
    std::vector<Source> sources = store.games.sources();
    std::erase_if(sources, [](const Source& s) { return s.kind == "own"; });
    return sources;
}

bool same_source(const Source& a, const Source& b) {
    return a.digest.empty() ? a.name == b.name && a.bytes == b.bytes && a.games == b.games
                            : a.digest == b.digest;
}

std::int64_t Merge::add_source(const Source& theirs) {
    const std::int64_t id = into_.games.add_source(theirs);
    from_.games.each_kept(theirs.id,
                          [&](const std::string& block) { into_.games.keep(id, block); });
    return sources_[theirs.id] = id;
}

// The number in this book of an import of the other. A new import of own games is added; 0 (ours)
// for an import whose games were left out.
std::int64_t Merge::source_here(std::int64_t there) {
    if (there == 0)
        return 0;
    if (const auto known = sources_.find(there); known != sources_.end())
        return known->second;
    const std::vector<Source> ours = into_.games.sources();
    for (const Source& theirs : from_.games.sources()) {
        if (theirs.id != there)
            continue;
        for (const Source& s : ours)
            if (s.kind == theirs.kind && same_source(s, theirs))
                return sources_[there] = s.id;
        if (theirs.kind == "own")
            return change_.merged.emplace_back(add_source(theirs));
    }
    return sources_[there] = 0;
}

void Merge::merge_imported() {
    const std::vector<std::int64_t> theirs = imported_hashes(from_);
    const std::vector<std::int64_t> ours = imported_hashes(into_);
    const std::vector<Source> their_sources = sources_of_others(from_);
    const std::vector<Source> our_sources = sources_of_others(into_);
    std::vector<std::int64_t> common;
    std::set_intersection(
        theirs.begin(), theirs.end(), ours.begin(), ours.end(), std::back_inserter(common));
    // A file imported without hashes of its games is recognised only as a whole.
    std::int64_t shared = 0, without_hashes = 0, games = 0, new_polyglot_books = 0;
    for (const Source& source : their_sources) {
        const bool same =  // what two books lost in damage is not the same
            source.kind != "recover" &&
            std::any_of(our_sources.begin(), our_sources.end(), [&source](const Source& s) {
                return same_source(s, source);
            });
        shared += same ? 1 : 0;
        without_hashes += !same && (theirs.empty() || !source.digest.empty()) ? 1 : 0;
        games += source.games;
        new_polyglot_books += !same && source.kind == "polyglot" ? 1 : 0;
    }
    const bool all_have_hashes =
        games == static_cast<std::int64_t>(theirs.size()) && new_polyglot_books == 0;
    if (common.size() == theirs.size() && (without_hashes == 0 || all_have_hashes))
        return;  // nothing new
    if (!common.empty() || shared > 0) {
        merged_.left_out = fmt::format(
            "{} of its {} imported games are in this book already, and the counts do not "
            "show which ones: import its files instead",
            common.size(),
            games);
        return;
    }
    add_edges();
    for (const Source& source : their_sources)
        add_source(source);
    merged_.imported_games = games;
    into_.games.add_imported(theirs);
}

void Merge::add_edges() {
    using Limits = std::numeric_limits<std::int64_t>;
    constexpr std::size_t BatchSize = 4096;
    const bool table_is_empty = !into_.positions.has_edges();
    std::vector<KeyedEdge> batch;
    from_.positions.each_edge(Limits::min(), Limits::max(), [&](const KeyedEdge& e) {
        merged_.imported_moves += e.edge.games();
        batch.push_back(e);
        if (batch.size() == BatchSize) {
            into_.positions.add_edges(batch, table_is_empty);
            batch.clear();
        }
        return true;
    });
    into_.positions.add_edges(batch, table_is_empty);
}

// The clock follows from the games alone, so that the order of merging does not matter.
void Merge::rebuild(bool has_news) {
    bool reordered = false;
    change_.clock = into_.games.renumber(GameOrder::Played, &reordered);
    if (!has_news && !reordered)
        return;
    merged_.reordered = reordered;
    into_.db.set_number(ClockName, static_cast<double>(change_.clock));
    rebuild_derived(into_);
    if (!options_.recorded)
        return;
    change_.at = seconds_now();
    change_.what = has_news ? fmt::format("merged {} games and {} marks of another book",
                                          merged_.games,
                                          merged_.marks)
                            : "a merge that put the games in the order in which they were played";
    if (merged_.exits > 0)
        change_.what += fmt::format(", later exits of {}", merged_.exits);
    if (merged_.unlearned > 0)
        change_.what += fmt::format(", unlearned {}", merged_.unlearned);
    add_change(into_.db, change_);
}

}  // namespace

Merged
merge(Store& into, const std::filesystem::path& file, Store& from, const MergeOptions& options) {
    std::optional<ImportLock> lock;
    if (options.imported)
        lock.emplace(file);
    Transaction transaction(into.db);
    const ReadTransaction reading(from.db);
    Merged merged = Merge(into, from, options).run();
    transaction.commit();
    return merged;
}

}  // namespace book
