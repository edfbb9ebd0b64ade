// Changes by hand, and their undo.
#include "book/learn/user_edits.h"

#include "book/book.h"
#include "book/learn/audit.h"
#include "book/learn/merge.h"
#include "tests/book/helpers.h"

using namespace book;
using helpers::must;
using helpers::record;

namespace {

struct Edited : helpers::Folder {
    std::filesystem::path file = *this / "book.db";
    std::unique_ptr<Book> book = must(Book::open({.experience = file, .base = {}}));
    Store store{file, true};
    engine::Game start;

    int flags_of(const char* move) {
        return store.positions.flags(start.position().key(),
                                     book::store(helpers::move(start, move), engine::White));
    }
    std::int64_t applied() { return store.games.counts().applied; }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(user_edits, Edited)

BOOST_AUTO_TEST_CASE(the_last_act_is_taken_back_first) {
    must(book->learn(record("a", "e4 e5 Nf3 Nc6", 1, 4)));
    mark(store, start, helpers::move(start, "e4"), Prefer);
    must(book->learn(record("b", "e4 e5 Nf3 Nc6", 0, 4)));
    mark(store, start, helpers::move(start, "e4"), Never);
    BOOST_TEST(undo(store).starts_with("marked e4 as never, before: prefer"));
    BOOST_TEST(flags_of("e4") == int{Prefer});
    BOOST_TEST(undo(store) == "game 2, a loss with White");
    BOOST_TEST(applied() == 1);
    BOOST_TEST(undo(store).starts_with("marked e4 as prefer"));
    BOOST_TEST(flags_of("e4") == 0);
    BOOST_TEST(undo(store) == "game 1, a win with White");
    BOOST_TEST(applied() == 0);
    BOOST_TEST(undo(store) == "");
    BOOST_TEST(verify(store).empty());
}

// As with games that were learned beside the book while it was read-only.
BOOST_AUTO_TEST_CASE(merging_games_leaves_the_order_of_changes) {
    const auto game = [](const std::string& uid, int minute) {
        GameRecord r = record(uid, "e4 e5 Nf3 Nc6", 0, 4);
        r.played += 60 * minute;
        return r;
    };
    for (int i = 0; i < 6; ++i) {
        must(book->note(game("before " + std::to_string(i), 10 + i)));
        must(book->learn(game("before " + std::to_string(i), 10 + i)));
    }
    mark(store, start, helpers::move(start, "e4"), Never);
    Store beside(*this / "beside.db", true);
    for (int i = 0; i < 3; ++i)
        helpers::take(beside, game("beside " + std::to_string(i), i));
    merge(store, file, beside, {.imported = false, .recorded = false});
    for (int i = 0; i < 2; ++i)
        must(book->learn(game("after " + std::to_string(i), 20 + i)));
    BOOST_TEST(undo(store) == "game 11, a loss with White");
    BOOST_TEST(undo(store) == "game 10, a loss with White");
    BOOST_TEST(undo(store).starts_with("marked e4 as never"));
    BOOST_TEST(undo(store) == "game 6, a loss with White");
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(unlearning_can_be_taken_back_and_so_can_relearning) {
    for (const char* name : {"a", "b", "c"})
        must(book->learn(record(name, "e4 e5 Nf3 Nc6", 1, 4)));
    BOOST_TEST(unlearn(store, {.id = 2}) == 1);
    BOOST_TEST(unlearn(store, {}) == 2);
    BOOST_TEST(undo(store) == "unlearned 2 games");
    BOOST_TEST(applied() == 2);
    BOOST_TEST(relearn(store, {}) == 1);
    BOOST_TEST(undo(store) == "relearned 1 game");
    BOOST_TEST(applied() == 2);
    BOOST_TEST(undo(store) == "unlearned 1 game");
    BOOST_TEST(applied() == 3);
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(an_import_of_many_files_is_undone_in_as_many_steps_as_one_of_a_few) {
    std::vector<std::size_t> steps;
    for (const int files : {2, 20}) {
        for (const char* name : {"a", "b"})
            helpers::take(store, record(name, "e4 e5 Nf3 Nc6", 1, 4));
        {
            Transaction transaction(store.db);
            Change change{.what = "an import", .imported = {}};
            for (int i = 0; i < files; ++i)
                change.imported.push_back(store.games.add_source({.kind = "own"}));
            int at = 0;
            for (const char* name : {"a", "b"}) {
                LoggedGame g = store.games.find(name).value();
                g.source = change.imported.at(static_cast<std::size_t>(at++));
                store.games.put(g);
            }
            change.clock = store.clock();
            add_change(store.db, change);
            transaction.commit();
        }
        steps.push_back(helpers::statements(store, [this] { undo(store); }).size());
        BOOST_TEST((store.games.empty() && store.games.sources().empty()));
    }
    BOOST_TEST(steps.at(0) == steps.at(1));
}

BOOST_AUTO_TEST_CASE(games_without_evidence_are_unlearned_like_others) {
    for (const Termination end : {Termination::Board, Termination::Flag}) {
        GameRecord game = record(end == Termination::Flag ? "early" : "a", "e4 e5 Nf3 Nc6", 0, 4);
        game.opponent.name = "Anna";
        game.termination = end;
        must(book->learn(game));
    }
    const auto games = [this] { return store.opponents.all().at(0).games; };
    BOOST_TEST((store.games.get(2)->state == GameState::Rejected && games() == 2));
    BOOST_TEST(unlearn(store, {}) == 2);
    BOOST_TEST(games() == 0);
    BOOST_TEST(undo(store) == "unlearned 2 games");
    BOOST_TEST((store.games.get(2)->state == GameState::Rejected && games() == 2));
    BOOST_TEST(unlearn(store, {.id = 2}) == 1);
    BOOST_TEST(relearn(store, {}) == 1);
    BOOST_TEST((store.games.get(2)->state == GameState::Rejected && applied() == 1));
    BOOST_TEST(undo(store) == "relearned 1 game");
    BOOST_TEST((store.games.get(2)->state == GameState::Unlearned));
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(a_change_is_taken_back_by_its_own_number_only) {
    mark(store, start, helpers::move(start, "e4"), Prefer);
    const std::int64_t first = changes(store.db, 1).at(0).id;
    undo(store);
    mark(store, start, helpers::move(start, "d4"), Prefer);
    BOOST_CHECK_THROW(undo_last_mark(store, first), ChangedMeanwhile);
    BOOST_TEST(flags_of("d4") == int{Prefer});
}

BOOST_AUTO_TEST_CASE(what_changes_nothing_is_no_change) {
    mark(store, start, helpers::move(start, "e4"), 0);
    BOOST_TEST(unlearn(store, {}) == 0);
    BOOST_TEST(changes(store.db, 10).empty());
}

BOOST_AUTO_TEST_CASE(a_book_can_be_told_not_to_learn) {
    set_learning(store, Learning::Off);
    book = must(Book::open({.experience = file, .base = {}}));
    BOOST_TEST(book->read_only());
    BOOST_TEST(book->notice().starts_with("learning is off"));
    const Learned learned = must(book->learn(record("a", "e4 e5 Nf3 Nc6", 1, 4)));
    BOOST_TEST((!learned.counted && learned.lines.empty()));  // no news: the user wants it so
    BOOST_TEST(applied() == 0);
    set_learning(store, Learning::On);
    book = must(Book::open({.experience = file, .base = {}}));
    BOOST_TEST(must(book->learn(record("a", "e4 e5 Nf3 Nc6", 1, 4))).counted);
}

BOOST_AUTO_TEST_SUITE_END()
