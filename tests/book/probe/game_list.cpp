// The list of own games.
#include "book/probe/game_list.h"

#include "tests/book/helpers.h"

using namespace book;
using helpers::play;
using helpers::record;
using helpers::take;

namespace {

constexpr std::int64_t Day = 86400;

struct Log {
    Store store{":memory:", true};
    OpeningNames names;

    void add(const std::string& uid,
             const std::string& moves,
             double score,
             std::int64_t played,
             const std::string& opponent = "Anna",
             engine::Color side = engine::White) {
        GameRecord r = record(uid, moves, score, 3);
        r.played = played;
        r.opponent.name = opponent;
        r.our_side = side;
        take(store, r);
    }
    // The uids of the games, the latest first.
    std::string list(const GameListFilter& filter, std::size_t first = 0, std::size_t number = 0) {
        std::string uids;
        for (const GameSummary& game : list_games(store, names, filter, first, number).games)
            uids += game.game.record.uid + ' ';
        return uids;
    }
    GameListFilter of(const GameFilter& filter) { return {.game = filter}; }

    Log() {
        add("sicilian", "e4 c5 Nf3 d6 d4 cxd4", 1, 3 * Day);
        add("spanish", "e4 e5 Nf3 Nc6 Bb5 a6", 0, Day, "Bert", engine::Black);
        add("transposed", "Nf3 Nc6 e4 e5 Bb5 a6 Ba4", 0.5, 2 * Day);
        add("undated", "d4 d5 c4 e6", 0, 0);
        GameRecord pending = record("pending", "c4 e5 Nc3", 0.5, 2);
        pending.played = 4 * Day;
        take(store, pending, false);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(game_list, Log)

BOOST_AUTO_TEST_CASE(the_latest_game_comes_first_and_an_unknown_date_last) {
    BOOST_TEST(list({}) == "pending sicilian transposed spanish undated ");
    add("older", "e4 e5 f4", 1, -Day);
    BOOST_TEST(list({}) == "pending sicilian transposed spanish older undated ");
    BOOST_TEST(list(of({.since = -2 * Day, .before = 2 * Day})) == "spanish older ");
    BOOST_TEST(list(of({.since = -2 * Day})) == "pending sicilian transposed spanish older ");
}

BOOST_AUTO_TEST_CASE(games_whose_opening_has_no_name_are_listed) {
    GameRecord r = record("shuffled", "", 1, 1);
    r.game = engine::Game(helpers::must(
        engine::Position::from_fen("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1")));
    r.game.play(helpers::move(r.game, "e4"));
    r.played = 5 * Day;
    take(store, r);
    BOOST_TEST(list({}).starts_with("shuffled pending "));
}

BOOST_AUTO_TEST_CASE(pages_go_on_where_the_one_before_ends) {
    const GamePage first = list_games(store, names, {}, 0, 2);
    BOOST_TEST(first.games.size() == 2U);
    BOOST_TEST(first.more);
    BOOST_TEST((first.total == 5));
    BOOST_TEST(list({}, 2, 2) == "transposed spanish ");
    BOOST_TEST(list({}, 4, 2) == "undated ");
    BOOST_TEST(!list_games(store, names, {}, 3, 2).more);
    BOOST_TEST(list({}, 9, 2).empty());
    const GamePage spanish = list_games(store, names, {.opening = "lopez"}, 1, 1);
    BOOST_TEST_REQUIRE(spanish.games.size() == 1U);
    BOOST_TEST(spanish.games[0].game.record.uid == "spanish");
    BOOST_TEST(!spanish.more);
    BOOST_TEST(!spanish.total.has_value());
}

BOOST_AUTO_TEST_CASE(the_log_is_filtered) {
    const auto bert = store.opponents.find({.name = "Bert"});
    BOOST_TEST_REQUIRE(bert.has_value());
    BOOST_TEST(list(of({.opponent = bert->id})) == "spanish ");
    BOOST_TEST(list(of({.since = 2 * Day, .before = 3 * Day})) == "transposed ");
    BOOST_TEST(list(of({.before = 2 * Day})) == "spanish ");
    BOOST_TEST(list(of({.side = engine::Black})) == "spanish ");
    BOOST_TEST(list(of({.result = OwnResult::Won})) == "sicilian ");
    BOOST_TEST(list(of({.result = OwnResult::Drawn})) == "transposed ");
    BOOST_TEST(list(of({.result = OwnResult::Lost})) == "spanish undated ");
    BOOST_TEST(list(of({.time = TimeClass::Standard})).empty());
}

BOOST_AUTO_TEST_CASE(a_position_is_found_in_any_order_of_moves) {
    GameListFilter filter{.position = play("e4 e5 Nf3 Nc6").position()};
    BOOST_TEST(list(filter) == "transposed spanish ");
    const GamePage page = list_games(store, names, filter, 0, 0);
    BOOST_TEST_REQUIRE(page.games.size() == 2U);
    BOOST_TEST((page.games[0].ply == 4));
    BOOST_TEST(page.games[0].game.record.game.ply() >= 5);  // what was played there was read
    filter.position = play("e4 e5 Nf3 Nc6 Bb5 a6 Ba4").position();  // the last of a game
    BOOST_TEST(list(filter) == "transposed ");
    filter.position = play("e4 c6").position();
    BOOST_TEST(list(filter).empty());
}

BOOST_AUTO_TEST_CASE(a_game_is_summed_up) {
    const GamePage page = list_games(store, names, {.opening = "siCilian deF"}, 0, 0);
    BOOST_TEST_REQUIRE(page.games.size() == 1U);
    const GameSummary& game = page.games[0];
    BOOST_TEST(game.opponent.name == "Anna");
    BOOST_TEST(game.opening.find("Sicilian") == 4U);
    BOOST_TEST(game.exit_move == "d6");
    BOOST_TEST(game.game.plies == 6);
    BOOST_TEST((game.game.record.exit_ply == 3));
}

BOOST_AUTO_TEST_SUITE_END()
