// The book's file: formats of earlier versions.
#include "book/store/database.h"

#include "book/learn/audit.h"
#include "tests/book/helpers.h"

#include <SQLiteCpp/SQLiteCpp.h>

using namespace book;
using helpers::must;
using helpers::record;

namespace {

constexpr int CurrentFormat = 2;

int format_of(Database& db) {
    return db.handle().execAndGet("PRAGMA user_version").getInt();
}

// A book with one game, as the first version wrote it.
void write_first_format(const std::filesystem::path& file) {
    Store store = must(Store::open(file, true));
    helpers::take(store, record("a", "e4 e5 Nf3 Nc6", 1, 4));
    SQLite::Database& db = store.db->handle();
    db.exec("DROP INDEX game_applied");
    db.exec("ALTER TABLE game DROP COLUMN exit_key");
    db.exec("ALTER TABLE game DROP COLUMN analysed_cp");
    db.exec("PRAGMA user_version = 1");
}

void check_whole(Store& store) {
    BOOST_TEST(format_of(*store.db) == CurrentFormat);
    BOOST_TEST(must(store.games->count_applied()) == 1);
    BOOST_TEST(must(store.games->find("a")).has_value());
    helpers::check_verifies(store);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(database)

BOOST_AUTO_TEST_CASE(a_book_of_the_first_format_is_brought_up_to_date) {
    const helpers::Folder folder;
    write_first_format(folder / "book.db");
    Store store = must(Store::open(folder / "book.db", true));
    check_whole(store);
}

BOOST_AUTO_TEST_CASE(readers_bring_it_up_to_date_too) {
    const helpers::Folder folder;
    write_first_format(folder / "book.db");
    Store store = must(Store::open(folder / "book.db", false));
    BOOST_TEST(store.db->read_only());
    check_whole(store);
}

BOOST_AUTO_TEST_SUITE_END()
