// Own games of further books: they count as if they were merged, each once, and are only read.
#include "book/book.h"
#include "book/book_files.h"
#include "book/import/polyglot.h"
#include "book/learn/merge.h"
#include "book/learn/user_edits.h"
#include "tests/book/helpers.h"

#include <fstream>
#include <sstream>

using namespace book;
using helpers::contents;
using helpers::record;

namespace {

// A friend's book knows that 1.d4 does better than 1.e4; the user's has only tried 1.e4.
struct Friends {
    helpers::Folder folder;
    std::filesystem::path mine = folder / "mine.db", theirs = folder / "theirs.db";
    int number = 0;

    Friends() {
        learn(mine, "e4 e5 Nf3 Nc6", 0.5, 2);
        learn(theirs, "e4 e5 Nf3 Nc6", 0, 8);
        learn(theirs, "d4 d5 c4 e6", 1, 8);
    }
    void learn(const std::filesystem::path& file, const std::string& moves, double score, int n) {
        Store store(file, true);
        for (int i = 0; i < n; ++i) {
            GameRecord r = record("game " + std::to_string(++number), moves, score, 3);
            r.exit_cp = 0;
            r.opponent.name = "opponent " + std::to_string(number);  // no game is a repetition
            r.played += number;
            helpers::take(store, r);
        }
    }
    // What is known at the start, by the user's book and these.
    [[nodiscard]] PositionView known(const std::vector<std::filesystem::path>& further) const {
        BookFiles files = open_book_files(mine, {}, true);
        for (const auto& file : further)
            add_further_book(files, file);
        const engine::Position start;
        PositionView view = book::view(
            files.layers(), files.model(), query_of(start, engine::White, TimeClass::Blitz));
        add_probabilities(files.model(), true, {}, view);
        return view;
    }
};

const BookMove& find(const PositionView& view, const std::string& san) {
    static const BookMove none{};
    for (const BookMove& move : view.moves)
        if (engine::to_san(engine::Position(), stored_move(move.move)) == san)
            return move;
    BOOST_ERROR(san + " is not known");
    return none;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(further_books, Friends)

BOOST_AUTO_TEST_CASE(own_games_of_a_further_book_are_known) {
    const PositionView alone = known({});
    BOOST_TEST(alone.moves.size() == 1U);
    const PositionView view = known({theirs});
    const BookMove &e4 = find(view, "e4"), &d4 = find(view, "d4");
    BOOST_TEST(e4.visits == 10);
    BOOST_TEST(e4.losses == 8);
    BOOST_TEST(d4.wins == 8);
    BOOST_TEST(!d4.untested);
    BOOST_TEST(e4.mean < find(alone, "e4").mean - 0.1);
    BOOST_TEST(d4.mean > 0.6);
    BOOST_TEST(d4.probability > 0.9);
}

BOOST_AUTO_TEST_CASE(the_choice_is_that_after_a_merge) {
    const PositionView read = known({theirs});
    {
        Store into(mine, true), from(theirs, false);
        merge(into, theirs, from, {});
    }
    const PositionView merged = known({});
    for (const char* san : {"e4", "d4"}) {
        const BookMove &a = find(read, san), &b = find(merged, san);
        BOOST_TEST(a.visits == b.visits);
        BOOST_TEST(a.wins == b.wins);
        BOOST_TEST(a.losses == b.losses);
        BOOST_TEST(std::abs(a.mean - b.mean) < 0.1);
        BOOST_TEST((a.mean > find(read, "e4").mean) == (b.mean > find(merged, "e4").mean));
    }
}

BOOST_AUTO_TEST_CASE(a_game_of_two_books_counts_once) {
    const PositionView once = known({theirs});
    const auto is_the_same = [&once](const PositionView& view) {
        for (const char* san : {"e4", "d4"}) {
            BOOST_TEST(find(view, san).visits == find(once, san).visits);
            BOOST_TEST(find(view, san).wins == find(once, san).wins);
            BOOST_TEST(std::abs(find(view, san).mean - find(once, san).mean) < 0.1);
        }
    };
    is_the_same(known({theirs, theirs}));  // all of it is known
    std::filesystem::copy_file(theirs, folder / "copy.db");
    learn(folder / "copy.db", "d4 d5 c4 e6", 1, 2);
    const PositionView more = known({theirs, folder / "copy.db"});  // a part
    BOOST_TEST(find(more, "d4").visits == 10);
    BOOST_TEST(find(more, "e4").visits == 10);
    {
        Store into(mine, true), from(theirs, false);
        merge(into, theirs, from, {});
    }
    is_the_same(known({theirs}));
    {
        Store store(mine, true);
        unlearn(store, {.result = OwnResult::Won});
    }
    BOOST_TEST(find(known({}), "e4").visits == 10);
    for (const BookMove& move : known({theirs}).moves)  // nor does what the user has removed
        BOOST_TEST(move.wins == 0);
}

// A friend may have taught their book a file of our match: its games have other uids there.
BOOST_AUTO_TEST_CASE(a_game_that_a_further_book_has_from_a_file_counts_once) {
    const std::filesystem::path taught = folder / "taught.db";
    {
        Store from(theirs, false), to(taught, true);
        from.games.each({}, [&](const LoggedGame& g) {
            GameRecord game = g.record;
            game.uid = "pgn/" + game.uid;
            game.opponent.name = from.opponents.get(g.opponent_id).value().name;
            helpers::take(to, game);
        });
        helpers::take(to, helpers::record("pgn/new", "d4 d5 c4 e6", 1, 2));
    }
    {
        Store into(mine, true), from(theirs, false);
        merge(into, theirs, from, {});
    }
    const PositionView view = known({taught});
    BOOST_TEST(find(view, "d4").visits == find(known({}), "d4").visits + 1);
    BOOST_TEST(find(view, "e4").visits == find(known({}), "e4").visits);
}

BOOST_AUTO_TEST_CASE(the_engine_plays_what_a_friend_has_learned) {
    const std::string before = contents(theirs);
    const OpenOptions options{.experience = mine, .base = {}, .further = {theirs}, .seed = 1};
    const auto book = helpers::must(Book::open(options));
    const engine::Game start;
    for (int i = 0; i < 10; ++i) {
        const auto chosen = helpers::must(book->choose(start, {}));
        BOOST_TEST_REQUIRE(chosen.has_value());
        BOOST_TEST((chosen->move == helpers::move(start, "d4")));
    }
    BOOST_TEST(helpers::must(book->learn(record("new", "d4 d5 c4 e6", 1, 2))).counted);
    BOOST_TEST(contents(theirs) == before);
    BOOST_TEST(helpers::must(book->stats()).own_games == 3);
}

BOOST_AUTO_TEST_CASE(a_friends_book_is_enough) {
    const auto book = helpers::must(Book::open({.experience = folder / "none.db",
                                                .base = {},
                                                .further = {theirs},
                                                .read_only = true,
                                                .seed = 1}));
    BOOST_TEST(helpers::must(book->choose(engine::Game(), {})).has_value());
    learn(folder / "none.db", "e4 e5 Nf3 Nc6", 1, 1);  // by a writer that comes later
    BOOST_TEST(helpers::must(book->choose(engine::Game(), {})).has_value());
    const auto rows = helpers::must(book->table(engine::Position(), {}));
    BOOST_TEST(rows.size() == 2U);
}

BOOST_AUTO_TEST_CASE(further_books_are_read_and_never_written) {
    {
        Store source(folder / "more.db", true);
        helpers::take(source, record("a", "d4 d5 c4 e6", 0.5, 4));
        const StoredMove e4 = book::store(helpers::move(engine::Game(), "e4"), engine::White);
        source.positions.add_edges(
            {{{.key = engine::Position().key(), .edge = {.move = e4, .draws = 40}}}}, true);
        export_polyglot(source, folder / "other.bin", {});
    }
    for (const char* name : {"more.db", "other.bin"}) {
        BOOST_TEST(check_further_book(folder / name).has_value());
        const std::string before = contents(folder / name);
        const auto book =
            helpers::must(Book::open({.experience = folder / (name + std::string(".own.db")),
                                      .base = {},
                                      .further = {folder / name},
                                      .seed = 1}));
        const auto rows = helpers::must(book->table(engine::Position(), {}));
        const bool has_games = std::string_view(name) == "more.db";  // an own game with 1.d4
        BOOST_TEST_REQUIRE(rows.size() == (has_games ? 2U : 1U), name);
        const auto e4 = std::find_if(rows.begin(), rows.end(), [](const Row& row) {
            return row.move == helpers::move(engine::Game(), "e4");
        });
        BOOST_TEST_REQUIRE((e4 != rows.end()));
        BOOST_TEST(e4->imported_draws == (has_games ? 40 : 20));
        BOOST_TEST(rows[0].probability + (has_games ? rows[1].probability : 0) > 0.9);
        BOOST_TEST(helpers::must(book->choose(engine::Game(), {.expected_nodes = 1'000'000'000}))
                       .has_value());
        BOOST_TEST(helpers::must(book->learn(record(name, "e4 e5 Nf3 Nc6", 1, 2))).counted);
        BOOST_TEST(contents(folder / name) == before);
    }
}

BOOST_AUTO_TEST_CASE(the_users_own_marks_count_more) {
    const engine::Game start;
    {
        Store store(mine, true), other(theirs, true);
        mark(store, start, helpers::move(start, "e4"), Never);
        mark(other, start, helpers::move(start, "e4"), Prefer);
    }
    BOOST_TEST(find(known({theirs}), "e4").flags == int{Never});
    {
        Store store(mine, true);
        set_learning(store, Learning::ReadOnly);
    }
    helpers::must(helpers::must(Book::open({.experience = mine, .base = {}}))
                      ->learn(record("beside", "c4 c5", 0, 1)));
    BOOST_TEST(find(known({theirs}), "e4").flags == int{Never});
}

BOOST_AUTO_TEST_CASE(a_further_book_that_is_none_is_left_out) {
    std::ofstream(folder / "short.bin") << "too short";
    std::ofstream(folder / "text.db") << std::string(5000, 'x');
    for (const char* name : {"short.bin", "text.db", "missing.bin", "missing.db"}) {
        const Result<void> usable = check_further_book(folder / name);
        BOOST_TEST_REQUIRE(!usable.has_value());
        BOOST_TEST(usable.error().what.find(name) != std::string::npos, usable.error().what);
        const auto book = helpers::must(Book::open(
            {.experience = ":memory:", .base = {}, .further = {folder / name}, .seed = 1}));
        BOOST_TEST(book->notice().find(name) != std::string::npos, book->notice());
        BOOST_TEST(!helpers::must(book->choose(engine::Game(), {})).has_value());
    }
}

BOOST_AUTO_TEST_SUITE_END()
