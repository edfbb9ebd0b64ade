// What is known in one position, also while others write to the book, and the moves chosen there.
#include "book/probe/probe.h"

#include "tests/book/helpers.h"

#include <array>
#include <map>
#include <set>

using namespace book;
using helpers::check_verifies;
using helpers::record;
using helpers::take;

namespace {

BookQuery at_start(std::int64_t opponent = 0) {
    BookQuery query = query_of(engine::Position(), engine::White, TimeClass::Blitz);
    query.opponent = opponent;
    return query;
}
MoveChoice choose(Store& store, const ChoiceTerms& terms, std::int64_t opponent = 0) {
    return choose_move({.experience = &store}, store.model(), at_start(opponent), terms);
}

const Candidate& candidate(const MoveChoice& s, const std::string& san) {
    const StoredMove move = book::store(helpers::move(engine::Game(), san), engine::White);
    for (const Candidate& c : s.record.candidates)
        if (c.move == move)
            return c;
    BOOST_FAIL("no candidate " << san);
    return s.record.candidates.front();
}

void import_games(Store& store, const engine::Game& game, const char* san, Edge edge) {
    edge.move = book::store(helpers::move(game, san), game.position().side_to_move());
    store.positions.add_edges(std::vector<KeyedEdge>{{.key = game.position().key(), .edge = edge}},
                              true);
}

Store some_book() {
    Store store(":memory:", true);
    int number = 0;
    for (const auto& [moves, score] : {std::pair("e4 e5 Nf3 Nc6", 0.5),
                                       std::pair("e4 e5 Nf3 Nc6", 0.5),
                                       std::pair("d4 d5 c4 e6", 0.5),
                                       std::pair("d4 d5 c4 e6", 0.5),
                                       std::pair("c4 e5 Nc3 Nf6", 0.5),
                                       std::pair("Nf3 d5 d4 Nf6", 0.5)})
        take(store, record(std::to_string(number++), moves, score, 4));
    return store;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(probe)

BOOST_AUTO_TEST_CASE(one_look_sees_one_moment) {
    const helpers::Folder folder;
    Store ours(folder / "book.db", true);
    Store theirs(folder / "book.db", true);
    helpers::take(ours, record("a", "e4 e5 Nf3 Nc6", 1, 2));
    const engine::Position start;
    BookQuery query = query_of(start, engine::White, TimeClass::Blitz);
    // Another program learns a game while we look.
    query.child = [&theirs, learned = false, child = query.child](
                      StoredMove move) mutable -> std::optional<Key> {
        if (!learned)
            helpers::take(theirs, record("b", "d4 d5 c4 e6", 0, 2));
        learned = true;
        return child(move);
    };
    const Model model = ours.model();
    ours.positions.set_analysis(
        start.key(), {.move = book::store(helpers::move(engine::Game(), "e4"), engine::White)});
    BOOST_TEST(book::view({.experience = &ours}, model, query).moves.size() == 1U);
    BOOST_TEST(book::view({.experience = &ours}, model, query).moves.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_move_found_at_the_exit_is_not_searched_twice) {
    Store store(":memory:", true);
    helpers::take(store, record("a", "e4 e5 Nf3 Nc6", 0.5, 2));  // Nf3 was found by a search
    const engine::Game exit = helpers::play("e4 e5");
    const BookQuery query = query_of(exit.position(), engine::White, TimeClass::Blitz);
    const Model model = store.model();
    const auto evidence = [&] {
        return book::view({.experience = &store}, model, query).moves.at(0).belief.evidence;
    };
    const double before = evidence();
    store.positions.set_analysis(
        exit.position().key(),
        {.move = book::store(helpers::move(exit, "Nf3"), engine::White), .cp = 20, .depth = 12});
    BOOST_TEST(evidence() == before);
}

BOOST_AUTO_TEST_CASE(a_look_within_a_transaction_leaves_it_open) {
    Store store(":memory:", true);
    const BookQuery query = at_start();
    Transaction transaction(store.db);
    learn_game(store, record("a", "e4 e5 Nf3 Nc6", 1, 2), true, 1);
    BOOST_TEST(book::view({.experience = &store}, store.model(), query).visited);
    transaction.commit();
    BOOST_TEST(store.games.count_applied() == 1);
}

BOOST_AUTO_TEST_CASE(same_seed_same_book_same_move) {
    Store one = some_book(), other = some_book();
    std::set<StoredMove> chosen;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const MoveChoice a = choose(one, {.seed = seed}), b = choose(other, {.seed = seed});
        BOOST_TEST_REQUIRE(a.chosen.has_value());
        BOOST_TEST_REQUIRE(b.chosen.has_value());
        BOOST_TEST(a.chosen->move == b.chosen->move);
        BOOST_TEST(to_text(a.record) == to_text(b.record));
        chosen.insert(a.chosen->move);
    }
    BOOST_TEST(chosen.size() > 1U);  // the seed does matter
}

BOOST_AUTO_TEST_CASE(moves_of_a_view_come_by_their_probability) {
    Store store = some_book();
    const BookQuery query = at_start();
    PositionView seen = view({.experience = &store}, store.model(), query);
    add_probabilities(store.model(), true, {}, seen);
    std::map<StoredMove, int> count;
    for (std::uint64_t seed = 1; seed <= 500; ++seed)
        ++count[choose(store, {.seed = seed}).chosen.value().move];
    double last = 1, sum = 0;
    for (const BookMove& move : seen.moves) {
        BOOST_TEST(move.probability <= last);
        BOOST_TEST(std::abs(move.probability - count[move.move] / 500.0) < 0.08);
        last = move.probability;
        sum += move.probability;
    }
    BOOST_TEST(std::abs(sum - 1) < 1e-9);
}

BOOST_AUTO_TEST_CASE(replies_come_by_how_often_to_expect_them) {
    Store store(":memory:", true);
    for (int i = 0; i < 8; ++i) {  // the game with e5 is repeated: 1 + 1/2 + ... + 1/5
        GameRecord r = record(std::to_string(i), i < 5 ? "e4 e5 Nf3 d6" : "e4 c5 Nf3 d6", 0.5, 4);
        r.opponent.name = i < 5 ? "Anna" : r.uid;
        take(store, r);
    }
    const engine::Game game = helpers::play("e4");
    PositionView seen = view({.experience = &store},
                             store.model(),
                             query_of(game.position(), engine::White, TimeClass::Blitz));
    add_probabilities(store.model(), false, {}, seen);
    BOOST_TEST_REQUIRE(seen.moves.size() == 2U);
    BOOST_TEST(seen.moves[0].move == book::store(helpers::move(game, "c5"), engine::Black));
    BOOST_TEST(std::abs(seen.moves[0].probability - 3 / 5.2833) < 0.001);
}

// A base book in which 1.e4 was searched with 1000 nodes, and the user's book on top.
struct BaseAndOwn {
    Store base{":memory:", true}, own{":memory:", true};
    BaseAndOwn() { add("", "e4"); }
    void add(const std::string& before, const std::string& san) {
        const engine::Game game = helpers::play(before);
        const Color side = game.position().side_to_move();
        base.positions.set_analysis(game.position().key(),
                                    {.move = book::store(helpers::move(game, san), side),
                                     .cp = 20,
                                     .depth = 9,
                                     .nodes = 1000});
    }
    MoveChoice choose(std::int64_t nodes, const std::string& moves = "") {
        const engine::Game game = helpers::play(moves);
        ChoiceTerms terms{.ply = game.ply(), .seed = 1, .expected_nodes = nodes};
        if (game.ply() > 0)
            terms.moved_last = game.moves().back().to();
        return choose_move(
            {.experience = &own, .base = &base},
            own.model(),
            query_of(game.position(), game.position().side_to_move(), TimeClass::Blitz),
            terms);
    }
};

BOOST_AUTO_TEST_CASE(a_longer_search_is_better_than_a_move_of_the_base_book) {
    BaseAndOwn books;
    BOOST_TEST(books.choose(0).chosen.has_value());
    BOOST_TEST(books.choose(2000).chosen.has_value());
    const MoveChoice left = books.choose(2001);
    BOOST_TEST(!left.chosen.has_value());
    BOOST_TEST(left.left_because == "the clock allows a longer search than the one in the book");
    PositionView seen =
        view({.experience = &books.own, .base = &books.base}, books.own.model(), at_start());
    add_probabilities(books.own.model(), true, {.expected_nodes = 2001}, seen);
    BOOST_TEST(seen.moves.at(0).probability == 0);
    add_probabilities(books.own.model(), true, {.expected_nodes = 2000}, seen);
    BOOST_TEST(seen.moves.at(0).probability == 1);
}

BOOST_AUTO_TEST_CASE(searches_of_all_moves_of_a_position_count_together) {
    BaseAndOwn books;
    books.add("", "d4");
    BOOST_TEST(books.choose(4000).chosen.has_value());
    BOOST_TEST(!books.choose(4001).chosen.has_value());
}

BOOST_AUTO_TEST_CASE(what_own_or_imported_games_tell_no_search_replaces) {
    BaseAndOwn played;
    take(played.own, record("a", "e4 e5 Nf3 Nc6", 1, 4));
    BOOST_TEST(played.choose(1'000'000).chosen.has_value());
    BaseAndOwn imported;
    const StoredMove e4 = book::store(helpers::move(engine::Game(), "e4"), engine::White);
    const std::vector<KeyedEdge> edges{
        {.key = engine::Position().key(), .edge = {.move = e4, .draws = 5}}};
    imported.base.positions.add_edges(edges, true);
    BOOST_TEST(!imported.choose(1'000'000).chosen.has_value());
    imported.own.positions.add_edges(edges, true);
    BOOST_TEST(imported.choose(1'000'000).chosen.has_value());
    BaseAndOwn marked;
    marked.own.positions.set_flags(engine::Position().key(), e4, Always);
    BOOST_TEST(marked.choose(1'000'000).chosen.has_value());
}

BOOST_AUTO_TEST_CASE(the_book_does_not_end_in_an_exchange) {
    BaseAndOwn books;
    books.add("e4 d5 exd5", "Qxd5");
    books.add("e4 d5 exd5 Nf6", "c4");
    BOOST_TEST(books.choose(1'000'000, "e4 d5 exd5").chosen.has_value());
    BOOST_TEST(!books.choose(1'000'000, "e4 d5 exd5 Nf6").chosen.has_value());
}

// Counts of a collection of masters' games. In 17 games 1.g4 has done better than any other move.
BOOST_AUTO_TEST_CASE(a_rare_move_that_was_lucky_is_not_played) {
    Store store(":memory:", true);
    const Key start = engine::Position().key();
    const auto stored = [](const char* san) {
        return book::store(helpers::move(engine::Game(), san), engine::White);
    };
    std::vector<KeyedEdge> edges{
        {.key = start,
         .edge = {.move = stored("e4"), .white = 23'813, .draws = 27'520, .black = 17'039}},
        {.key = start,
         .edge = {.move = stored("d4"), .white = 18'786, .draws = 24'318, .black = 13'065}},
        {.key = start, .edge = {.move = stored("f3"), .white = 2}},
        {.key = start, .edge = {.move = stored("g4"), .white = 10, .draws = 3, .black = 4}}};
    std::sort(edges.begin(), edges.end(), [](const KeyedEdge& a, const KeyedEdge& b) {
        return a.edge.move < b.edge.move;
    });
    store.positions.add_edges(edges, true);
    const auto share = [&](const char* san) {
        PositionView seen = view({.experience = &store}, store.model(), at_start());
        add_probabilities(store.model(), true, {}, seen);
        for (const BookMove& move : seen.moves)
            if (move.move == stored(san))
                return move.probability;
        return -1.0;
    };
    for (const bool searched : {false, true}) {
        if (searched)  // and the searches think less of White than the results do
            for (const char* san : {"e4", "d4"})
                store.positions.set_analysis(
                    start, {.move = stored(san), .cp = 15, .depth = 30, .nodes = 16'000'000});
        BOOST_TEST(share("e4") > 0.2);
        BOOST_TEST(share("d4") > 0.2);
        BOOST_TEST(share("g4") < 0.01);
        BOOST_TEST(share("f3") < 0.01);
    }
}

// All games are the same one: their length is no evidence.
BOOST_AUTO_TEST_CASE(evidence_does_not_grow_with_the_length_of_a_line) {
    const std::string line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8";
    const auto evidence_at_the_root = [&line](int exit) {
        Store store(":memory:", true);
        for (const char* uid : {"a", "b"}) {
            GameRecord won = record(uid, line, 1, exit);
            won.opponent.name = uid;
            take(store, won);
        }
        const Model model = store.model();
        return view({.experience = &store}, model, at_start()).moves.at(0).belief.evidence -
               model.parent;
    };
    BOOST_TEST(evidence_at_the_root(18) <= 2 + Model().exit);  // two games, one search score
    BOOST_TEST(evidence_at_the_root(18) == evidence_at_the_root(4));
}

BOOST_AUTO_TEST_CASE(own_results_make_up_for_few_games_of_others) {
    BaseAndOwn books;
    books.add("", "h3");
    const auto stored = [](const char* san) {
        return book::store(helpers::move(engine::Game(), san), engine::White);
    };
    std::vector<KeyedEdge> edges{
        {.key = engine::Position().key(), .edge = {.move = stored("e4"), .unknown = 30'000}},
        {.key = engine::Position().key(), .edge = {.move = stored("h3"), .unknown = 8}}};
    std::sort(edges.begin(), edges.end(), [](const KeyedEdge& a, const KeyedEdge& b) {
        return a.edge.move < b.edge.move;
    });
    books.base.positions.add_edges(edges, true);
    const auto share_of_h3 = [&] {
        PositionView seen =
            view({.experience = &books.own, .base = &books.base}, books.own.model(), at_start());
        add_probabilities(books.own.model(), true, {}, seen);
        for (const BookMove& move : seen.moves)
            BOOST_TEST(move.base_weight == move.imported_games);  // none of them was played
        for (const BookMove& move : seen.moves)
            if (move.move == stored("h3"))
                return move.probability;
        return -1.0;
    };
    BOOST_TEST(share_of_h3() < 0.03);
    for (int i = 0; i < 6; ++i)
        take(books.own, record(std::to_string(i), "h3 e5 e4 Nf6", 1, 2));
    BOOST_TEST(share_of_h3() > 0.5);
}

BOOST_AUTO_TEST_CASE(what_is_known_after_the_replies_counts) {
    Store store(":memory:", true);
    const engine::Game game = helpers::play("d4 d5"), after = helpers::play("d4 d5 Nf3");
    const BookQuery query = query_of(game.position(), engine::White, TimeClass::Blitz);
    const auto mean_of_first = [&] {
        return view({.experience = &store}, store.model(), query).moves.at(0).mean;
    };
    import_games(store, game, "Nf3", {.draws = 5});
    const double before = mean_of_first();
    import_games(store, after, "Nf6", {.white = 200, .draws = 300});  // nearly all after 1.Nf3
    BOOST_TEST(mean_of_first() > before + 0.05);
}

BOOST_AUTO_TEST_CASE(our_best_move_after_a_reply_counts) {
    Store store(":memory:", true);
    const auto learn = [&store](const std::string& moves, double score, const char* opponent) {
        GameRecord game = record(opponent + moves, moves, score, 4);
        game.opponent.name = opponent;
        take(store, game);
    };
    for (const char* reply : {"Nf6", "Bc5", "Nc6", "d6", "Be7", "c6"})
        learn(std::string("e4 e5 Bc4 ") + reply, 0, "Anna");
    for (const char* reply : {"Nf6", "Qe7", "Nc6", "d6"})
        learn(std::string("e4 e5 Nf3 ") + reply, 1, "Anna");
    import_games(store, engine::Game(), "e4", {.draws = 1});
    import_games(store, helpers::play("e4"), "e5", {.draws = 1});
    const auto mean_of_e4 = [&store](double look_ahead, std::int64_t opponent = 0) {
        Model model = store.model();
        model.look_ahead = look_ahead;
        return view({.experience = &store}, model, at_start(opponent)).moves.at(0).mean;
    };
    // Bc4 was played more often, and lost; but Nf3 will be played.
    BOOST_TEST(mean_of_e4(0.5) > mean_of_e4(0) + 0.02);
    // Against an opponent who repeats games, their results say more.
    for (int i = 0; i < 3; ++i) {
        GameRecord again = record("again" + std::to_string(i), "e4 e5 Bc4 a6", 0, 4);
        again.opponent.name = "Clara";
        again.played += i;
        take(store, again);
    }
    const std::int64_t clara = store.opponents.identify({.name = "Clara"});
    BOOST_TEST(mean_of_e4(0.5, clara) == mean_of_e4(0, clara));
    BOOST_TEST(mean_of_e4(0.5) > mean_of_e4(0) + 0.02);
}

BOOST_AUTO_TEST_CASE(a_single_win_and_weightless_games_are_no_certainty) {
    Store store(":memory:", true);
    GameRecord won = record("a", "e4 e5 Nf3 Nc6", 1, 4);
    won.exit_cp = 0;
    take(store, won);
    GameRecord early = record("b", "d4 d5 c4 e6", 1, 4);
    early.termination = Termination::Flag;  // weighs nothing so early
    early.exit_cp = 0;
    take(store, early);
    GameRecord unequal = record("c", "c4 e5 Nc3 Nf6", 1, 4);
    unequal.exit_cp = 0;
    unequal.our_rating = 2800;
    unequal.opponent = {.name = "Anna", .rating = 900};  // weighs next to nothing
    take(store, unequal);
    const engine::Game game;
    store.positions.add_edges(
        std::vector<KeyedEdge>{
            {.key = game.position().key(),
             .edge = {.move = book::store(helpers::move(game, "Nf3"), engine::White), .white = 1}}},
        true);
    const MoveChoice s = choose(store, {.seed = 1, .may_leave = false});
    for (const char* san : {"e4", "d4", "c4", "Nf3"}) {
        BOOST_TEST(candidate(s, san).mean >= 0.5, san);
        BOOST_TEST(candidate(s, san).mean < 0.6, san);
        BOOST_TEST(candidate(s, san).evidence > 0, san);
    }
    BOOST_TEST(candidate(s, "e4").mean > candidate(s, "d4").mean);
}

BOOST_AUTO_TEST_CASE(without_time_any_known_move_is_played) {
    Store store(":memory:", true);
    BOOST_TEST(!choose(store, {.seed = 1, .may_leave = false}).chosen.has_value());
    for (int i = 0; i < 6; ++i) {
        GameRecord lost = record(std::to_string(i), "f3 e5 g4 d5", 0, 4);
        lost.exit_cp = -400;
        take(store, lost);
    }
    BOOST_TEST(!choose(store, {.seed = 1}).chosen.has_value());
    BOOST_TEST(choose(store, {.seed = 1}).left_because != "");
    BOOST_TEST(choose(store, {.seed = 1, .may_leave = false}).chosen.has_value());
}

BOOST_AUTO_TEST_CASE(a_line_that_does_poorly_lets_the_search_look_for_another_now_and_then) {
    Store store(":memory:", true);
    int number = 0;
    constexpr std::array Last = {"a3",
                                 "a4",
                                 "b3",
                                 "b4",
                                 "c3",
                                 "c4",
                                 "d3",
                                 "d4",
                                 "g3",
                                 "h3",
                                 "h4",
                                 "Na3",
                                 "Nc3",
                                 "Be2",
                                 "Bd3"};
    const auto play_one = [&](std::string moves, double score, int cp, int exit) {
        if (exit > 0)  // no game is repeated
            moves += std::string(" ") + Last.at(static_cast<std::size_t>(number));
        GameRecord game = record(std::to_string(number++), moves, score, exit);
        game.exit_cp = cp;
        take(store, game);
    };
    for (int i = 0; i < 4; ++i) {
        BOOST_TEST(choose(store, {.seed = 1}).chosen.has_value() == (i > 0));
        play_one("e4 g5 Nf3 g4", 0.5, -60, 4);
    }
    const MoveChoice left = choose(store, {.seed = 1});
    BOOST_TEST(!left.chosen.has_value());
    const TriedMoves& tried = left.tried;
    const engine::Move e4 = helpers::move(engine::Game(), "e4");
    BOOST_TEST_REQUIRE(tried.moves.size() == 1U);
    BOOST_TEST((tried.moves[0] == e4 && tried.best == e4));
    const double mean = candidate(choose(store, {.seed = 1}), "e4").mean;
    BOOST_TEST(tried.to_beat == mean, boost::test_tools::tolerance(0.05));
    BOOST_TEST(choose(store, {.seed = 1, .match = true}).chosen.has_value());
    BOOST_TEST(choose(store, {.seed = 1, .may_leave = false}).chosen.has_value());
    // The first look is done: the book's move has to do poorly in four more games for the second.
    play_one("d4 d5 c4 e6", 0.5, 20, 0);
    for (int i = 0; i < 4; ++i) {
        BOOST_TEST(choose(store, {.seed = 1}).chosen.has_value());
        play_one("e4 g5 Nf3 g4", 0.5, -60, 4);
    }
    BOOST_TEST(!choose(store, {.seed = 1}).chosen.has_value());
    // What both looks found is a move of the book now, and the better one.
    play_one("d4 d5 c4 e6", 0.5, 20, 0);
    for (int i = 0; i < 4; ++i)
        play_one("e4 g5 Nf3 g4", 0.5, -60, 4);
    const MoveChoice s = choose(store, {.seed = 1});
    BOOST_TEST_REQUIRE(s.chosen.has_value());
    BOOST_TEST(s.chosen->move == book::store(helpers::move(engine::Game(), "d4"), engine::White));
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_search_does_not_play_what_is_forbidden) {
    Store store(":memory:", true);
    const engine::Move f3 = helpers::move(engine::Game(), "f3");
    store.positions.set_flags(engine::Position().key(), book::store(f3, engine::White), Never);
    const MoveChoice left = choose(store, {.seed = 1});
    BOOST_TEST(!left.chosen.has_value());
    BOOST_TEST_REQUIRE(left.tried.moves.size() == 1U);
    BOOST_TEST((left.tried.moves[0] == f3));
    BOOST_TEST(!left.tried.best.has_value());
}

// What repeats itself outweighs the games of all others, for the one opponent.
BOOST_AUTO_TEST_CASE(what_an_opponent_repeats_is_soon_known_of_him) {
    Store store(":memory:", true);
    for (int i = 0; i < 40; ++i)
        take(store, record("o" + std::to_string(i), "e4 e5 Nf3 Nc6", i % 2, 4));
    const auto mean = [&store](std::int64_t opponent) {
        return candidate(choose(store, {.seed = 1}, opponent), "e4").mean;
    };
    const double usual = mean(0);
    for (int i = 0; i < 4; ++i) {
        GameRecord lost = record("r" + std::to_string(i), "e4 e5 Nf3 Nc6 Bb5 a6", 0, 4);
        lost.opponent.name = "Clara";
        take(store, lost);
    }
    const std::int64_t clara = store.opponents.identify({.name = "Clara"});
    BOOST_TEST(mean(0) > usual - 0.05);
    BOOST_TEST(mean(clara) < usual - 0.15);
}

BOOST_AUTO_TEST_CASE(who_beats_us_in_a_line_again_and_again_does_not_meet_it) {
    Store store(":memory:", true);
    for (int i = 0; i < 8; ++i) {
        take(store, record("d" + std::to_string(i), "d4 d5 c4 e6", 0.5, 4));
        GameRecord won = record("w" + std::to_string(i), "e4 e5 Nf3 Nc6", 1, 2);
        won.opponent.name = "Boris";
        take(store, won);
        GameRecord lost = record("l" + std::to_string(i), "e4 e5 Nf3 Nc6", 0, 2);
        lost.opponent.name = "Anna";
        take(store, lost);
    }
    const std::int64_t anna = store.opponents.identify({.name = "Anna"});
    const std::int64_t boris = store.opponents.identify({.name = "Boris"});
    BOOST_TEST(candidate(choose(store, {.seed = 1}, anna), "e4").opponent_penalty > 0.3);
    BOOST_TEST(candidate(choose(store, {.seed = 1}, boris), "e4").opponent_penalty == 0);
    BOOST_TEST(candidate(choose(store, {.seed = 1}, anna), "d4").opponent_penalty == 0);
    const StoredMove e4 = book::store(helpers::move(engine::Game(), "e4"), engine::White);
    for (std::uint64_t seed = 1; seed < 100; ++seed)
        BOOST_TEST(choose(store, {.seed = seed}, anna).chosen->move != e4);
}

BOOST_AUTO_TEST_CASE(what_wins_by_repetition_is_believed_against_that_opponent) {
    Store store = some_book();
    for (int i = 0; i < 30; ++i) {
        GameRecord won = record("r" + std::to_string(i), "c4 e5 Nc3 Nf6 g3", 1, 4);
        won.opponent.name = "Clara";
        won.played += i;
        take(store, won);
    }
    const std::int64_t clara = store.opponents.identify({.name = "Clara"});
    const std::int64_t anna = store.opponents.identify({.name = "Anna"});
    const double here = candidate(choose(store, {.ply = 2, .seed = 1}, clara), "c4").mean;
    const double elsewhere = candidate(choose(store, {.ply = 2, .seed = 1}, anna), "c4").mean;
    BOOST_TEST(elsewhere < 0.66);
    BOOST_TEST(here > elsewhere + 0.08);
    BOOST_TEST(candidate(choose(store, {.seed = 1}, anna), "e4").mean ==
               candidate(choose(store, {.ply = 2, .seed = 1}, clara), "e4").mean);
    check_verifies(store);
}

// Against the opponent of all those games, and where each was against another one.
BOOST_AUTO_TEST_CASE(a_first_move_that_always_wins_rests_now_and_then) {
    const StoredMove c4 = book::store(helpers::move(engine::Game(), "c4"), engine::White);
    for (const bool repeated : {true, false}) {
        Store store = some_book();
        for (int i = 0; i < 30; ++i) {
            GameRecord won = record("r" + std::to_string(i), "c4 e5 Nc3 Nf6 g3", 1, 4);
            won.opponent.name = repeated ? "Clara" : std::to_string(i);
            won.played += i;
            take(store, won);
        }
        const std::int64_t clara = store.opponents.identify({.name = "Clara"});
        std::map<StoredMove, int> played;
        for (std::uint64_t seed = 1; seed <= 200; ++seed)
            ++played[choose(store, {.seed = seed}, clara).chosen->move];
        BOOST_TEST((150 < played[c4] && played[c4] < 190));
        BOOST_TEST(played.size() >= (repeated ? 3U : 2U));
        PositionView seen = book::view({.experience = &store}, store.model(), at_start(clara));
        add_probabilities(store.model(), true, {}, seen);
        BOOST_TEST(seen.moves.at(0).move == c4);
        BOOST_TEST(seen.moves.at(0).probability * 200 == played[c4],
                   boost::test_tools::tolerance(0.1));
        for (std::uint64_t seed = 1; seed <= 50; ++seed)  // in matches the best is played
            BOOST_TEST(choose(store, {.seed = seed, .match = true}, clara).chosen->move == c4);
    }
}

BOOST_AUTO_TEST_SUITE_END()
