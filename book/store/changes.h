// The table change: what people changed in a book by hand, so that it can be undone, and imports
// and forgotten ones, so that undo knows of them. One thread only. Writes need a Transaction; every
// function may throw an exception of SQLite.
#pragma once

#include "book/model/key.h"
#include "book/store/games.h"

#include <vector>

namespace book {

struct Change {
    std::int64_t id = 0;     // 0: not stored yet
    std::int64_t at = 0;     // seconds since 1970
    std::int64_t clock = 0;  // the book's clock when it was made
    std::string what{};      // one line for people

    // How to undo it.
    struct Mark {
        Key key = 0;
        StoredMove move = 0;
        int flags = 0;  // before the change
    };
    std::vector<Mark> marks{};
    std::vector<std::int64_t> unlearned{}, relearned{};  // numbers of games
    struct Replaced {  // a game in another state, or of which another book knew more
        std::int64_t id = 0;
        GameState state = GameState::Pending;  // before the change, as is the next
        int plies = 0;
    };
    std::vector<Replaced> replaced{};
    // Games that a merge brought; earlier versions only unlearn them, by the lists above.
    std::vector<std::int64_t> added{};
    std::vector<std::int64_t> imported{};  // sources of own games

    std::vector<std::int64_t> sources{};  // of games of others: forget takes them back, not undo
    [[nodiscard]] bool changes_games() const {
        return unlearned.size() + relearned.size() + replaced.size() + added.size() +
                   imported.size() >
               0;
    }
    [[nodiscard]] bool can_be_undone() const { return !marks.empty() || changes_games(); }
};

void add_change(Database& db, const Change& change);
void remove_change(Database& db, std::int64_t id);
// Adds an import of games of others as a change; `name`: of its first file.
void add_import(Database& db,
                std::int64_t clock,
                const std::string& name,
                const std::vector<std::int64_t>& sources);
// Takes the source of a forgotten import off every change that lists it; removes changes that then
// list and undo nothing.
void drop_imported(Database& db, std::int64_t source);
// The latest first, at most `max`.
std::vector<Change> changes(Database& db, int max);

}  // namespace book
