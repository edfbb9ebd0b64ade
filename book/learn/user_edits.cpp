#include "book/learn/user_edits.h"

#include "book/learn/learn.h"
#include "book/store/failure.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace book {
namespace {

constexpr const char* LearningName = "learning";
constexpr std::array LearningWords{std::pair(Learning::On, "on"),
                                   std::pair(Learning::Off, "off"),
                                   std::pair(Learning::ReadOnly, "readonly")};

const char* mark_word(int flags) {
    return (flags & Never) != 0    ? "never"
           : (flags & Always) != 0 ? "always"
           : (flags & Avoid) != 0  ? "avoid"
           : (flags & Prefer) != 0 ? "prefer"
                                   : "no mark";
}

std::string describe(const LoggedGame& g) {
    return fmt::format("game {}, {} with {}",
                       g.id,
                       by_outcome(g.record.score, "a win", "a draw", "a loss"),
                       g.record.our_side == engine::White ? "White" : "Black");
}

void set_states(Store& store, std::span<const std::int64_t> ids, GameState from, GameState to) {
    for (const std::int64_t id : ids)
        store.games.set_state({.id = id, .state = from}, to);
}

// Puts a game back into the state that it had before a change; a pending one also loses its end.
void restore(Store& store, const Change::Replaced& before) {
    std::optional<LoggedGame> g = store.games.get(before.id);
    if (!g)
        return;
    g->state = before.state;
    if (g->state == GameState::Pending) {
        while (g->record.game.ply() > before.plies)
            g->record.game.undo();
        g->record.termination = Termination::Board;
        g->record.reason.clear();
        g->evidence = {};
        g->overperformance = 0;
        g->exit_key.reset();
        g->analysed_cp.reset();
    }
    store.games.put(*g);
}

// The same for what else a merge replaced. A game goes if its import has been forgotten since.
void restore(Store& store, std::span<const GameValues> values) {
    std::set<std::int64_t> sources{0};
    for (const Source& source : store.games.sources())
        sources.insert(source.id);
    std::vector<std::int64_t> forgotten;
    for (const GameValues& before : values) {
        std::optional<LoggedGame> g = store.games.get(before.id);
        if (!g)
            continue;
        if (!sources.contains(before.source.value_or(0))) {
            forgotten.push_back(before.id);
            continue;
        }
        const std::int64_t opponent = g->opponent_id;
        before.restore(*g);
        if (!store.opponents.get(g->opponent_id))
            g->opponent_id = opponent;
        store.games.put(*g);
    }
    store.games.remove(forgotten);
}

// Call after removing games from the log.
void renumber_clock(Store& store) {
    store.db.set_number(ClockName, static_cast<double>(store.games.renumber(GameOrder::Learned)));
}

}  // namespace

CountBySource remove_own_imports(Store& store, std::span<const std::int64_t> sources) {
    store.games.read_again_after(*std::min_element(sources.begin(), sources.end()));
    CountBySource games = store.games.remove_of_sources(sources);
    store.positions.remove_analyses(sources);
    store.games.remove_sources(sources);
    // The games that an import finished are open again once its last file is forgotten.
    for (const Change& change : drop_imported(store.db, sources))
        for (const Change::Replaced& before : change.replaced)
            restore(store, before);
    renumber_clock(store);
    rebuild_derived(store);
    return games;
}

namespace {

void undo_change(Store& store, const Change& change) {
    for (const Change::Mark& m : change.marks)
        store.positions.set_flags(m.key, m.move, m.flags);
    set_states(store, change.unlearned, GameState::Unlearned, GameState::Applied);
    set_states(store, change.relearned, GameState::Applied, GameState::Unlearned);
    for (const Change::Replaced& before : change.replaced)
        restore(store, before);
    restore(store, change.values);
    remove_change(store.db, change.id);
    if (!change.imported.empty()) {
        remove_own_imports(store, change.imported);
    } else if (change.changes_games()) {
        store.games.remove(change.added);  // so that they can come again
        store.positions.keep_analyses(change.merged);
        store.games.remove_sources(change.merged);
        if (!change.added.empty() || !change.values.empty())
            renumber_clock(store);
        rebuild_derived(store);
    }
}

}  // namespace

void mark(Store& store, const engine::Game& game, Move move, int flags) {
    const engine::Position& pos = game.position();
    const StoredMove stored = book::store(move, pos.side_to_move());
    Transaction transaction(store.db);
    const int before = store.positions.flags(pos.key(), stored);
    if (before == flags)
        return;
    store.positions.set_flags(pos.key(), stored, flags);
    add_change(store.db,
               {.at = seconds_now(),
                .clock = store.clock(),
                .what = fmt::format("marked {} as {}, before: {}, in {}",
                                    to_san(pos, move),
                                    mark_word(flags),
                                    mark_word(before),
                                    pos.fen()),
                .marks = {{.key = pos.key(), .move = stored, .flags = before}}});
    transaction.commit();
}

namespace {

// Throws Failure if undo cannot take the change back. A change that forget cannot take back either
// is first removed from the list, so that the next undo reaches the one before it.
void refuse_to_undo(Store& store, const Change& change, Transaction& transaction) {
    if (change.can_be_undone())
        return;
    if (!change.sources.empty())
        throw Failure(fmt::format(
            "the last change is {}: \"forget {}\" undoes it", change.what, change.sources.front()));
    remove_change(store.db, change.id);
    transaction.commit();
    throw Failure(change.what + " cannot be undone; repeat undo to undo the change before it");
}

}  // namespace

std::string undo(Store& store) {
    Transaction transaction(store.db);
    const std::vector<Change> last = changes(store.db, 1);
    const std::optional<LoggedGame> game = store.games.last_applied();
    std::string what;
    if (!last.empty() && (!game || game->clock <= last.front().clock)) {
        what = last.front().what;
        refuse_to_undo(store, last.front(), transaction);
        undo_change(store, last.front());
    } else if (game) {
        what = describe(*game);
        set_states(store, std::array{game->id}, GameState::Applied, GameState::Unlearned);
        rebuild_derived(store);
    }
    transaction.commit();
    return what;
}

std::string undo_last_mark(Store& store, std::int64_t id) {
    Transaction transaction(store.db);
    const std::vector<Change> all = changes(store.db, std::numeric_limits<int>::max());
    const auto last =
        std::find_if(all.begin(), all.end(), [](const Change& change) { return change.is_mark(); });
    if (last == all.end() || last->id != id)
        throw ChangedMeanwhile("the book was changed elsewhere meanwhile");
    undo_change(store, *last);
    transaction.commit();
    return last->what;
}

Learning learning(Store& store) {
    const std::optional<std::string> word = store.db.text(LearningName);
    for (const auto& [value, name] : LearningWords)
        if (word == name)
            return value;
    return Learning::On;
}

void set_learning(Store& store, Learning learning) {
    Transaction transaction(store.db);
    for (const auto& [known, name] : LearningWords)
        if (known == learning)
            store.db.set_text(LearningName, name);
    transaction.commit();
}

}  // namespace book
