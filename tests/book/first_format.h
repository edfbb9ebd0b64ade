// Turns a book into one of the first format.
#pragma once

#include "book/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace helpers {

inline void to_first_format(book::Store& store) {
    SQLite::Database& db = *store.db.connection();
    db.exec("DROP INDEX game_applied");
    db.exec("DROP INDEX game_pending");
    db.exec("ALTER TABLE game DROP COLUMN time_control");
    db.exec("ALTER TABLE game DROP COLUMN event");
    db.exec("ALTER TABLE change DROP COLUMN clock");
    db.exec("ALTER TABLE game DROP COLUMN exit_key");
    db.exec("ALTER TABLE game DROP COLUMN analysed_cp");
    db.exec("ALTER TABLE game DROP COLUMN analysed_nodes");
    db.exec("ALTER TABLE node DROP COLUMN w");
    db.exec("ALTER TABLE visit DROP COLUMN w");
    db.exec("ALTER TABLE opponent DROP COLUMN advantage");
    db.exec("DROP TABLE opponent_exit");
    db.exec("DROP TABLE opponent_repeat");
    db.exec("ALTER TABLE game DROP COLUMN source");
    db.exec("ALTER TABLE analysis DROP COLUMN source");
    db.exec("ALTER TABLE source DROP COLUMN run");
    db.exec("DROP TABLE kept");
    db.exec("PRAGMA user_version = 1");
}

}  // namespace helpers
