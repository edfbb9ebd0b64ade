// Merging books: each game once, in any order.
#include "book/learn/merge.h"

#include "book/book.h"
#include "book/import/importer.h"
#include "book/learn/audit.h"
#include "book/learn/user_edits.h"
#include "tests/book/helpers.h"

#include <fstream>
#include <map>

using namespace book;
using helpers::must;
using helpers::record;

namespace {

// Everything in a book that does not depend on the numbers of rows.
struct State {
    std::map<std::string, std::tuple<int, std::int64_t, double, double>> games;  // by name
    std::map<std::tuple<Key, int, int>, std::tuple<std::int64_t, std::int64_t, double, double>>
        nodes;
    std::map<std::string, std::tuple<std::int64_t, std::int64_t, double, double>> opponents;
    std::map<std::pair<Key, StoredMove>, std::int64_t> edges;
    std::map<std::pair<Key, StoredMove>, int> marks, searches;
    friend bool operator==(const State&, const State&) = default;
};

State state_of(Store& store) {
    State s;
    store.games.each({}, [&s](LoggedGame& g) {
        s.games[g.record.uid] = {
            static_cast<int>(g.state), g.clock, g.evidence.weight, g.evidence.result};
    });
    store.positions.each_node([&s](const NodeKey& n, const Node& node) {
        s.nodes[{n.key, n.side, static_cast<int>(n.time)}] = {
            node.visits, node.clock, node.value, node.evidence};
    });
    for (const OpponentRecord& o : store.opponents.all())
        s.opponents[o.name] = {o.games, o.rating, o.decayed_returns, o.decayed_overperformance};
    store.positions.each_edge(INT64_MIN, INT64_MAX, [&s](const KeyedEdge& e) {
        s.edges[{e.key, e.edge.move}] = e.edge.games();
        return true;
    });
    store.positions.each_flag([&s](Key key, StoredMove move, int flags) {
        s.marks[{key, move}] = flags;
    });
    store.positions.each_analysis([&s](Key key, const Analysis& a) {
        s.searches[{key, a.move}] = a.cp;
    });
    return s;
}

void learn(const std::filesystem::path& file, const std::vector<GameRecord>& games) {
    const auto book = must(Book::open({.experience = file, .base = {}}));
    for (const GameRecord& g : games)
        must(book->learn(g));
}

GameRecord game(int number, const std::string& moves, double score) {
    GameRecord r = record("game " + std::to_string(number), moves, score, 4);
    r.played += number;
    r.opponent = {.name = number % 2 == 0 ? "Anna" : "Boris", .rating = 1800 + number};
    r.our_rating = 2000;
    return r;
}

void import(const std::filesystem::path& file, const std::string& round) {
    const std::filesystem::path pgn = file.string() + ".pgn";
    std::ofstream(pgn) << "[Event \"E\"]\n[Round \"" << round
                       << "\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n";
    Store store(file, true);
    Importer importer(store, file, {}, {});
    importer.read(open_games(pgn));
    importer.finish();
}

// Three moves from the start position.
void add_import(const std::filesystem::path& file, const Source& source) {
    Store store(file, true);
    const engine::Game start;
    const StoredMove move = book::store(helpers::move(start, "e4"), engine::White);
    Transaction transaction(store.db);
    const std::vector<KeyedEdge> edges = {
        {.key = start.position().key(), .edge = {.move = move, .white = 3}}};
    store.positions.add_edges(edges, !store.positions.has_edges());
    store.games.add_source(source);
    transaction.commit();
}

Merged merge_files(const std::filesystem::path& into, const std::filesystem::path& from) {
    Store target(into, true);
    Store other(from, false);
    return merge(target, into, other, {});
}

struct TwoBooks : helpers::Folder {
    std::filesystem::path a = *this / "a.db", b = *this / "b.db";
    TwoBooks() {
        // Two games in both; played by turns, so that the order of time differs from any order of
        // books.
        learn(a,
              {game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1),
               game(3, "d4 d5 c4 e6 Nc3", 0),
               game(5, "e4 e5 Nf3 Nc6 Bc4 Bc5", 0.5),
               game(7, "e4 c5 Nf3 d6 d4", 1)});
        learn(b,
              {game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1),
               game(2, "e4 e5 Nf3 Nc6 Bb5 Nf6", 0),
               game(4, "c4 e6 Nc3 d5 d4", 1),
               game(7, "e4 c5 Nf3 d6 d4", 1)});
    }
};

