// Errors of the book as sentences.
#include "book/store/failure.h"

#include "tests/book/helpers.h"

#include <new>

#include <SQLiteCpp/SQLiteCpp.h>

using namespace book;

BOOST_AUTO_TEST_SUITE(failure)

BOOST_AUTO_TEST_CASE(what_does_not_fail_is_its_value) {
    BOOST_TEST(guarded([] { return 7; }).value() == 7);
    BOOST_TEST(guarded([] {}).has_value());
    BOOST_TEST(value_or_throw(Result<int>(7)) == 7);
}

BOOST_AUTO_TEST_CASE(exceptions_become_errors) {
    const Result<int> failed = guarded([]() -> int { throw Failure("no game \"x\""); });
    BOOST_TEST(failed.error().what == "no game \"x\"");
    BOOST_TEST(guarded([] { throw std::bad_alloc(); }).error().what == "out of memory");
    const auto rethrown = guarded([&failed] { return value_or_throw(failed); });
    BOOST_TEST(rethrown.error().what == failed.error().what);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_called_by_its_name_and_nothing_is_written) {
    Store store(":memory:", true);
    const std::int64_t pages = store.db.connection()->execAndGet("PRAGMA page_count").getInt64();
    store.db.connection()->exec("PRAGMA max_page_count = " + std::to_string(pages));
    const Result<void> learned = guarded([&store] {
        for (int i = 0; i < 1000; ++i)
            helpers::take(store, helpers::record(std::to_string(i), "e4 e5 Nf3 Nc6", 1, 4));
    });
    BOOST_TEST(learned.error().what == "the book cannot be written: the disk is full");
    helpers::check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_book_is_named) {
    const helpers::Folder folder;
    const Result<Store> missing = guarded([&] { return Store(folder / "none.db", false); });
    BOOST_TEST(missing.error().what ==
               "book \"" + (folder / "none.db").string() + "\" cannot be opened");
}

BOOST_AUTO_TEST_SUITE_END()
