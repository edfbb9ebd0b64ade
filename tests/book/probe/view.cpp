// What is known in one position, put together from books that others write to at the same time.
#include "book/probe/view.h"

#include "tests/book/helpers.h"

using namespace book;
using helpers::must;
using helpers::record;

BOOST_AUTO_TEST_SUITE(view)

BOOST_AUTO_TEST_CASE(one_look_sees_one_moment) {
    const helpers::Folder folder;
    Store ours = must(Store::open(folder / "book.db", true));
    Store theirs = must(Store::open(folder / "book.db", true));
    helpers::take(ours, record("a", "e4 e5 Nf3 Nc6", 1, 2));
    const engine::Position start;
    BookQuery asked = query_of(start, engine::White, TimeClass::Blitz);
    // Another program learns a game while we look.
    asked.child = [&theirs, learned = false, child = asked.child](
                      StoredMove move) mutable -> std::optional<Key> {
        if (!learned)
            helpers::take(theirs, record("b", "d4 d5 c4 e6", 0, 2));
        learned = true;
        return child(move);
    };
    const Model model = must(ours.model());
    must(ours.positions->set_analysis(
        start.key(), {.move = book::store(helpers::move(engine::Game(), "e4"), engine::White)}));
    BOOST_TEST(must(book::view({.experience = &ours}, model, asked)).moves.size() == 1U);
    BOOST_TEST(must(book::view({.experience = &ours}, model, asked)).moves.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_move_found_at_the_exit_is_not_searched_twice) {
    Store store = must(Store::open(":memory:", true));
    helpers::take(store, record("a", "e4 e5 Nf3 Nc6", 0.5, 2));  // Nf3 was found by a search
    const engine::Game exit = helpers::play("e4 e5");
    const BookQuery asked = query_of(exit.position(), engine::White, TimeClass::Blitz);
    const Model model = must(store.model());
    const auto evidence = [&] {
        return must(book::view({.experience = &store}, model, asked)).moves.at(0).belief.evidence;
    };
    const double before = evidence();
    must(store.positions->set_analysis(
        exit.position().key(),
        {.move = book::store(helpers::move(exit, "Nf3"), engine::White), .cp = 20, .depth = 12}));
    BOOST_TEST(evidence() == before);
}

BOOST_AUTO_TEST_CASE(a_look_within_a_transaction_leaves_it_open) {
    Store store = must(Store::open(":memory:", true));
    const BookQuery asked = query_of(engine::Position(), engine::White, TimeClass::Blitz);
    Transaction transaction = must(begin_writing(*store.db));
    must(learn_game(store, record("a", "e4 e5 Nf3 Nc6", 1, 2), true, 1));
    BOOST_TEST(must(book::view({.experience = &store}, must(store.model()), asked)).visited);
    must(transaction.commit());
    BOOST_TEST(must(store.games->count_applied()) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
