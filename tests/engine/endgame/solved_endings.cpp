// Endings that are solved when they come up: won in the fewest plies, held where they can be, with
// en passant, and in a search only where there is time for it.
#include "engine/board/notation.h"
#include "engine/endgame/solved_ending.h"
#include "engine/engine.h"

#include <future>

#include <boost/test/unit_test.hpp>

using namespace engine;  // NOLINT(google-build-using-namespace)
using namespace std::chrono_literals;

namespace {

// The longest win of bishop and knight: mate in 33 moves.
constexpr std::string_view LongestWin = "8/8/7N/8/8/8/8/K1k1B3 w - - 0 1";

Position position(std::string_view fen) {
    return Position::from_fen(fen).value();
}
std::shared_ptr<const SolvedEnding> solved(const Position& pos) {
    auto ending = SolvedEnding::solve(pos, {});
    BOOST_TEST_REQUIRE(ending.get() != nullptr);
    return ending;
}
SolvedEnding::Choice choice(std::string_view fen) {
    const Position pos = position(fen);
    return solved(pos)->choose(pos, legal_moves(pos));
}

// Both sides choose their first move until the men change.
struct Played {
    int plies = 0;
    Status status = Status::Ongoing;
    std::vector<int> distances;
};
Played played(std::string_view fen) {
    Game game(position(fen));
    const auto ending = solved(game.position());
    Played found;
    while (game.status() == Status::Ongoing && ending->covers(game.position())) {
        const auto best = ending->choose(game.position(), legal_moves(game.position()));
        found.distances.push_back(best.plies);
        game.play(best.moves[0]);
        ++found.plies;
    }
    found.status = game.status();
    return found;
}

Limits to_nodes(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(solved_endings, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(the_longest_win_of_bishop_and_knight_takes_33_moves) {
    const Played game = played(LongestWin);
    BOOST_TEST((game.status == Status::Checkmate));
    BOOST_TEST(game.plies == 65);
    for (std::size_t i = 0; i < game.distances.size(); ++i)
        BOOST_TEST(game.distances[i] == 65 - static_cast<int>(i));
}

BOOST_AUTO_TEST_CASE(colours_make_no_difference) {
    const auto white = choice(LongestWin), black = choice("k1K1b3/8/8/8/8/7n/8/8 b - - 0 1");
    BOOST_TEST(white.result == 1);
    BOOST_TEST(black.result == 1);
    BOOST_TEST(white.plies == black.plies);
    BOOST_TEST(white.moves.size() == black.moves.size());
}

BOOST_AUTO_TEST_CASE(results_are_those_of_the_books_on_endings) {
    BOOST_TEST(choice("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").result == 1);
    BOOST_TEST(choice("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1").result == -1);
    BOOST_TEST(choice("8/8/8/8/1k6/1p6/8/1K6 w - - 0 1").result == 0);
    BOOST_TEST(choice("7K/8/k1P5/7p/8/8/8/8 w - - 0 1").result == 0);     // Reti
    BOOST_TEST(choice("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1").result == 1);    // Saavedra
    BOOST_TEST(choice("8/8/3k4/8/8/4N3/3N4/3K4 w - - 0 1").result == 0);  // two knights
}

BOOST_AUTO_TEST_CASE(underpromotion_is_known) {
    // Saavedra's study: a queen draws, the rook wins.
    const auto best = choice("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1");
    BOOST_TEST(best.result == 1);
    for (const Move m : best.moves)
        BOOST_TEST((m.kind() == MoveKind::Promotion && m.promoted() == Rook));
}

BOOST_AUTO_TEST_CASE(en_passant_is_known) {
    BOOST_TEST(choice("1k1K4/8/8/pP6/8/8/8/8 w - a6 0 1").result == 0);
    // The double step would lose the pawn to a capture en passant.
    const auto best = choice("7k/8/8/8/2p5/8/1P6/3K4 w - - 0 1");
    for (const Move m : best.moves)
        BOOST_TEST((m.from() != make_square(1, 1) || m.to() != make_square(1, 3)));
}

BOOST_AUTO_TEST_CASE(the_winner_keeps_his_men) {
    // With the queen taken the pawn would still win; she is not given up for that.
    const Played game = played("8/8/8/3k4/8/8/4P3/4KQ2 w - - 0 1");
    BOOST_TEST(game.plies % 2 == 1);  // a move of White ends the ending
}

BOOST_AUTO_TEST_CASE(a_capture_may_come_before_the_50_move_rule_where_mate_does_not) {
    const auto comes = [](std::string_view fen) {
        const Position pos = position(fen);
        const auto ending = solved(pos);
        const SolvedEnding::Choice best = ending->choose(pos, legal_moves(pos));
        BOOST_TEST(best.plies + pos.halfmove_clock() > 100);
        return ending->comes_in_time(pos, best);
    };
    BOOST_TEST(comes("8/8/8/8/3k4/2r5/8/K6Q w - - 40 100"));
    BOOST_TEST(!comes("8/8/8/8/3k4/2r5/8/K6Q w - - 97 130"));
    BOOST_TEST(!comes("8/8/7N/8/8/8/8/K1k1B3 w - - 50 100"));  // there is nothing to capture
}

BOOST_AUTO_TEST_CASE(a_pawn_may_be_blocked_until_the_50_move_rule) {
    const auto comes = [](std::string_view fen) {
        const Position pos = position(fen);
        const auto ending = solved(pos);
        const SolvedEnding::Choice best = ending->choose(pos, legal_moves(pos));
        BOOST_TEST(best.result == 1);
        return ending->comes_in_time(pos, best);
    };
    BOOST_TEST(comes("8/8/8/8/3k4/3p4/3K4/7Q w - - 40 100"));
    BOOST_TEST(!comes("8/8/8/8/3k4/3p4/3K4/7Q w - - 98 130"));
}

BOOST_AUTO_TEST_CASE(what_is_not_covered) {
    BOOST_TEST(SolvedEnding::solve(Game().position(), {}).get() == nullptr);
    BOOST_TEST(SolvedEnding::solve(position("8/8/8/4k3/8/8/8/4K2R w K - 0 1"), {}).get() ==
               nullptr);
    BOOST_TEST(SolvedEnding::solve(position(LongestWin), [] { return true; }).get() == nullptr);
    const auto ending = solved(position(LongestWin));
    BOOST_TEST(ending->covers(position("k1K1b3/8/8/8/8/7n/8/8 b - - 0 1")));
    BOOST_TEST(!ending->covers(position("k1K1b3/8/8/8/8/8/8/8 b - - 0 1")));
}

BOOST_AUTO_TEST_CASE(a_search_plays_by_it_and_says_the_distance) {
    for (const int threads : {1, 3}) {
        const auto searcher = make_searcher();
        searcher->set_threads(threads);
        const Game game(position(LongestWin));
        BOOST_TEST(searcher->search(game, to_nodes(500)).score == mate_in(65));
        Game lost(position("8/8/7N/8/8/8/8/K1k1B3 b - - 0 1"));
        const SearchResult answer = searcher->search(lost, to_nodes(500));
        BOOST_TEST(answer.score == mated_in(66));
        const Game pawns(position("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"));
        BOOST_TEST(searcher->search(pawns, to_nodes(500)).score == TableWin);
        const Game late(position("8/8/7N/8/8/8/8/K1k1B3 w - - 36 60"));
        BOOST_TEST(searcher->search(late, to_nodes(500)).score == Draw);
    }
}

BOOST_AUTO_TEST_CASE(a_mate_or_pawn_move_comes_before_the_claim_of_a_draw) {
    const Game mate(position("8/8/8/8/8/1k6/7q/K7 b - - 100 90"));
    BOOST_TEST(make_searcher()->search(mate, to_nodes(500)).score == mate_in(1));
    const Game pawn(position("8/P6k/8/8/8/8/8/K7 w - - 100 90"));
    BOOST_TEST(make_searcher()->search(pawn, to_nodes(500)).score > KnownWin);
    const Game neither(position("8/8/8/8/8/5k2/7q/K7 b - - 100 90"));
    BOOST_TEST(make_searcher()->search(neither, to_nodes(500)).score == Draw);
}

BOOST_AUTO_TEST_CASE(a_search_solves_only_where_there_is_time) {
    const Game game(position(LongestWin));
    const auto score = [&](const Limits& limits) {
        return make_searcher()->search(game, limits).score;
    };
    Limits limits = to_nodes(500);
    limits.clock = GameClock{.left = 1'000s, .theirs = 1'000s};
    BOOST_TEST(score(limits) == mate_in(65));
    limits.clock->left = 500ms;
    BOOST_TEST(score(limits) != mate_in(65));
    limits.clock.reset();
    limits.move_time = 100ms;
    BOOST_TEST(score(limits) != mate_in(65));
    limits.move_time = 100s;
    BOOST_TEST(score(limits) == mate_in(65));
    limits.strength = Strength{.elo = 1'200, .takes_time = false};
    BOOST_TEST(score(limits) != mate_in(65));
    limits.strength.reset();
    limits.lines = 2;
    BOOST_TEST(score(limits) != mate_in(65));
    limits.lines = 1;
    BOOST_TEST(score(limits) == mate_in(65));
    limits.solve_endings = false;
    BOOST_TEST(score(limits) != mate_in(65));
}

BOOST_AUTO_TEST_CASE(the_time_of_solving_is_no_stall) {
    // A busy machine may let the search wait for as long as solving takes, but not every time.
    const auto is_stall = [] {
        std::optional<milliseconds> solved;
        std::promise<SearchResult> result;
        Limits limits = to_nodes(500);
        limits.clock = GameClock{.left = 1'000s};
        const auto searcher = make_searcher();
        searcher->start(
            Game(position(LongestWin)),
            limits,
            [&](const SearchInfo& info) { solved = solved.value_or(info.spent); },
            [&](const SearchResult& found) { result.set_value(found); });
        const SearchResult found = result.get_future().get();
        searcher->wait();
        BOOST_TEST(found.score == mate_in(65));
        return found.stall >= solved.value() / 2;
    };
    int attempts = 1;
    while (attempts < 50 && is_stall())
        ++attempts;
    BOOST_TEST(attempts < 50);
}

// A search that ponders on the longest win.
class Pondering {
  public:
    Pondering(Searcher& searcher, Limits limits) : searcher_(searcher) {
        limits.ponder = true;
        searcher.start(
            Game(position(LongestWin)),
            limits,
            [this](const SearchInfo&) {
                if (!std::exchange(informed_, true))
                    first_info_.set_value();
            },
            [this](const SearchResult& found) { result_.set_value(found); });
    }
    void wait_for_info() { first_info_.get_future().wait(); }
    SearchResult hit(milliseconds left) {
        Limits limits = to_nodes(500);
        limits.clock = GameClock{.left = left};
        searcher_.ponder_hit(limits);
        const SearchResult found = result_.get_future().get();
        searcher_.wait();
        return found;
    }

  private:
    Searcher& searcher_;
    bool informed_ = false;
    std::promise<void> first_info_;
    std::promise<SearchResult> result_;
};

BOOST_AUTO_TEST_CASE(pondering_solves_whatever_the_clock) {
    const auto searcher = make_searcher();
    Limits limits;
    limits.clock = GameClock{.left = 10ms};
    Pondering pondering(*searcher, limits);
    pondering.wait_for_info();
    BOOST_TEST(pondering.hit(10ms).score == mate_in(65));
}

BOOST_AUTO_TEST_CASE(after_a_ponder_hit_solving_takes_no_more_than_the_clock_allows) {
    // On a busy machine the hit may come too late to interrupt it.
    const auto given_up = [] {
        const auto searcher = make_searcher();
        if (Pondering(*searcher, {}).hit(1ms).score == mate_in(65))
            return false;
        // There was no time at all, so that the next search tries again.
        BOOST_TEST(searcher->search(Game(position(LongestWin)), to_nodes(500)).score ==
                   mate_in(65));
        return true;
    };
    int attempts = 1;
    while (attempts < 50 && !given_up())
        ++attempts;
    BOOST_TEST(attempts < 50);
}

BOOST_AUTO_TEST_CASE(excluded_moves_are_not_chosen) {
    const Position pos = position(LongestWin);
    const auto best = choice(LongestWin);
    Limits limits = to_nodes(500);
    for (const Move m : best.moves)
        limits.excluded.push_back(m);
    const SearchResult other = make_searcher()->search(Game(pos), limits);
    BOOST_TEST(!best.moves.contains(other.best));
}

BOOST_AUTO_TEST_SUITE_END()