// As import --as stores it from a file without our tags: with the hash and the day that it has.
GameRecord saved(GameRecord game, const std::string& uid) {
    game.uid = uid;
    game.played -= game.played % 86'400;
    game.exit_ply = 2;
    return game;
}

void bring(const std::filesystem::path& file, const char* uid, const char* source) {
    Store store(file, true);
    Transaction transaction(store.db);
    LoggedGame g = store.games.find(uid).value();
    g.source = store.games.add_source({.kind = "own", .name = source, .digest = source});
    store.games.put(g);
    transaction.commit();
}

void mark_start(const std::filesystem::path& file, const char* move, int flags) {
    Store store(file, true);
    const engine::Game start;
    mark(store, start, helpers::move(start, move), flags);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(merge, TwoBooks)

BOOST_AUTO_TEST_CASE(each_game_counts_once) {
    const Merged merged = merge_files(a, b);
    BOOST_TEST(merged.games == 2);
    BOOST_TEST(merged.known == 2);
    Store store(a, false);
    BOOST_TEST(store.games.counts().applied == 6);
    BOOST_TEST(verify(store).empty());
    const Merged again = merge_files(a, b);
    BOOST_TEST(again.games == 0);
    BOOST_TEST(again.known == 4);
}

BOOST_AUTO_TEST_CASE(the_order_of_books_makes_no_difference) {
    import(a, "1");
    import(b, "2");
    mark_start(a, "e4", Prefer);
    mark_start(b, "e4", Avoid);
    mark_start(b, "f3", Never);
    for (const auto& [file, cp, at] : {std::tuple(a, 10, 5), std::tuple(b, 30, 6)}) {
        Store store(file, true);
        store.positions.set_analysis(1, {.move = 7, .cp = cp, .depth = 9, .at = at});
    }
    const std::filesystem::path ab = *this / "ab.db", ba = *this / "ba.db", all = *this / "all.db";
    merge_files(ab, a);
    BOOST_TEST(merge_files(ab, b).disputed == 1);
    merge_files(ba, b);
    merge_files(ba, a);
    Store first(ab, false), second(ba, false);
    BOOST_TEST((state_of(first) == state_of(second)));
    BOOST_TEST(verify(first).empty());
    BOOST_TEST(first.games.counts().imported == 2);
    // And the same as if all of it had been learned in one book, in the order of time.
    learn(all,
          {game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1),
           game(2, "e4 e5 Nf3 Nc6 Bb5 Nf6", 0),
           game(3, "d4 d5 c4 e6 Nc3", 0),
           game(4, "c4 e6 Nc3 d5 d4", 1),
           game(5, "e4 e5 Nf3 Nc6 Bc4 Bc5", 0.5),
           game(7, "e4 c5 Nf3 d6 d4", 1)});
    Store whole(all, false);
    BOOST_TEST((state_of(whole).games == state_of(first).games));
}

BOOST_AUTO_TEST_CASE(a_merge_can_be_taken_back) {
    mark_start(b, "f3", Never);
    GameRecord early = game(30, "e4 e5 Nf3 Nc6", 0);  // without evidence
    early.termination = Termination::Flag;
    learn(b, {early});
    Store store(a, true);
    const std::int64_t before = store.games.counts().applied;
    const auto visits = [&store] {
        const NodeKey key{.key = engine::Position().key(), .side = engine::White};
        return store.positions.node(key)->visits;
    };
    const std::int64_t visits_before = visits();
    const State start = state_of(store);
    merge_files(a, b);
    BOOST_TEST(visits() == visits_before + 3);
    BOOST_TEST(undo(store).starts_with("merged 3 games and 1 mark"));
    BOOST_TEST(store.games.counts().applied == before);
    BOOST_TEST(visits() == visits_before);
    BOOST_TEST((state_of(store).games == start.games));
    BOOST_TEST((state_of(store).opponents == start.opponents));
    BOOST_TEST((state_of(store).marks == start.marks));
    BOOST_TEST(verify(store).empty());
    BOOST_TEST(merge_files(a, b).games == 3);  // and it can be made again
    BOOST_TEST(visits() == visits_before + 3);
}

