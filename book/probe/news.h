// What the book has learned lately: by which games, and which values and moves they changed.
#pragma once

#include "book/probe/probe.h"
#include "book/store/changes.h"

#include <set>

namespace book {

// When somebody last asked for the news, and which games were in the log then.
struct LastVisit {
    std::int64_t at = 0;                  // seconds since 1970
    std::int64_t last_game = 0;           // id
    std::vector<std::int64_t> pending{};  // ids of games that were not finished
};
std::optional<LastVisit> last_visit(Store& store);
// A visit made at `now` (seconds since 1970): what enters the log later is news the next time.
LastVisit visit_at(Store& store, std::int64_t now);
void remember_visit(Store& store, const LastVisit& visit);  // in a transaction of its own
// A visit as text, and back; nothing if the text is none.
std::string text_of(const LastVisit& visit);
std::optional<LastVisit> visit_from(const std::string& text);

// The own games learned since a time, in seconds since 1970: played with this book since then, or
// brought into it since then by an import, a merge, or relearn, whenever they were played.
std::set<std::int64_t> learned_since(Store& store, std::int64_t since);
// The same since a visit: games that were not in the log then, or not finished, or were relearned.
std::set<std::int64_t> learned_since(Store& store, const LastVisit& visit);

// The ids of games that count: of those learned since a visit (all without one), or since a time,
// or of the last `games`. The latest first.
struct NewsOptions {
    std::optional<LastVisit> visit{};
    std::optional<std::int64_t> since{};  // seconds since 1970
    std::optional<std::size_t> games{};
};
std::vector<std::int64_t> new_games(Store& store, const NewsOptions& options);

// What else has come into the book since a time, the latest first.
struct OtherNews {
    std::vector<Source> imports{};  // without imports of own games, which are changes
    std::vector<Change> changes{};  // by hand
    std::int64_t searched = 0;      // moves that searches of ours have analysed
};
OtherNews other_news(Store& store, std::int64_t since);

struct ChangedMove {      // one of our moves, in a position where new games were in the book
    engine::Game game{};  // one way there
    Color side = engine::White;
    Move move;
    std::int64_t games = 0;                                // own games with it
    double before = 0.5, after = 0.5;                      // values
    double probability_before = 0, probability_after = 0;  // that the book plays it
};
struct News {
    // Moves whose value changed, that the book plays now, and that it no longer plays. Sorted by
    // value change or probability, times the square root of the number of games.
    std::vector<ChangedMove> moved{}, found{}, dropped{};
};
// What these games have changed: compares the book with one in memory without them, which takes as
// long as verify(). May throw Failure or an exception of SQLite.
News news_of(const Layers& layers, const Model& model, const std::vector<std::int64_t>& games);

}  // namespace book
