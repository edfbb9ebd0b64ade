#include "protocol/game/verdict.h"

#include "engine/board/notation.h"

#include <boost/test/unit_test.hpp>

using namespace protocol;

namespace {

engine::Game game_from(const char* fen) {
    const auto pos = engine::Position::from_fen(fen);
    BOOST_TEST_REQUIRE(pos.has_value());
    return engine::Game(*pos);
}

std::string said(const char* fen) {
    return result_by_rules(game_from(fen)).value_or("");
}

Assessment level_endgame() {
    return {.score = 0,
            .depth = 12,
            .ply = 120,
            .men = 6,
            .halfmove_clock = 20,
            .rating_lead = 0,
            .ours = std::chrono::minutes(1),
            .theirs = std::chrono::minutes(1),
            .increment = {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)

BOOST_AUTO_TEST_CASE(results_by_the_rules_are_claimed) {
    BOOST_TEST(said("4k3/8/8/8/8/8/8/4K2R w - - 0 1").empty());
    BOOST_TEST(said("R3k3/8/4K3/8/8/8/8/8 b - - 0 1") == "1-0 {White mates}");
    BOOST_TEST(said("r3K3/8/4k3/8/8/8/8/8 w - - 0 1") == "0-1 {Black mates}");
    BOOST_TEST(said("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == "1/2-1/2 {stalemate}");
    BOOST_TEST(said("4k3/8/8/8/8/8/8/4K2R w - - 100 90") == "1/2-1/2 {fifty-move rule}");
}

BOOST_AUTO_TEST_CASE(only_dead_positions_that_clients_recognise_are_claimed) {
    const char* const dead = "1/2-1/2 {insufficient material}";
    BOOST_TEST(said("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == dead);
    BOOST_TEST(said("4k3/8/8/8/8/8/8/4KN2 w - - 0 1") == dead);
    BOOST_TEST(said("4kb2/8/8/8/8/8/8/4K3 w - - 0 1") == dead);
    BOOST_TEST(said("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1") == dead);
    BOOST_TEST(said("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1").empty());    // opposite colours
    BOOST_TEST(said("4k3/8/8/8/8/4B3/8/2B1K3 w - - 0 1").empty());  // two of one side
    BOOST_TEST(said("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1").empty());
}

BOOST_AUTO_TEST_CASE(some_games_end_without_a_claim) {
    const auto end = [](const char* fen) {
        return result_without_claim(game_from(fen)).value_or("");
    };
    BOOST_TEST(end("R3k3/8/4K3/8/8/8/8/8 b - - 0 1") == "1-0 {White mates}");
    BOOST_TEST(end("R3k3/8/4K3/8/8/8/8/8 b - - 150 99") == "1-0 {White mates}");
    BOOST_TEST(end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == "1/2-1/2 {stalemate}");
    BOOST_TEST(end("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == "1/2-1/2 {insufficient material}");
    BOOST_TEST(end("4k3/8/8/8/8/8/8/4K2R w - - 149 90") == "");
    BOOST_TEST(end("4k3/8/8/8/8/8/8/4K2R w - - 150 90") == "1/2-1/2 {fifty-move rule}");

    engine::Game game;
    for (int round = 2; round <= 5; ++round) {
        for (const char* const move : {"g1f3", "g8f6", "f3g1", "f6g8"})
            game.play(*engine::parse_move(game.position(), move));
        BOOST_TEST(game.repetitions() == round);
        BOOST_TEST(result_without_claim(game).value_or("") ==
                   (round < 5 ? "" : "1/2-1/2 {repetition}"));
    }
}

BOOST_AUTO_TEST_CASE(a_draw_is_claimed_unless_we_are_better) {
    BOOST_TEST(needs_claim(game_from("7k/8/8/8/8/8/R7/K7 w - - 100 80")));
    BOOST_TEST(!needs_claim(game_from("7k/8/8/8/8/8/R7/K7 w - - 99 80")));
    BOOST_TEST(!needs_claim(game_from("7k/8/8/8/8/8/R7/K7 w - - 150 120")));  // ends itself
    BOOST_TEST(claims_draw(-900));
    BOOST_TEST(claims_draw(50));
    BOOST_TEST(!claims_draw(51));
}

BOOST_AUTO_TEST_CASE(a_draw_claim_after_a_move_is_foreseen) {
    const engine::Game game = game_from("7k/8/8/8/8/8/R6P/K7 w - - 99 80");
    const auto quiet = engine::parse_move(game.position(), "a2b2");
    const auto pawn = engine::parse_move(game.position(), "h2h3");
    BOOST_TEST_REQUIRE((quiet && pawn));
    BOOST_TEST(can_claim_draw_after(game, *quiet));
    BOOST_TEST(!can_claim_draw_after(game, *pawn));
}

BOOST_AUTO_TEST_CASE(a_draw_is_accepted_when_late_and_level_or_when_worse) {
    Assessment now = level_endgame();
    BOOST_TEST(accepts_draw(now));
    now.score = 40;
    BOOST_TEST(!accepts_draw(now));
    now.rating_lead = -500;
    BOOST_TEST(accepts_draw(now));
    now.score = 0;
    now.rating_lead = 300;
    BOOST_TEST(!accepts_draw(now));
    now = level_endgame();
    now.depth = 2;
    BOOST_TEST(!accepts_draw(now));
    now = level_endgame();
    now.men = 32;
    now.ply = 10;
    now.halfmove_clock = 0;
    BOOST_TEST(!accepts_draw(now));
    now.score = -60;
    BOOST_TEST(accepts_draw(now));
}

BOOST_AUTO_TEST_CASE(no_draw_for_an_opponent_about_to_lose_on_time) {
    Assessment now = level_endgame();
    now.theirs = std::chrono::seconds(3);
    BOOST_TEST(!accepts_draw(now));
    now.increment = std::chrono::seconds(2);
    BOOST_TEST(accepts_draw(now));
    now.increment = {};
    now.ours = std::chrono::seconds(2);  // but we are as well
    BOOST_TEST(accepts_draw(now));
}

BOOST_AUTO_TEST_CASE(a_draw_is_accepted_slightly_ahead_if_few_men_make_no_progress) {
    Assessment now = level_endgame();
    now.score = 25;
    BOOST_TEST(accepts_draw(now));
    now.score = 26;
    BOOST_TEST(!accepts_draw(now));
    now.score = 25;
    now.men = 9;
    BOOST_TEST(!accepts_draw(now));
    now.men = 8;
    now.halfmove_clock = 0;
    BOOST_TEST(!accepts_draw(now));
    now.drawish_searches = 4;
    BOOST_TEST(accepts_draw(now));
    now.drawish_searches = 0;
    now.equal_without_pawns = true;
    BOOST_TEST(accepts_draw(now));
    now.rating_lead = 300;
    BOOST_TEST(!accepts_draw(now));
    now.rating_lead = -2000;
    now.score = 50;
    BOOST_TEST(accepts_draw(now));
    now.score = 51;
    BOOST_TEST(!accepts_draw(now));
}

BOOST_AUTO_TEST_CASE(material_is_equal_without_pawns_if_both_sides_have_the_same_pieces) {
    const auto equal = [](const char* fen) {
        return is_equal_without_pawns(game_from(fen).position());
    };
    BOOST_TEST(equal("8/8/4k3/8/8/3K4/r7/7R w - - 0 1"));
    BOOST_TEST(equal("8/8/4k3/2n5/8/3K4/r7/2B4R w - - 0 1"));
    BOOST_TEST(!equal("8/8/4k3/8/8/3K4/r7/2B4R w - - 0 1"));
    BOOST_TEST(!equal("8/8/4k3/p7/8/P2K4/r7/7R w - - 0 1"));
    BOOST_TEST(!equal("8/8/4k3/8/8/3K4/q7/7R w - - 0 1"));
}

BOOST_AUTO_TEST_CASE(a_draw_is_offered_after_long_equality_and_rarely) {
    EndPolicy policy;
    Assessment now = level_endgame();
    int offers = 0;
    for (int move = 0; move < 30; ++move, now.ply += 2) {
        policy.update(now, 900);
        if (policy.offers_draw(now)) {
            ++offers;
            BOOST_TEST(move >= 7);
        }
    }
    BOOST_TEST(offers == 2);
    now.score = 50;
    policy.update(now, 900);
    now.ply += 100;
    BOOST_TEST(!policy.offers_draw(now));
}

BOOST_AUTO_TEST_CASE(resignation_needs_several_lost_moves_in_a_row) {
    EndPolicy policy;
    Assessment now = level_endgame();
    now.score = -1000;
    for (int move = 0; move < 3; ++move) {
        policy.update(now, 900);
        BOOST_TEST(!policy.resigns());
    }
    now.score = -800;
    policy.update(now, 900);
    now.score = engine::mated_in(6);
    now.depth = 2;  // a mate needs no depth
    for (int move = 0; move < 3; ++move)
        policy.update(now, 900);
    BOOST_TEST(!policy.resigns());
    policy.update(now, 900);
    BOOST_TEST(policy.resigns());
}

BOOST_AUTO_TEST_CASE(a_game_that_stops_is_decided_after_three_such_scores_in_a_row) {
    Assessment now = level_endgame();
    for (const int sign : {1, -1}) {
        EndGuess guess;
        now.score = sign * 600;
        guess.update(now);
        guess.update(now);
        BOOST_TEST(!guess.score().has_value());
        guess.update(now);
        BOOST_TEST((guess.score() == (sign > 0 ? 1.0 : 0.0)));
        now.score = sign * 590;
        guess.update(now);
        BOOST_TEST(!guess.score().has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_game_that_stops_is_drawn_after_level_scores_for_long_and_late) {
    Assessment now = level_endgame();
    EndGuess late, early;
    for (int i = 0; i < 8; ++i) {
        BOOST_TEST(!late.score().has_value());
        now.score = i % 2 == 0 ? 8 : -8;
        now.ply = 120;
        late.update(now);
        now.ply = 60;
        early.update(now);
    }
    BOOST_TEST((late.score() == 0.5));
    BOOST_TEST(!early.score().has_value());
    now.ply = 122;
    now.score = 40;
    late.update(now);
    BOOST_TEST(!late.score().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
