// Names and results of opponents, and penalties on lines lost to them.
#include "book/store/opponents.h"

#include "tests/book/helpers.h"

using namespace book;

namespace {

struct Table {
    Database db{":memory:", true};
    Opponents opponents{db};

    OpponentRecord get(std::int64_t id) { return opponents.get(id).value(); }
    void game(std::int64_t id,
              double score,
              double overperformance,
              const std::vector<Key>& lines,
              std::optional<Key> exit = std::nullopt) {
        opponents.add_game(id, 1900, score, overperformance, 1000, lines, exit);
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(opponents)

BOOST_AUTO_TEST_CASE(titles_and_case_do_not_make_another_person) {
    Table t;
    const std::int64_t id = t.opponents.identify({.name = "Fred(GM)", .server = "freechess.org"});
    BOOST_TEST(t.opponents.identify({.name = "fred", .server = "freechess.org"}) == id);
    BOOST_TEST(t.opponents.identify({.name = "FRED (C)", .server = "freechess.org"}) == id);
    BOOST_TEST(t.opponents.identify({.name = "fred", .server = "chessclub.com"}) != id);
    BOOST_TEST(t.opponents.identify({.name = "fred", .server = "-"}) != id);
}

BOOST_AUTO_TEST_CASE(a_bot_that_was_stored_with_its_title_keeps_its_games) {
    Table t;
    const std::int64_t id = t.opponents.identify({.name = "BOT Fred"});
    BOOST_TEST(t.opponents.find({.name = "fred"}).value().id == id);
    BOOST_TEST(t.opponents.identify({.name = "Fred"}) == id);
    BOOST_TEST(t.opponents.get(id).value().name == "Fred");
}

BOOST_AUTO_TEST_CASE(all_guests_are_one) {
    BOOST_TEST(identity("GuestABCD(U)") == identity("GuestXYZQ"));
    BOOST_TEST(identity("Guestbook") != identity("Guestimator"));
    BOOST_TEST(identity("Anna (GM)(*)") == "Anna");
    BOOST_TEST(identity(" Anna ") == "Anna");
    // Only titles go.
    for (const char* const name : {"Stockfish (4 cores)", "Nutcracker (dev)", "(GM) Anna", "a)"})
        BOOST_TEST(identity(name) == name);
}

BOOST_AUTO_TEST_CASE(nobody_has_no_number) {
    Table t;
    BOOST_TEST(t.opponents.identify({.name = ""}) == 0);
    BOOST_TEST(!t.opponents.find({.name = "unknown"}).has_value());
}

BOOST_AUTO_TEST_CASE(results_add_up) {
    Table t;
    const std::int64_t id = t.opponents.identify({.name = "Fred"});
    t.game(id, 1, 0.5, {});
    t.game(id, 0.5, 0, {});
    t.game(id, 0, -0.5, {});
    t.game(id, 0, -0.5, {});
    const OpponentRecord o = t.get(id);
    BOOST_TEST(o.games == 4);
    BOOST_TEST(o.wins == 1);
    BOOST_TEST(o.draws == 1);
    BOOST_TEST(o.losses == 2);
    BOOST_TEST(o.rating == 1900);
}

// 0 is an unknown day.
BOOST_AUTO_TEST_CASE(the_last_game_may_be_before_1970) {
    Table t;
    const std::int64_t id = t.opponents.identify({.name = "Fred"});
    const auto last_after = [&t, id](std::int64_t played) {
        t.opponents.add_game(id, 1900, 1, 0.5, played, {}, std::nullopt);
        return t.get(id).last;
    };
    BOOST_TEST(last_after(-2'000) == -2'000);
    BOOST_TEST(last_after(0) == -2'000);
    BOOST_TEST(last_after(-1'000) == -1'000);
    BOOST_TEST(last_after(-3'000) == -1'000);
    BOOST_TEST(last_after(500) == 500);
    BOOST_TEST(last_after(-500) == 500);
}

BOOST_AUTO_TEST_CASE(a_win_wipes_a_line_and_a_draw_takes_one_off) {
    Table t;
    const std::int64_t id = t.opponents.identify({.name = "Fred"});
    for (int i = 0; i < 3; ++i)
        t.game(id, 0, -0.5, {7});
    BOOST_TEST(t.opponents.losses(id, 7) == 3);
    t.game(id, 0.5, 0, {7});
    BOOST_TEST(t.opponents.losses(id, 7) == 2);
    t.game(id, 1, 0.5, {7});
    BOOST_TEST(t.opponents.losses(id, 7) == 0);
    BOOST_TEST(t.opponents.losses(id, 8) == 0);
}

// A loss at 7 comes first, and then more where it was lost, or elsewhere each time.
BOOST_AUTO_TEST_CASE(preparation_shows_where_we_were_beaten_before) {
    const Model model;
    Table t;
    const std::int64_t prepared = t.opponents.identify({.name = "Prepared"});
    const std::int64_t strong = t.opponents.identify({.name = "Strong"});
    const std::int64_t even = t.opponents.identify({.name = "Even"});
    for (int i = 0; i < 12; ++i) {
        t.game(prepared, 0, -0.5, {}, 7);
        t.game(strong, 0, -0.5, {}, 100 + static_cast<Key>(i));
        t.game(even, 0, -0.5, {}, 7);
        t.game(even, 0.5, 0.5, {}, 7);
        if (i < 3)
            BOOST_TEST(!is_suspicious(model, t.get(prepared)));  // too early to say
    }
    BOOST_TEST(is_suspicious(model, t.get(prepared)));
    BOOST_TEST(t.get(strong).decayed_returns == 0);
    BOOST_TEST(!is_suspicious(model, t.get(strong)));
    BOOST_TEST(t.get(even).decayed_returns > 6);
    BOOST_TEST(!is_suspicious(model, t.get(even)));
}

BOOST_AUTO_TEST_CASE(who_loses_at_an_exit_has_to_beat_us_there_again) {
    Table t;
    const std::int64_t id = t.opponents.identify({.name = "Fred"});
    for (const double score : {0.0, 1.0, 0.0, 0.0})
        t.game(id, score, score - 0.5, {8, 7}, 7);  // the exit is the position after our last move
    BOOST_TEST(t.opponents.losses(id, 7) == 2);
    BOOST_TEST(t.opponents.losses(id, 8) == 2);
    // The second game came back to the loss of the first, and the fourth to that of the third.
    const OpponentRecord o = t.get(id);
    BOOST_TEST(o.decayed_returns == 1.96, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(o.decayed_overperformance == 0.96 * 0.5 - 0.5, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(who_is_stronger_than_ratings_tell_is_not_suspicious) {
    const Model model;
    Table t;
    const std::int64_t id = t.opponents.identify({.name = "Unrated"});
    for (int i = 0; i < 20; ++i)
        t.game(id, 0, -0.5, {}, 7);
    BOOST_TEST(is_suspicious(model, t.get(id)));
    t.opponents.set_advantages({{id, -0.4}});
    BOOST_TEST(!is_suspicious(model, t.get(id)));
    t.opponents.set_advantages({{id, 0.1}});  // who is weaker, but beats us
    BOOST_TEST(is_suspicious(model, t.get(id)));
}

BOOST_AUTO_TEST_CASE(the_penalty_begins_with_the_first_loss_and_ends_at_four) {
    const Model model;
    BOOST_TEST(opponent_penalty(model, 0) == 0);
    BOOST_TEST(opponent_penalty(model, 1) == 0.1);
    BOOST_TEST(opponent_penalty(model, 2) == 0.2);
    BOOST_TEST(opponent_penalty(model, 9) == 0.4);
}

BOOST_AUTO_TEST_SUITE_END()