BOOST_AUTO_TEST_CASE(a_merge_taken_back_leaves_notes_as_they_were) {
    GameRecord r = game(9, "e4 e5 Nf3 Nc6", 0);
    {
        const auto book = must(Book::open({.experience = a, .base = {}}));
        must(book->note(r));
    }
    Store store(a, true);
    const State before = state_of(store);
    const LoggedGame noted = store.games.find(r.uid).value();
    r.game = helpers::play("e4 e5 Nf3 Nc6 Bb5 a6");
    r.reason = "Anna resigns";
    learn(b, {r});
    merge_files(a, b);
    BOOST_TEST((store.games.find(r.uid)->state == GameState::Applied));
    undo(store);
    const LoggedGame back = store.games.find(r.uid).value();
    BOOST_TEST((back.state == GameState::Pending));
    BOOST_TEST((back.record.game.moves() == noted.record.game.moves()));
    BOOST_TEST(back.record.reason == "");
    BOOST_TEST(back.evidence.weight == 0);
    BOOST_TEST((state_of(store).nodes.size() == before.nodes.size()));
    BOOST_TEST(verify(store).empty());
    merge_files(a, b);  // and the result can come again
    BOOST_TEST((store.games.find(r.uid)->state == GameState::Applied));
}

BOOST_AUTO_TEST_CASE(what_was_taken_out_elsewhere_comes_back_with_undo) {
    {
        Store store(b, true);
        BOOST_TEST(unlearn(store, {.id = 1}) == 1);  // game 1
    }
    BOOST_TEST(merge_files(a, b).unlearned == 1);
    Store store(a, true);
    BOOST_TEST((store.games.find("game 1")->state == GameState::Unlearned));
    BOOST_TEST(undo(store) == "merged 2 games and 0 marks of another book, unlearned 1");
    BOOST_TEST((store.games.find("game 1")->state == GameState::Applied));
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(games_of_one_second_keep_their_order) {
    const std::filesystem::path c = *this / "c.db";
    std::vector<GameRecord> games;
    for (int i = 1; i <= 12; ++i) {
        games.push_back(record("run-" + std::to_string(i) + "-17", "e4 e5 Nf3 Nc6", 1, 4));
        games.back().played += 100;
    }
    learn(c, games);
    merge_files(a, c);
    Store store(a, false);
    for (int i = 1; i <= 12; ++i)
        BOOST_TEST(store.games.find("run-" + std::to_string(i) + "-17")->clock == 4 + i);
}

BOOST_AUTO_TEST_CASE(what_a_person_took_out_stays_out) {
    {
        Store store(b, true);
        BOOST_TEST(unlearn(store, {.id = 1}) == 1);  // game 1
    }
    merge_files(a, b);
    Store store(a, false);
    BOOST_TEST((store.games.find("game 1")->state == GameState::Unlearned));
    BOOST_TEST(store.games.counts().applied == 5);
}

BOOST_AUTO_TEST_CASE(imported_games_in_both_are_not_added_up) {
    import(a, "1");
    import(b, "1");
    Merged merged = merge_files(a, b);
    BOOST_TEST(merged.imported_games == 0);
    BOOST_TEST(merged.left_out == "");  // all of them are here
    import(b, "2");
    merged = merge_files(a, b);
    BOOST_TEST(merged.imported_games == 0);
    BOOST_TEST(merged.left_out.starts_with("1 of its 2 imported games"), merged.left_out);
    Store store(a, false);
    BOOST_TEST(store.positions.counts().occurrences == 4);
    BOOST_TEST(verify(store).empty());
}

// Polyglot books have moves without games.
BOOST_AUTO_TEST_CASE(polyglot_books_are_merged) {
    add_import(b, {.kind = "polyglot", .name = "k.bin", .digest = "K", .moves = 3});
    BOOST_TEST(merge_files(a, b).imported_moves == 3);
    Store store(a, true);
    BOOST_TEST(store.positions.counts().occurrences == 3);
    BOOST_TEST_REQUIRE(store.games.sources().size() == 1U);
    BOOST_TEST(store.games.sources()[0].name == "k.bin");
    BOOST_TEST(merge_files(a, b).imported_moves == 0);  // only once
}

BOOST_AUTO_TEST_CASE(a_polyglot_book_beside_a_shared_import_is_reported) {
    import(a, "1");
    import(b, "1");
    add_import(b, {.kind = "polyglot", .name = "k.bin", .digest = "K", .moves = 3});
    BOOST_TEST(merge_files(a, b).left_out != "");
}

BOOST_AUTO_TEST_CASE(own_games_from_the_same_file_keep_no_import_out) {
    Store store(a, true);
    Transaction transaction(store.db);
    store.games.add_source({.kind = "own", .name = "games.pgn", .digest = "G", .games = 1});
    transaction.commit();
    add_import(b, {.kind = "pgn", .name = "games.pgn", .digest = "G", .games = 3, .moves = 3});
    const Merged merged = merge_files(a, b);
    BOOST_TEST(merged.left_out == "");
    BOOST_TEST(merged.imported_moves == 3);
}

BOOST_AUTO_TEST_CASE(notes_that_a_merge_brought_go_with_it) {
    {
        const auto book = must(Book::open({.experience = b, .base = {}}));
        must(book->note(game(9, "e4 e5 Nf3 Nc6", 0)));
    }
    Store store(a, true);
    const State before = state_of(store);
    merge_files(a, b);
    BOOST_TEST((store.games.find("game 9")->state == GameState::Pending));
    undo(store);
    BOOST_TEST(!store.games.has("game 9"));
    BOOST_TEST((state_of(store).games == before.games));
    BOOST_TEST((state_of(store).opponents == before.opponents));
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(a_result_completes_a_note) {
    GameRecord r = game(9, "e4 e5 Nf3 Nc6 Bb5 a6", 0);
    {
        const auto book = must(Book::open({.experience = a, .base = {}}));
        must(book->note(r));
    }
    r.time_control = "40/300";
    r.event = "club championship";
    learn(b, {r});
    merge_files(a, b);
    Store store(a, false);
    BOOST_TEST((store.games.find("game 9")->state == GameState::Applied));
    BOOST_TEST(store.games.find("game 9")->record.time_control == "40/300");
    BOOST_TEST(store.games.find("game 9")->record.event == "club championship");
    BOOST_TEST(verify(store).empty());
}

// As import --as may see it in two sets of files.
BOOST_AUTO_TEST_CASE(the_later_exit_holds_in_any_order) {
    GameRecord early = game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1);
    early.exit_ply = 2;
    const std::filesystem::path c = *this / "c.db", ac = *this / "ac.db", ca = *this / "ca.db";
    learn(c, {early});
    merge_files(ac, a);
    Store store(ac, true);
    const auto exit_of = [](Store& book) { return book.games.find("game 1")->record.exit_ply; };
    const std::optional<int> before = exit_of(store);
    BOOST_TEST_REQUIRE((before > early.exit_ply));
    merge_files(ac, c);
    BOOST_TEST((exit_of(store) == before));
    merge_files(ca, c);
    merge_files(ca, a);
    Store other(ca, true);
    BOOST_TEST((exit_of(other) == before));
    BOOST_TEST((state_of(other) == state_of(store)));
    BOOST_TEST(verify(other).empty());
    undo(other);
    BOOST_TEST((exit_of(other) == early.exit_ply));
    BOOST_TEST(verify(other).empty());
}

BOOST_AUTO_TEST_CASE(a_book_without_news_puts_the_games_in_order) {
    const std::filesystem::path c = *this / "c.db", d = *this / "d.db";
    learn(c, {game(3, "d4 d5 c4 e6 Nc3", 0), game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1)});
    learn(d, {game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1)});
    merge_files(c, d);
    merge_files(d, c);
    Store first(c, false), second(d, false);
    BOOST_TEST((state_of(first) == state_of(second)));
    BOOST_TEST(verify(first).empty());
}

