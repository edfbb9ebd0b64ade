// The properties of learning: every table is a function of the log of games and of nothing else.
#include "book/learn/learn.h"

#include "tests/book/helpers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace book;
using helpers::check_verifies;
using helpers::record;
using helpers::take;

namespace {

// Transpositions, both colours, all time classes, all results, exits early and late.
std::vector<GameRecord> some_games(int count) {
    const std::vector<std::string> lines{"e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1",
                                         "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2 e5",
                                         "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
                                         "c4 e6 Nc3 d5 d4 Nf6 Bg5 Nbd7 e3 Be7",
                                         "Nf3 d5 d4 Nf6 c4 e6 Nc3 Be7 Bg5",
                                         "d4 Nf6 c4 e6 Nc3 d5 Bg5 Be7 e3 h6 Bh4",
                                         "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4",
                                         "Nf3 Nf6 Ng1 Ng8 e4 e5 Nf3 Nc6"};
    std::vector<GameRecord> games;
    std::uint64_t state = 12345;
    const auto roll = [&state](std::uint64_t n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<int>((state >> 33) % n);
    };
    for (int i = 0; i < count; ++i) {
        GameRecord r = record("game " + std::to_string(i),
                              lines[static_cast<std::size_t>(roll(lines.size()))],
                              roll(3) / 2.0,
                              0);
        r.our_side = roll(2) == 0 ? engine::White : engine::Black;
        r.exit_ply = std::min(2 + roll(9), r.game.ply());
        r.exit_cp = roll(160) - 80;
        r.exit_depth = 8 + roll(8);
        r.time = static_cast<TimeClass>(roll(3));
        r.termination = roll(12) == 0  ? Termination::Aborted
                        : roll(8) == 0 ? Termination::Flag
                                       : Termination::Board;
        r.opponent.name = roll(3) == 0 ? "Anna" : roll(2) == 0 ? "Boris(C)" : "GuestABCD";
        r.opponent.rating = 1500 + 100 * roll(10);
        r.our_rating = 2000;
        r.played += i;
        games.push_back(std::move(r));
    }
    return games;
}

Store open_store(double half_life = 0) {
    Store store(":memory:", true);
    store.db.set_number(HalfLifeName, half_life);
    return store;
}

struct State {
    std::map<std::tuple<Key, int, int>, Node> nodes;
    std::map<std::tuple<Key, int, int, int>, Visit> visits;
};
State state_of(Store& store) {
    State state;
    store.positions.each_node([&](const NodeKey& n, const Node& node) {
        state.nodes[{n.key, n.side, static_cast<int>(n.time)}] = node;
    });
    store.positions.each_visit([&](const NodeKey& n, const Visit& v) {
        state.visits[{n.key, n.side, static_cast<int>(n.time), v.move}] = v;
    });
    return state;
}

// Counts exactly, sums and values to 1e-9. Not the clock, which depends on the order of learning.
void check_same(const State& a, const State& b) {
    const auto near = [](double x, double y) {
        return std::abs(x - y) < 1e-9 * std::max(1.0, std::abs(x));
    };
    BOOST_TEST_REQUIRE(a.nodes.size() == b.nodes.size());
    for (const auto& [name, x] : a.nodes) {
        BOOST_TEST_REQUIRE(b.nodes.contains(name));
        const Node& y = b.nodes.at(name);
        BOOST_TEST(
            (x.visits == y.visits && x.exits == y.exits && x.rank == y.rank && x.bits == y.bits));
        BOOST_TEST((x.cp == y.cp && x.cp_depth == y.cp_depth));
        BOOST_TEST((near(x.weight_sum, y.weight_sum) && near(x.score_sum, y.score_sum)));
        BOOST_TEST(near(x.exit_weight, y.exit_weight));
        BOOST_TEST((near(x.value, y.value) && near(x.evidence, y.evidence)),
                   x.value << ' ' << y.value << ' ' << x.evidence << ' ' << y.evidence);
    }
    BOOST_TEST_REQUIRE(a.visits.size() == b.visits.size());
    for (const auto& [name, x] : a.visits) {
        BOOST_TEST_REQUIRE(b.visits.contains(name));
        const Visit& y = b.visits.at(name);
        BOOST_TEST((x.child == y.child && x.visits == y.visits && x.exits == y.exits));
        BOOST_TEST((x.wins == y.wins && x.draws == y.draws && x.losses == y.losses));
        BOOST_TEST(near(x.weight, y.weight));
    }
}

// One of `count` games that are the same but for the time they were played.
GameRecord repeated_game(int number, const char* opponent = "Clara") {
    GameRecord g = record("repeated " + std::to_string(number), "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4);
    g.opponent.name = opponent;
    g.played += number;
    return g;
}

// The weight of the results where those games left the book.
double weight_at_exit(Store& store) {
    const Key exit = helpers::play("e4 e5 Nf3 Nc6").position().key();
    return store.positions.node({.key = exit})->weight_sum;
}

double value_of_start(Store& store, Color side) {
    const auto node = store.positions.node(
        {.key = engine::Position().key(), .side = side, .time = TimeClass::Blitz});
    BOOST_TEST_REQUIRE(node.has_value());
    return node->value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learn)

BOOST_AUTO_TEST_CASE(any_order_of_games_gives_the_same_book) {
    std::vector<GameRecord> games = some_games(60);
    Store first = open_store();
    for (const GameRecord& g : games)
        take(first, g);
    const State expected = state_of(first);
    for (int round = 1; round <= 3; ++round) {
        std::rotate(games.begin(), games.begin() + 17 * round, games.end());
        std::reverse(games.begin() + 5, games.begin() + 30);
        Store other = open_store();
        for (const GameRecord& g : games)
            take(other, g);
        check_same(expected, state_of(other));
    }
}

BOOST_AUTO_TEST_CASE(rebuilding_gives_what_learning_gave) {
    for (const double half_life : {0.0, 20.0}) {
        Store store = open_store(half_life);
        for (const GameRecord& g : some_games(80)) {
            take(store, g, false);  // noted first, as in play
            take(store, g);
        }
        check_verifies(store);
        rebuild(store);
        check_verifies(store);
    }
}

BOOST_AUTO_TEST_CASE(unlearned_is_never_learned) {
    const std::vector<GameRecord> games = some_games(50);
    Store with = open_store(), without = open_store();
    for (std::size_t i = 0; i < games.size(); ++i) {
        take(with, games[i]);
        if (i % 7 != 3)
            take(without, games[i]);
    }
    const State all = state_of(with);
    std::int64_t unlearned = 0;
    for (std::size_t i = 3; i < games.size(); i += 7)
        if (const auto logged = with.games.find(games[i].uid))
            unlearned += unlearn(with, {.id = logged->id});
    BOOST_TEST(unlearned > 3);
    check_verifies(with);
    // Games that were rejected cannot be unlearned; their visits remain.
    for (std::size_t i = 3; i < games.size(); i += 7)
        if (games[i].termination == Termination::Aborted ||
            (games[i].termination == Termination::Flag))
            take(without, games[i]);
    check_same(state_of(without), state_of(with));
    BOOST_TEST(relearn(with, {}) == unlearned);
    check_same(all, state_of(with));
}

BOOST_AUTO_TEST_CASE(a_game_counts_once) {
    Store store = open_store();
    const GameRecord g = record("x", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4);
    BOOST_TEST((take(store, g) == LearnOutcome::Counted));
    const State once = state_of(store);
    BOOST_TEST((take(store, g) != LearnOutcome::Counted));
    BOOST_TEST((take(store, g, false) != LearnOutcome::Counted));
    check_same(once, state_of(store));
    BOOST_TEST(store.games.counts().games == 1);
}

BOOST_AUTO_TEST_CASE(a_note_and_the_result_are_one_game) {
    Store noted = open_store(), plain = open_store();
    GameRecord g = record("x", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4", 1, 4);
    GameRecord early = g;
    early.game = helpers::play("e4 e5 Nf3 Nc6");  // our first own move is not yet played
    take(noted, early, false);
    take(noted, early, false);
    BOOST_TEST(noted.games.counts().applied == 0);
    take(noted, g);
    take(plain, g);
    check_same(state_of(plain), state_of(noted));
    check_verifies(noted);
    BOOST_TEST(noted.games.counts().games == 1);
}

// The clock ages the evidence: its half-life is counted in games.
BOOST_AUTO_TEST_CASE(a_game_takes_one_step_of_the_clock) {
    Store store = open_store(1500);
    for (const char* uid : {"a", "b", "c"}) {
        const GameRecord g = record(uid, "e4 e5 Nf3 Nc6 Bb5", 1, 4);
        take(store, g, false);
        take(store, g);
    }
    BOOST_TEST(store.clock() == 3);
    BOOST_TEST(store.games.find("c")->clock == 3);
    take(store, record("never finished", "e4 e5 Nf3 Nc6 Bb5", 0.5, 4), false);
    BOOST_TEST(store.clock() == 3);
    take(store, record("d", "e4 e5 Nf3 Nc6 Bb5", 1, 4));
    BOOST_TEST(store.clock() == 4);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(an_aborted_game_leaves_nothing) {
    Store store = open_store();
    take(store, record("other", "e4 e5 Nf3 Nc6 Bb5", 1, 4));
    const State before = state_of(store);
    GameRecord g = record("x", "e4 e5 Nf3 Nc6 Bb5 a6", 0.5, 4);
    take(store, g, false);
    g.termination = Termination::Aborted;
    BOOST_TEST((take(store, g) == LearnOutcome::Ignored));
    BOOST_TEST(!store.games.find("x").has_value());
    check_same(before, state_of(store));
    check_verifies(store);
}

// An adjourned game may wait long, but not for ever.
BOOST_AUTO_TEST_CASE(a_note_waits_thirty_days_for_its_result) {
    constexpr std::int64_t Day = 86'400;
    Store store = open_store();
    GameRecord g = record("adjourned", "e4 e5 Nf3 Nc6 Bb5", 0.5, 4);
    take(store, g, false);
    GameRecord later = record("later", "d4 d5 c4 e6", 1, 4);
    later.played = g.played + 29 * Day;
    take(store, later);
    BOOST_TEST(store.games.find("adjourned").has_value());
    later.uid = "much later";
    later.played = g.played + 31 * Day;
    take(store, later);
    BOOST_TEST(!store.games.find("adjourned").has_value());
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_result_keeps_the_ratings_of_the_note) {
    Store store = open_store();
    GameRecord g = record("x", "e4 e5 Nf3 Nc6 Bb5", 1, 4);
    g.opponent = {.name = "Anna", .rating = 1500};
    g.our_rating = 1900;
    take(store, g, false);
    g.opponent.rating = g.our_rating = 0;  // a server may not tell them when a game is resumed
    take(store, g);
    const LoggedGame logged = store.games.find("x").value();
    BOOST_TEST(logged.record.opponent.rating == 1500);
    BOOST_TEST(logged.record.our_rating == 1900);
    BOOST_TEST(logged.evidence.weight < 0.5);
}

BOOST_AUTO_TEST_CASE(a_note_that_was_wrong_leaves_nothing) {
    Store noted = open_store(), plain = open_store();
    GameRecord wrong = record("x", "e4 c5 Nf3 d6", 0.5, 2);
    wrong.exit_cp = -200;
    const GameRecord right = record("x", "e4 e5 Nf3 Nc6 Bb5 a6", 0, 4);
    take(noted, wrong, false);
    take(noted, right);
    take(plain, right);
    check_same(state_of(plain), state_of(noted));
    check_verifies(noted);
}

BOOST_AUTO_TEST_CASE(an_unfinished_game_counts_by_its_search_score) {
    Store store = open_store();
    GameRecord good = record("x", "e4 e5 Nf3 Nc6", 0.5, 4);
    good.exit_cp = 150;
    take(store, good, false);
    BOOST_TEST(value_of_start(store, engine::White) > 0.55);
}

BOOST_AUTO_TEST_CASE(winning_raises_and_losing_lowers) {
    Store store = open_store();
    take(store, record("a", "e4 e5 Nf3 Nc6", 1, 4));
    const double after_win = value_of_start(store, engine::White);
    take(store, record("b", "e4 e5 Nf3 Nc6", 0, 4));
    const double after_loss = value_of_start(store, engine::White);
    BOOST_TEST(after_win > 0.5);
    BOOST_TEST(after_loss < after_win);
}

BOOST_AUTO_TEST_CASE(colours_are_kept_apart) {
    Store store = open_store();
    take(store, record("a", "e4 e5 Nf3 Nc6", 1, 4));
    BOOST_TEST(
        !store.positions
             .node(
                 {.key = engine::Position().key(), .side = engine::Black, .time = TimeClass::Blitz})
             .has_value());
    BOOST_TEST(store.positions.nodes(engine::Position().key(), engine::Black).empty());
}

BOOST_AUTO_TEST_CASE(a_transposition_shares_what_is_learned) {
    Store store = open_store();
    // Two move orders to one position; losses below it then lower both beginnings.
    take(store, record("a", "d4 d5 c4 e6 Nc3 Nf6 Bg5", 0.5, 6));
    take(store, record("b", "c4 e6 Nc3 d5 d4 Nf6 Bg5", 0.5, 6));
    const auto value_after = [&](const std::string& san) {
        const Key key = helpers::play(san).position().key();
        return store.positions.node({.key = key, .side = engine::White, .time = TimeClass::Blitz})
            ->value;
    };
    const double before = value_after("c4");
    for (int i = 0; i < 5; ++i)
        take(store, record("d" + std::to_string(i), "d4 d5 c4 e6 Nc3 Nf6 Bg5", 0, 6));
    BOOST_TEST(value_after("c4") < before - 0.05);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(going_round_in_circles_ends_the_book) {
    Store store = open_store();
    take(store, record("a", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 e3", 1, 6));
    const auto track = track_of(record("a", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 e3", 1, 6), true);
    BOOST_TEST_REQUIRE(track.has_value());
    BOOST_TEST(track->steps.size() == 3);  // Ng8 would come back to the start
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(the_kth_equal_game_counts_a_kth) {
    Store store = open_store();
    double expected = 0;
    for (int k = 1; k <= 5; ++k) {
        take(store, repeated_game(k), false);
        take(store, repeated_game(k));
        expected += 1.0 / k;
        BOOST_TEST(weight_at_exit(store) == expected, boost::test_tools::tolerance(1e-12));
    }
    take(store, repeated_game(6, "Anna"));  // against another opponent it is another game
    BOOST_TEST(weight_at_exit(store) == expected + 1, boost::test_tools::tolerance(1e-12));
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(removing_one_of_equal_games_renumbers_the_others) {
    Store store = open_store();
    for (const int number : {3, 1, 4, 2})  // as they arrive from several processes
        take(store, repeated_game(number));
    check_verifies(store);
    BOOST_TEST(store.games.repetition(store.games.find("repeated 4").value()).number == 4);
    BOOST_TEST(unlearn(store, {.id = store.games.find("repeated 1")->id}) == 1);
    BOOST_TEST(store.games.repetition(store.games.find("repeated 4").value()).number == 3);
    BOOST_TEST(weight_at_exit(store) == 1 + 0.5 + 1.0 / 3, boost::test_tools::tolerance(1e-12));
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(one_opponent_counts_at_one_exit_as_a_few_games) {
    Store store = open_store();
    const char* const moves[] = {"a6",
                                 "Nf6",
                                 "d6",
                                 "f5",
                                 "g6",
                                 "Bc5",
                                 "Be7",
                                 "Nge7",
                                 "Qe7",
                                 "Qf6",
                                 "Nd4",
                                 "b6",
                                 "h6",
                                 "a5",
                                 "h5"};
    int number = 0;
    const auto take_all = [&](const char* opponent) {
        for (const char* const move : moves) {
            GameRecord g =
                record(std::to_string(++number), std::string("e4 e5 Nf3 Nc6 Bb5 ") + move, 1, 4);
            g.opponent.name = opponent;
            take(store, g);
        }
    };
    const double most = store.model().opponent_cap;
    BOOST_TEST_REQUIRE(most < static_cast<double>(std::size(moves)));
    take_all("Anna");
    BOOST_TEST(weight_at_exit(store) == most, boost::test_tools::tolerance(1e-12));
    take_all("Boris");
    BOOST_TEST(weight_at_exit(store) == 2 * most, boost::test_tools::tolerance(1e-12));
    check_verifies(store);
}

// The weight of visits fades like that of results: values follow a change of repertoire.
BOOST_AUTO_TEST_CASE(a_move_no_longer_played_fades_from_the_value) {
    Store store = open_store(20);
    const auto play_some =
        [&](const std::string& name, const char* moves, double score, int games) {
            for (int i = 0; i < games; ++i) {
                GameRecord g = record(name + std::to_string(i), moves, score, 4);
                g.opponent.name = name + std::to_string(i);
                g.exit_cp = score > 0.5 ? 200 : -200;
                take(store, g);
            }
        };
    play_some("old", "e4 e5 Nf3 Nc6", 0, 40);
    BOOST_TEST(value_of_start(store, engine::White) < 0.35);
    play_some("new", "d4 d5 c4 e6", 1, 40);
    BOOST_TEST(value_of_start(store, engine::White) > 0.65);  // by numbers of games it would be 0.5
    check_verifies(store);
    rebuild(store);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(what_says_nothing_is_rejected) {
    Store store = open_store();
    GameRecord aborted = record("a", "e4 e5 Nf3 Nc6", 0, 4);
    aborted.termination = Termination::Aborted;
    BOOST_TEST((take(store, aborted) != LearnOutcome::Counted));
    GameRecord moveless = record("b", "", 1, 0);
    BOOST_TEST((take(store, moveless) != LearnOutcome::Counted));
    GameRecord as_black = record("c", "e4", 1, 1);
    as_black.our_side = engine::Black;
    BOOST_TEST((take(store, as_black) != LearnOutcome::Counted));
    GameRecord in_book = record("d", "e4 e5 Nf3 Nc6", 1, 4);
    in_book.exit_ply.reset();  // given up before the book ended
    BOOST_TEST((take(store, in_book) != LearnOutcome::Counted));
    GameRecord mate = record("e", "f3 e5 g4 Qh4", 0, 4);
    mate.exit_ply.reset();  // a mate inside the book is evidence about the opening
    BOOST_TEST((take(store, mate) == LearnOutcome::Counted));
    BOOST_TEST(store.games.counts().games == 4);  // an aborted game is in no log
    check_verifies(store);
}

BOOST_AUTO_TEST_SUITE_END()
