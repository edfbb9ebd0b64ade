#include "book/learn/user_edits.h"

#include "book/learn/learn.h"
#include "engine/board/notation.h"

#include <array>
#include <ctime>

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

// The last game that counts; games are learned in the order of the clock.
Result<std::optional<LoggedGame>> last_applied(Store& store) {
    std::optional<LoggedGame> last;
    const Result<void> read =
        store.games->each({.state = GameState::Applied}, [&last](LoggedGame& g) -> Result<void> {
            last = std::move(g);
            return {};
        });
    if (!read)
        return tl::unexpected<Error>(read.error());
    return last;
}

std::string game_words(const LoggedGame& g) {
    const double score = g.record.score;
    return "game " + std::to_string(g.id) + ", " +
           (score > 0.75   ? "a win"
            : score < 0.25 ? "a loss"
                           : "a draw") +
           " with " + (g.record.our_side == engine::White ? "White" : "Black");
}

Result<void>
set_states(Store& store, std::span<const std::int64_t> ids, GameState from, GameState to) {
    for (const std::int64_t id : ids) {
        const Result<std::int64_t> set = store.games->set_state({.id = id, .state = from}, to);
        if (!set)
            return tl::unexpected<Error>(set.error());
    }
    return ids.empty() ? Result<void>() : rebuild_derived(store);
}

Result<void> take_back(Store& store, const Change& change) {
    for (const Change::Mark& m : change.marks)
        if (const Result<void> set = store.positions->set_flags(m.key, m.move, m.flags); !set)
            return set;
    Result<void> done =
        set_states(store, change.unlearned, GameState::Unlearned, GameState::Applied);
    if (done)
        done = set_states(store, change.relearned, GameState::Applied, GameState::Unlearned);
    return done ? remove_change(*store.db, change.id) : done;
}

}  // namespace

Result<void> mark(Store& store, const engine::Game& game, Move move, int flags) {
    const engine::Position& pos = game.position();
    const StoredMove stored = book::store(move, pos.side_to_move());
    Result<Transaction> transaction = begin_writing(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    const Result<std::vector<std::pair<StoredMove, int>>> marks = store.positions->flags(pos.key());
    const Result<std::int64_t> clock = store.clock();
    if (!marks || !clock)
        return tl::unexpected<Error>(!marks ? marks.error() : clock.error());
    int before = 0;
    for (const auto& [marked, as] : *marks)
        if (marked == stored)
            before = as;
    if (before == flags)
        return {};
    const Change change{.at = std::time(nullptr),
                        .clock = *clock,
                        .what = "marked " + to_san(pos, move) + " as " + mark_word(flags) +
                                ", before: " + mark_word(before) + ", in " + pos.fen(),
                        .marks = {{.key = pos.key(), .move = stored, .flags = before}}};
    Result<void> done = store.positions->set_flags(pos.key(), stored, flags);
    if (done)
        done = add_change(*store.db, change);
    return done ? transaction->commit() : done;
}

Result<std::string> undo(Store& store) {
    Result<Transaction> transaction = begin_writing(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    const Result<std::vector<Change>> last = changes(*store.db, 1);
    const Result<std::optional<LoggedGame>> game = last_applied(store);
    if (!last || !game)
        return tl::unexpected<Error>(!last ? last.error() : game.error());
    std::string what;
    Result<void> done;
    if (!last->empty() && (!*game || (*game)->clock <= last->front().clock)) {
        what = last->front().what;
        done = take_back(store, last->front());
    } else if (*game) {
        what = game_words(**game);
        done = set_states(store, std::array{(*game)->id}, GameState::Applied, GameState::Unlearned);
    }
    if (done && !what.empty())
        done = transaction->commit();
    if (!done)
        return tl::unexpected<Error>(done.error());
    return what;
}

Result<Learning> learning(Store& store) {
    const Result<std::optional<std::string>> word = store.db->text(LearningName);
    if (!word)
        return tl::unexpected<Error>(word.error());
    for (const auto& [value, name] : LearningWords)
        if (*word == name)
            return value;
    return Learning::On;
}

Result<void> set_learning(Store& store, Learning value) {
    Result<Transaction> transaction = begin_writing(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    for (const auto& [known, name] : LearningWords)
        if (known == value)
            if (const Result<void> set = store.db->set_text(LearningName, name); !set)
                return set;
    return transaction->commit();
}

}  // namespace book