BOOST_AUTO_TEST_CASE(undo_also_removes_the_imports_of_own_games) {
    {
        Store store(b, true);
        Transaction transaction(store.db);
        LoggedGame g = store.games.find("game 2").value();
        g.source = store.games.add_source({.kind = "own", .name = "g.pgn", .digest = "G"});
        store.games.put(g);
        transaction.commit();
    }
    merge_files(a, b);
    Store store(a, true);
    BOOST_TEST(store.games.sources().size() == 1U);
    undo(store);
    BOOST_TEST(store.games.sources().empty());
}

BOOST_AUTO_TEST_CASE(undo_restores_the_import_of_a_game_that_was_replaced) {
    bring(a, "game 1", "a.pgn");
    bring(b, "game 1", "b.pgn");
    {
        Store store(b, true);
        unlearn(store, {});
    }
    Store store(a, true);
    const std::int64_t source = store.games.find("game 1")->source;
    merge_files(a, b);
    BOOST_TEST(store.games.find("game 1")->source != source);
    undo(store);
    BOOST_TEST(store.games.find("game 1")->source == source);
    BOOST_TEST(verify(store).empty());
    Transaction transaction(store.db);
    BOOST_TEST(store.games.add_source({.kind = "own", .name = "c.pgn"}) > source + 1);
}

