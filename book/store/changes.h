// What people changed in a book by hand: the last of it can be taken back. One thread only; writes
// belong into a transaction.
#pragma once

#include "book/model/key.h"
#include "book/store/database.h"

#include <vector>

namespace book {

struct Change {
    std::int64_t id = 0;     // 0: not stored yet
    std::int64_t at = 0;     // seconds since 1970
    std::int64_t clock = 0;  // own games counted when it was made
    std::string what{};      // for people, one line

    // How to take it back; one of the three.
    struct Mark {  // of a move, as it was before
        Key key = 0;
        StoredMove move = 0;
        int flags = 0;
    };
    std::vector<Mark> marks{};
    std::vector<std::int64_t> unlearned{}, relearned{};  // numbers of games
};

Result<void> add_change(Database& db, const Change& change);
Result<void> remove_change(Database& db, std::int64_t id);
// The latest first, at most `most`.
Result<std::vector<Change>> changes(Database& db, int most);

}  // namespace book
