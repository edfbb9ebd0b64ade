#include "protocol/game/record.h"

#include "engine/board/notation.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace protocol;

namespace {

struct Said {
    const char* comment;
    book::Termination termination;
};
std::ostream& operator<<(std::ostream& out, const Said& said) {
    return out << said.comment;
}
const std::vector<Said> Comments = {
    {"", book::Termination::Board},
    {"White mates", book::Termination::Board},
    {"FairyBot resigns", book::Termination::Board},
    {"Game drawn by repetition", book::Termination::Board},
    {"White wins by adjudication", book::Termination::Board},
    {"X forfeits on time", book::Termination::Flag},
    {"White loses on time", book::Termination::Flag},
    {"GuestA ran out of time", book::Termination::Flag},
    {"Time forfeit", book::Termination::Flag},
    {"White disconnects", book::Termination::Disconnection},
    {"X lost connection; game forfeited", book::Termination::Disconnection},
    {"Black's connection stalls", book::Termination::Disconnection},
    {"Game aborted on move 1", book::Termination::Aborted},
    {"White's flag fell", book::Termination::Flag},
    {"Xboard: Black flagged", book::Termination::Flag},
    {"Flagstone resigns", book::Termination::Board},  // names, not words
    {"Abortive mates", book::Termination::Board},
    {"The_Disconnector checkmated", book::Termination::Board},
    {"Game adjourned by mutual agreement", book::Termination::Aborted},
};

engine::Game after(const std::vector<const char*>& moves) {
    engine::Game game;
    for (const char* const text : moves)
        game.play(*engine::parse_move(game.position(), text));
    return game;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(record)

BOOST_DATA_TEST_CASE(the_comment_decides_the_termination, Comments, said) {
    const std::optional<Ending> ending = parse_result("1-0", said.comment);
    BOOST_TEST_REQUIRE(ending.has_value());
    BOOST_TEST((ending->termination == said.termination));
}

BOOST_AUTO_TEST_CASE(the_token_decides_the_score) {
    BOOST_TEST(parse_result("1-0", "0-1").value().white_score == 1.0);
    BOOST_TEST(parse_result("0-1", "").value().white_score == 0.0);
    BOOST_TEST(parse_result("1/2-1/2", "White wins").value().white_score == 0.5);
    for (const char* const token : {"*", "", "1/2", "2-0"})
        BOOST_TEST(!parse_result(token, "White mates").has_value(), token);
}

BOOST_AUTO_TEST_CASE(a_game_is_finished_once_and_keeps_its_name) {
    Record record;
    engine::Game game = after({"e2e4"});
    record.our_move(game);
    const auto noted = record.in_progress(game);
    BOOST_TEST_REQUIRE(noted.has_value());
    game.play(*engine::parse_move(game.position(), "e7e5"));
    const auto done = record.finish(game, {1.0, book::Termination::Board});
    BOOST_TEST_REQUIRE(done.has_value());
    BOOST_TEST(done->uid == noted->uid);
    BOOST_TEST(done->uid.size() <= 64U);
    BOOST_TEST((done->our_side == engine::Black));
    BOOST_TEST(done->score == 0.0);
    BOOST_TEST(done->played > 1'700'000'000);
    BOOST_TEST(!record.finish(game, {1.0, book::Termination::Board}).has_value());

    record.new_game();
    record.our_move(engine::Game());
    const auto next = record.in_progress(engine::Game());
    BOOST_TEST_REQUIRE(next.has_value());
    BOOST_TEST(next->uid != done->uid);
    Record other;
    other.our_move(engine::Game());
    BOOST_TEST(other.in_progress(engine::Game())->uid != next->uid);
}

BOOST_AUTO_TEST_CASE(the_exit_is_the_first_search_after_the_last_book_move) {
    Record record;
    const engine::Game game = after({"e2e4", "e7e5"});
    record.our_move(engine::Game());
    record.our_move(game);
    BOOST_TEST(!record.in_progress(game)->exit_ply.has_value());
    BOOST_TEST(record.searched(2, 31, 14));
    BOOST_TEST(!record.searched(4, 90, 15));
    BOOST_TEST(record.in_progress(game)->exit_ply.value() == 2);
    BOOST_TEST(record.in_progress(game)->exit_cp == 31);
    BOOST_TEST(record.in_progress(game)->exit_depth == 14);
    record.from_book("why");  // transposed into the book again
    BOOST_TEST(!record.in_progress(game)->exit_ply.has_value());
    BOOST_TEST(record.searched(8, engine::mated_in(4), 9));
    BOOST_TEST(record.in_progress(game)->exit_cp == -10'000);
    BOOST_TEST(record.in_progress(game)->draws.at(0) == "why");
    record.new_game();
    record.our_move(engine::Game());
    BOOST_TEST(record.in_progress(engine::Game())->draws.empty());
}

BOOST_AUTO_TEST_CASE(a_resumed_game_has_no_exit) {
    for (const engine::Game& late : {after({"e2e4", "e7e5"}), after({"e2e4", "e7e5", "g1f3"})}) {
        Record record;
        record.our_move(late);
        BOOST_TEST(!record.searched(late.ply(), 20, 12));  // nothing to note
        const auto done = record.finish(late, {1.0, book::Termination::Board});
        BOOST_TEST_REQUIRE(done.has_value());
        BOOST_TEST(done->resumed);
        BOOST_TEST(!done->exit_ply.has_value());
        record.new_game();
        record.our_move(after({"e2e4"}));
        BOOST_TEST(record.searched(1, 20, 12));
        BOOST_TEST(!record.in_progress(after({"e2e4"}))->resumed);
    }
}

BOOST_AUTO_TEST_CASE(unlearnable_games_have_no_record) {
    Record record;
    const engine::Game game = after({"e2e4"});
    BOOST_TEST(!record.in_progress(game).has_value());  // no move of ours
    record.our_move(game);
    record.mark_unlearnable();
    BOOST_TEST(!record.finish(game, {1.0, book::Termination::Board}).has_value());

    Record both;
    both.our_move(engine::Game());
    both.our_move(game);
    BOOST_TEST(!both.in_progress(game).has_value());

    Record set_up;
    const engine::Game odd(engine::Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").value());
    set_up.our_move(odd);
    BOOST_TEST(!set_up.in_progress(odd).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