BOOST_AUTO_TEST_CASE(an_imported_game_gets_all_that_the_book_knows_that_played_it) {
    GameRecord played = game(11, "e4 e5 Nf3 Nc6 Bb5 a6", 1);
    learn(a, {saved(played, "pgn/1")});
    bring(a, "pgn/1", "a.pgn");
    played.draws = {"a draw"};
    learn(b, {played});
    Store store(a, true);
    merge_files(a, b);
    const LoggedGame after = store.games.find("pgn/1").value();
    BOOST_TEST((after.source == 0 && after.record.draws == played.draws));
    BOOST_TEST(!merge_files(a, b).reordered);
    undo(store);
    BOOST_TEST(store.games.find("pgn/1")->record.draws.empty());
    BOOST_TEST(verify(store).empty());
}

// An exit without a score has the depth -1.
BOOST_AUTO_TEST_CASE(of_two_exits_at_one_ply_the_one_with_a_score_holds) {
    GameRecord scored = game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1);
    scored.exit_cp = -31;
    scored.exit_depth = 16;
    const std::filesystem::path c = *this / "c.db", d = *this / "d.db";
    learn(c, {scored});
    scored.exit_cp = 0;
    scored.exit_depth = -1;
    learn(d, {scored});
    BOOST_TEST(merge_files(c, d).exits == 0);
    merge_files(d, c);
    for (const std::filesystem::path& file : {c, d})
        BOOST_TEST(Store(file, false).games.find("game 1")->record.exit_cp == -31);
}

BOOST_AUTO_TEST_CASE(undo_restores_all_of_a_game_that_was_replaced) {
    GameRecord other = game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 0.5);
    other.our_rating = 2100;
    other.reason = "Game drawn";
    other.time_control = "60+0";
    const std::filesystem::path c = *this / "c.db";
    learn(c, {other});
    {
        Store store(c, true);
        unlearn(store, {});
    }
    Store store(a, true);
    const GameRecord before = store.games.find("game 1")->record;
    merge_files(a, c);
    BOOST_TEST(store.games.find("game 1")->record.score == 0.5);
    undo(store);
    const GameRecord after = store.games.find("game 1")->record;
    BOOST_TEST(after.score == before.score);
    BOOST_TEST(after.our_rating == before.our_rating);
    BOOST_TEST(after.reason == before.reason);
    BOOST_TEST(after.time_control == before.time_control);
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(undo_does_not_bring_back_a_game_of_a_forgotten_import) {
    Store store(a, true);
    std::int64_t source = 0;
    {
        Transaction transaction(store.db);
        LoggedGame g = store.games.find("game 1").value();
        g.source = source = store.games.add_source({.kind = "own", .name = "a.pgn"});
        store.games.put(g);
        transaction.commit();
    }
    {
        Store other(b, true);
        unlearn(other, {});
    }
    merge_files(a, b);
    {
        Transaction transaction(store.db);
        store.games.remove_sources(std::span(&source, 1));  // as forget does
        transaction.commit();
    }
    undo(store);
    BOOST_TEST(!store.games.has("game 1"));
    BOOST_TEST(store.games.has("game 7"));
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(searches_stay_after_undo) {
    {
        Store store(b, true);
        Transaction transaction(store.db);
        const std::int64_t source = store.games.add_source({.kind = "own", .name = "b.pgn"});
        store.positions.set_analysis(1, {.move = 7, .cp = 30, .depth = 9, .source = source});
        transaction.commit();
    }
    Store store(a, true);
    merge_files(a, b);
    undo(store);
    BOOST_TEST_REQUIRE(store.positions.analyses(1).size() == 1U);
    BOOST_TEST(store.positions.analyses(1)[0].source == 0);
    BOOST_TEST(store.games.sources().empty());
    merge_files(a, b);  // again of the import, so that forget removes it
    BOOST_TEST_REQUIRE(store.games.sources().size() == 1U);
    BOOST_TEST(store.positions.analyses(1)[0].source == store.games.sources()[0].id);
}

BOOST_AUTO_TEST_CASE(a_new_order_alone_is_a_change_too) {
    const std::filesystem::path c = *this / "c.db", d = *this / "d.db";
    learn(c, {game(3, "d4 d5 c4 e6 Nc3", 0), game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1)});
    learn(d, {game(1, "e4 e5 Nf3 Nc6 Bb5 a6", 1)});
    mark_start(c, "e4", Prefer);
    BOOST_TEST(merge_files(c, d).reordered);
    Store store(c, true);
    BOOST_CHECK_EXCEPTION(undo(store), Failure, [](const Failure& f) {
        return std::string(f.what()).find("cannot be undone") != std::string::npos;
    });
    BOOST_TEST(undo(store).starts_with("marked e4"));
    BOOST_TEST(!merge_files(c, d).reordered);
}

