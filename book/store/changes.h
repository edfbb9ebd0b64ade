// The table change: changes made by hand, so that they can be undone, and imports and forgotten
// imports, so that undo knows of them. One thread only. Writes need a Transaction; every function
// may throw an exception of SQLite.
#pragma once

#include "book/model/key.h"
#include "book/store/games.h"

#include <span>
#include <vector>

namespace book {

// What is fixed when a game is learned; see LoggedGame.
struct GameValues {
    std::optional<int> exit_ply{};
    int exit_depth = 0, exit_cp = 0;
    std::optional<Key> exit_key{};
    std::optional<std::int64_t> analysed_nodes{};
    std::optional<int> analysed_cp{};
    double weight = 0, result = 0, overperformance = 0;
    std::int64_t id = 0;
    std::optional<std::int64_t> source{}, opponent{};
    std::optional<GameRecord> record{};  // if all of the game was replaced

    static GameValues of(const LoggedGame& game);
    void restore(LoggedGame& game) const;  // leaves what is not known here as it is
    // Compares the plies of the exits and, where they are the same, all up to the id. So a merge
    // keeps the same values, whichever book comes first.
    [[nodiscard]] bool has_later_exit_than(const GameValues& other) const;
};

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
    struct Replaced {  // a game whose state, and perhaps moves, changed
        std::int64_t id = 0;
        GameState state = GameState::Pending;  // before the change, like `plies`
        int plies = 0;
    };
    std::vector<Replaced> replaced{};
    std::vector<GameValues> values{};  // of games that a merge changed, before that
    // Games that a merge brought; earlier versions only unlearn them, by the lists above.
    std::vector<std::int64_t> added{};
    std::vector<std::int64_t> merged{};    // sources of own games that a merge brought
    std::vector<std::int64_t> imported{};  // sources of own games

    std::vector<std::int64_t> sources{};  // of others' games: forget removes them, not undo
    [[nodiscard]] bool changes_games() const {
        return unlearned.size() + relearned.size() + replaced.size() + values.size() +
                   added.size() + imported.size() >
               0;
    }
    [[nodiscard]] bool can_be_undone() const { return !marks.empty() || changes_games(); }
    [[nodiscard]] bool is_mark() const { return !marks.empty() && !changes_games(); }
};

void add_change(Database& db, const Change& change);
void remove_change(Database& db, std::int64_t id);
// Adds an import of games of others as a change; `name`: of its first file.
void add_import(Database& db,
                std::int64_t clock,
                const std::string& name,
                const std::vector<std::int64_t>& sources);
// Removes the sources of forgotten imports from all changes, and changes that then list and undo
// nothing. Also removes, and returns, the imports of own games that have no source left.
std::vector<Change> drop_imported(Database& db, std::span<const std::int64_t> sources);
// The latest first, at most `max`.
std::vector<Change> changes(Database& db, int max);

}  // namespace book
