#include "protocol/game/record.h"

#include "engine/board/notation.h"

#include <cctype>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace protocol;

namespace {

using book::Termination;

struct Said {
    const char* comment;
    Termination termination;
    const char* opponent = "";
};
std::ostream& operator<<(std::ostream& out, const Said& said) {
    return out << said.comment;
}
const std::vector<Said> Comments = {
    {"", Termination::Board},
    {"?", Termination::Board},
    // FICS
    {"FairyBot checkmated", Termination::Board},
    {"FairyBot resigns", Termination::Board},
    {"FairyBot forfeits on time", Termination::Flag},
    {"FairyBot ran out of time and Guest has no material to mate", Termination::Flag},
    {"Game drawn because both players ran out of time", Termination::Flag},
    {"Game drawn by repetition", Termination::Board},
    {"Game drawn by the 50 move rule", Termination::Board},
    {"Game drawn by mutual agreement", Termination::Board},
    {"Neither player has mating material", Termination::Board},
    {"FairyBot wins by adjudication", Termination::Board},
    {"FairyBot forfeits by disconnection", Termination::Disconnection},
    {"FairyBot lost connection; game forfeited", Termination::Disconnection},
    {"FairyBot lost connection and too few moves; game aborted", Termination::Aborted},
    {"Game aborted on move 1", Termination::Aborted},
    {"Game aborted by mutual agreement", Termination::Aborted},
    {"Game courtesyaborted by FairyBot", Termination::Aborted},
    // ICC
    {"FairyBot disconnected and forfeits", Termination::Disconnection},
    {"FairyBot's time ran out", Termination::Flag},
    // XBoard and WinBoard
    {"White mates", Termination::Board},
    {"White wins on time", Termination::Flag},
    {"Black's flag fell", Termination::Flag},
    {"Both flags fell", Termination::Flag},
    {"Black flagged", Termination::Flag},
    {"Error: second chess program (x) exited unexpectedly", Termination::Disconnection},
    {"Engine aborts game", Termination::Aborted},
    {"Draw claim: 3-fold repetition", Termination::Board},
    // cutechess
    {"White loses on time", Termination::Flag},
    {"White disconnects", Termination::Disconnection},
    {"Black's connection stalls", Termination::Disconnection},
    {"Draw by adjudication: TB position", Termination::Board},
    {"Draw by timeout", Termination::Flag},
    // lichess-bot
    {"White resigned", Termination::Board},
    {"Time forfeiture", Termination::Flag},
    {"Time out with insufficient material", Termination::Flag},
    {"outoftime", Termination::Flag},
    {"noStart", Termination::Aborted},
    {"cheat", Termination::Aborted},
    {"variantEnd", Termination::Aborted},
    {"unknownFinish", Termination::Aborted},
    {"aborted", Termination::Aborted},
    {"stalemate", Termination::Board},
    {"insufficientMaterialClaim", Termination::Board},
    // PyChess
    {"Because Anna ran out of time", Termination::Flag},
    {"Because Anna disconnected", Termination::Disconnection},
    {"Black makes an illegal move: e7e9", Termination::Disconnection},
    {"Xboard: Forfeit due to invalid move: e7e9", Termination::Disconnection},
    {"False illegal-move claim", Termination::Disconnection},
    {"Because the White engine died", Termination::Disconnection},
    {"Because the connection to the server was lost", Termination::Disconnection},
    // others
    {"Time forfeit", Termination::Flag},
    {"Lost by time forfeit", Termination::Flag},
    {"Forfeit on time", Termination::Flag},
    {"Out of time", Termination::Flag},
    {"Timeout", Termination::Flag},
    {"White wins by timeout", Termination::Flag},
    {"Time out", Termination::Flag},
    {"White times out", Termination::Flag},
    {"White timed out", Termination::Flag},
    {"White lost on time", Termination::Flag},
    {"Anna won on time", Termination::Flag},
    {"Flag fall", Termination::Flag},
    {"Time expired", Termination::Flag},
    {"White has no time left", Termination::Flag},
    {"Time limit exceeded", Termination::Flag},
    {"White exceeded the time limit", Termination::Flag},
    {"White overstepped the time limit", Termination::Flag},
    {"Abandoned", Termination::Disconnection},
    {"White abandoned the game", Termination::Disconnection},
    {"Game abandoned", Termination::Disconnection},
    {"White left the game", Termination::Disconnection},
    {"White has left", Termination::Disconnection},
    {"Connection lost", Termination::Disconnection},
    {"Disconnect", Termination::Disconnection},
    {"Engine crashed", Termination::Disconnection},
    {"Game cancelled", Termination::Aborted},
    {"The same position for the third time", Termination::Board},
    {"White mates in time trouble", Termination::Board},
    // names of players
    {"Timeout resigns", Termination::Board},
    {"flag checkmated", Termination::Board},
    {"Time-out resigned", Termination::Board},
    {"Abort mates", Termination::Board},
    {"Disconnected wins by adjudication", Termination::Board},
    {"Abort forfeits on time", Termination::Flag},
    {"Disconnect ran out of time and Abort has no material to mate", Termination::Flag},
    {"Aborted lost connection; game forfeited", Termination::Disconnection},
    {"Flagstone resigns", Termination::Board},
    {"The_Disconnector checkmated", Termination::Board},
    {"Out of Time resigns", Termination::Board, "Out of Time"},
    {"Lost Connection checkmated", Termination::Board, "lost connection"},
    {"Timeout(C) resigns", Termination::Board, "Timeout"},
    {"Time forfeiture", Termination::Flag, "Time"},
    {"Game aborted by Flag", Termination::Aborted, "Flag"},
};

std::optional<Ending>
ending(const std::string& token, const std::string& comment, const std::string& opponent = "") {
    return parse_result(token + " {" + comment + "}", opponent);
}

const Ending Won{1.0, Termination::Board, "White mates"};

engine::Game after(const std::vector<const char*>& moves) {
    engine::Game game;
    for (const char* const text : moves)
        game.play(*engine::parse_move(game.position(), text));
    return game;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(record)

BOOST_DATA_TEST_CASE(the_comment_decides_the_termination, Comments, said) {
    const std::string as_written = said.comment, opponent = said.opponent;
    std::string upper = as_written;
    for (char& c : upper)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (const std::string& comment : {as_written, upper})
        for (const char* const token : {"1-0", "0-1"}) {
            const std::optional<Ending> found = ending(token, comment, opponent);
            BOOST_TEST_REQUIRE(found.has_value());
            BOOST_TEST((found->termination == said.termination), token << ' ' << comment);
            BOOST_TEST(found->comment == comment);
        }
}

BOOST_AUTO_TEST_CASE(hyphens_are_blanks) {
    for (const char* const comment :
         {"time-forfeit", "Time-out", "out-of-time", "White forfeits-on-time", "flag-fall"})
        BOOST_TEST((ending("1-0", comment)->termination == Termination::Flag), comment);
}

BOOST_AUTO_TEST_CASE(a_draw_may_be_an_unknown_end) {
    // lichess-bot's words for games that it calls drawn, whoever won
    for (const char* const comment :
         {"timeout", "noStart", "cheat", "variantEnd", "aborted", "unknownFinish"})
        BOOST_TEST((ending("1/2-1/2", comment)->termination == Termination::Aborted), comment);
    BOOST_TEST((ending("1/2-1/2", "White ran out of time and Black has no material")->termination ==
                Termination::Flag));
    BOOST_TEST((ending("1/2-1/2", "Draw by agreement")->termination == Termination::Board));
}

BOOST_AUTO_TEST_CASE(the_token_decides_the_score) {
    BOOST_TEST(parse_result("1-0 {0-1}").value().white_score == 1.0);
    BOOST_TEST(parse_result("0-1").value().white_score == 0.0);
    BOOST_TEST(parse_result("1/2-1/2{White wins}").value().white_score == 0.5);
    BOOST_TEST(parse_result("1-0 White {x} mates").value().comment == "White {x} mates");
    for (const char* const text : {"*", "", "1/2", "2-0 {White mates}", "* {White mates}"})
        BOOST_TEST(!parse_result(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(an_adjourned_game_has_not_ended) {
    for (const char* const comment : {"Game adjourned by mutual agreement",
                                      "adjourned",
                                      "FairyBot lost connection; game adjourned",
                                      "Game courtesyadjourned by FairyBot"})
        for (const char* const token : {"*", "1-0", "1/2-1/2"})
            BOOST_TEST(!ending(token, comment).has_value(), comment);
}

BOOST_AUTO_TEST_CASE(an_aborted_game_has_ended_without_a_result) {
    for (const char* const comment : {"Game aborted on move 1",
                                      "FairyBot lost connection and too few moves; game aborted",
                                      "Game courtesyaborted by FairyBot",
                                      "Game aborted by server shutdown"}) {
        const std::optional<Ending> found = ending("*", comment);
        BOOST_TEST_REQUIRE(found.has_value(), comment);
        BOOST_TEST(found->white_score == 0.5);
        BOOST_TEST((found->termination == Termination::Aborted));
    }
    BOOST_TEST(!ending("*", "FairyBot lost connection").has_value());
}

BOOST_AUTO_TEST_CASE(a_game_keeps_its_name) {
    Record record;
    engine::Game game = after({"e2e4"});
    record.our_move(game);
    const auto noted = record.in_progress(game);
    BOOST_TEST_REQUIRE(noted.has_value());
    game.play(*engine::parse_move(game.position(), "e7e5"));
    const auto done = record.finished(game, parse_result("1-0 {White mates}").value());
    BOOST_TEST_REQUIRE(done.has_value());
    BOOST_TEST(done->uid == noted->uid);
    BOOST_TEST(done->uid.size() <= 64U);
    BOOST_TEST((done->our_side == engine::Black));
    BOOST_TEST(done->score == 0.0);
    BOOST_TEST(done->reason == "White mates");
    BOOST_TEST(done->played > 1'700'000'000);

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

BOOST_AUTO_TEST_CASE(the_exit_of_a_resumed_game_is_not_noted) {
    for (const engine::Game& late : {after({"e2e4", "e7e5"}), after({"e2e4", "e7e5", "g1f3"})}) {
        Record record;
        record.our_move(late);
        BOOST_TEST(!record.searched(late.ply(), 20, 12));
        const auto done = record.finished(late, Won);
        BOOST_TEST_REQUIRE(done.has_value());
        BOOST_TEST(done->resumed);
        BOOST_TEST(done->exit_ply.value() == late.ply());
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
    BOOST_TEST(!record.finished(game, Won).has_value());

    Record both;
    BOOST_TEST(!both.plays_both(game));
    both.our_move(engine::Game());
    BOOST_TEST(both.plays_both(game));
    BOOST_TEST(!both.spoil(game).has_value());  // no note was made
    BOOST_TEST(!both.in_progress(game).has_value());

    Record helped;                  // where somebody else who moves for us spoils it
    BOOST_TEST(!helped.in_book());  // before our first move: the game may be resumed
    helped.our_move(engine::Game());
    BOOST_TEST(helped.in_book());
    helped.searched(0, 20, 12);
    BOOST_TEST(!helped.in_book());

    Record set_up;
    const engine::Game odd(engine::Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").value());
    set_up.our_move(odd);
    BOOST_TEST(!set_up.in_progress(odd).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