// The same moves and results against Boris: two games in both books, one only in the second.
BOOST_AUTO_TEST_CASE(a_game_of_a_file_and_of_the_board_counts_once) {
    const std::string moves = "e4 e5 Nf3 Nc6 Bb5 a6";
    for (const std::string prefix : {"pgn/", "lichess.org/"}) {
        const std::filesystem::path c = *this / (prefix.substr(0, 3) + "c.db"),
                                    d = *this / (prefix.substr(0, 3) + "d.db");
        learn(c,
              {saved(game(11, moves, 1), prefix + "1"), saved(game(13, moves, 1), prefix + "2")});
        learn(d, {game(11, moves, 1), game(13, moves, 1), game(15, moves, 1), game(12, moves, 1)});
        std::filesystem::copy_file(
            c, *this / "c0.db", std::filesystem::copy_options::overwrite_existing);
        Store store(c, true);
        const State before = state_of(store);
        const Merged merged = merge_files(c, d);
        BOOST_TEST((merged.games == 2 && merged.known == 2 && merged.exits == 2), prefix);
        BOOST_TEST(store.games.counts().applied == 4);
        BOOST_TEST((store.games.find(prefix + "1")->record.exit_ply == 4));
        BOOST_TEST(verify(store).empty());
        const Merged again = merge_files(c, d);
        BOOST_TEST((again.games == 0 && again.known == 4 && again.exits == 0));
        undo(store);
        BOOST_TEST((state_of(store) == before));
        BOOST_TEST(verify(store).empty());
        // The other way round.
        const Merged other = merge_files(d, *this / "c0.db");
        BOOST_TEST((other.games == 0 && other.known == 2 && other.exits == 0));
        BOOST_TEST(merge_files(d, c).known == 2);
        BOOST_TEST(Store(d, false).games.counts().applied == 4);
    }
}

BOOST_AUTO_TEST_CASE(a_game_of_a_file_that_was_unlearned_stays_so) {
    const std::filesystem::path c = *this / "c.db", d = *this / "d.db";
    const GameRecord ours = game(11, "e4 e5 Nf3 Nc6 Bb5 a6", 1);
    learn(c, {saved(ours, "pgn/1")});
    learn(d, {ours});
    {
        Store store(d, true);
        unlearn(store, {});
    }
    Store store(c, true);
    BOOST_TEST(merge_files(c, d).unlearned == 1);
    BOOST_TEST((store.games.find("pgn/1")->state == GameState::Unlearned));
    BOOST_TEST(!store.games.has(ours.uid));
    undo(store);
    BOOST_TEST((store.games.find("pgn/1")->state == GameState::Applied));
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(of_two_notes_the_one_with_the_later_exit_holds) {
    GameRecord brief = game(9, "e4 e5 Nf3", 0), full = game(9, "e4 e5 Nf3 Nc6 Bb5 a6", 0);
    brief.exit_ply = 2;
    full.exit_ply = 5;
    for (const auto& [file, note] : {std::pair(a, brief), std::pair(b, full)})
        must(must(Book::open({.experience = file, .base = {}}))->note(note));
    Store store(a, true);
    merge_files(a, b);
    BOOST_TEST(store.games.find("game 9")->record.game.ply() == 6);
    undo(store);
    BOOST_TEST(store.games.find("game 9")->record.game.ply() == 3);
    BOOST_TEST((store.games.find("game 9")->record.exit_ply == brief.exit_ply));
}

BOOST_AUTO_TEST_SUITE_END()
