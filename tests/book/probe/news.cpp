// What games have taught, and the repertoire that comes of it.
#include "book/probe/news.h"

#include "book/learn/user_edits.h"
#include "book/probe/repertoire.h"
#include "tests/book/helpers.h"

using namespace book;
using helpers::record;
using helpers::take;

namespace {

struct Taught {
    Store store{":memory:", true};
    int number = 0;

    void play(const std::string& moves, double score, int exit, int times = 1) {
        for (int i = 0; i < times; ++i) {
            GameRecord r = record(std::to_string(++number), moves, score, exit);
            r.exit_cp = 0;
            r.played = 1'700'000'000 + number;
            take(store, r);
        }
    }
    News news(const NewsOptions& options) {
        return news_of({.experience = &store}, store.model(), new_games(store, options));
    }
    std::vector<RepertoireMove> moves(const RepertoireOptions& options = {}) {
        return repertoire({.experience = &store}, store.model(), options);
    }
};

const ChangedMove* find(const std::vector<ChangedMove>& moves, const std::string& san) {
    for (const ChangedMove& m : moves)
        if (engine::to_san(m.game.position(), m.move) == san)
            return &m;
    return nullptr;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(news, Taught)

BOOST_AUTO_TEST_CASE(moves_from_another_start_are_not_told_as_if_from_the_usual_one) {
    GameRecord shuffled = record("shuffled", "", 0, 2);
    shuffled.game = engine::Game(helpers::must(
        engine::Position::from_fen("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1")));
    for (const char* const move : {"e4", "e5", "d3", "d6"})
        shuffled.game.play(helpers::move(shuffled.game, move));
    shuffled.exit_cp = -300;
    take(store, shuffled);
    const News told = news({});
    BOOST_TEST(told.found.size() + told.dropped.size() + told.moved.size() == 0U);
}

BOOST_AUTO_TEST_CASE(the_repertoire_follows_transpositions) {
    play("c4 c6 d4 Nf6 Nc3 d5", 1, 4, 3);  // 1.c4 c6 2.d4 Nf6 and 1.d4 Nf6 2.c4 c6 are one position
    play("d4 Nf6 c4 e6", 1, 2, 3);
    const auto all = moves({.black = false});
    const Key key = helpers::play("d4 Nf6 c4 c6").position().key();
    const auto knows = [&](Key wanted) {
        return std::any_of(
            all.begin(), all.end(), [wanted](const auto& m) { return m.key == wanted; });
    };
    BOOST_TEST(knows(key));
    BOOST_TEST(!knows(helpers::play("d4 Nf6 c4 b6").position().key()));
}

BOOST_AUTO_TEST_CASE(games_are_new_until_the_next_visit) {
    play("e4 e5 Nf3", 1, 2, 3);
    BOOST_TEST(!last_visit(store).has_value());
    BOOST_TEST(new_games(store, {}).size() == 3U);
    GameRecord unfinished = record("later", "d4 d5 c4", 1, 2);
    take(store, unfinished, false);
    remember_visit(store, visit_at(store, 1'800'000'000));
    const auto visit = last_visit(store);
    BOOST_TEST_REQUIRE(visit.has_value());
    BOOST_TEST(visit->at == 1'800'000'000);
    BOOST_TEST(new_games(store, {.visit = visit}).empty());
    play("e4 c5 Nf3", 0, 2);
    take(store, unfinished);  // it was in the log at the visit, but without a result
    BOOST_TEST(new_games(store, {.visit = visit}).size() == 2U);
    BOOST_TEST(new_games(store, {.games = 4}).size() == 4U);
    BOOST_TEST(new_games(store, {.since = 1'700'000'004}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_learned_during_a_visit_is_new_at_the_next) {
    play("e4 e5 Nf3", 1, 2);
    const LastVisit now = visit_at(store, 1'800'000'000);
    play("e4 c5 Nf3", 0, 2);
    remember_visit(store, now);
    BOOST_TEST(new_games(store, {.visit = last_visit(store)}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_visit_is_kept_as_text) {
    const LastVisit visit{.at = 5, .last_game = 7, .pending = {2, 3}};
    BOOST_TEST(text_of(visit_from(text_of(visit)).value()) == "5 7 2 3");
    for (const char* other : {"", "never", "5", "2024-05-31"})
        BOOST_TEST(!visit_from(other).has_value(), other);
}

BOOST_AUTO_TEST_CASE(a_game_relearned_since_a_visit_is_new) {
    play("e4 e5 Nf3", 1, 2, 2);
    unlearn(store, {.id = 1});
    const LastVisit visit = visit_at(store, seconds_now());
    BOOST_TEST(new_games(store, {.visit = visit}).empty());
    relearn(store, {.id = 1});
    BOOST_TEST(new_games(store, {.visit = visit}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_game_does_not_get_the_number_of_a_removed_one) {
    play("e4 e5 Nf3", 1, 2, 2);
    const LastVisit visit = visit_at(store, 1'800'000'000);
    {
        Transaction transaction(store.db);
        store.games.remove(std::vector{visit.last_game});
        transaction.commit();
    }
    play("e4 c5 Nf3", 0, 2);
    BOOST_TEST(new_games(store, {.visit = visit}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(marks_of_a_read_only_book_are_no_news) {
    const auto book = std::make_shared<Store>(":memory:", true);
    const engine::Game start;
    mark(*book, start, helpers::move(start, "e4"), Never);
    store.overlaid = book;
    play("e4 e5 Nf3", 1, 2, 8);
    play("d4 d5 c4", 0.5, 2, 8);
    const News told = news_of({.experience = &store, .original = book.get()},
                              store.model(),
                              new_games(store, {.games = 1}));
    BOOST_TEST(!find(told.dropped, "e4"));
}

BOOST_AUTO_TEST_CASE(a_game_is_new_since_it_was_learned) {
    play("e4 e5 Nf3", 1, 2, 3);
    const std::int64_t import = 1'700'086'400;
    const auto imported = [&](std::int64_t added, const std::string& uid) {
        GameRecord r = record(uid, "d4 d5 c4", 1, 2);
        r.played = 1'000'000'000;
        take(store, r);
        Transaction transaction(store.db);
        const std::int64_t source =
            store.games.add_source({.kind = "own", .name = "old.pgn", .added = added, .games = 1});
        LoggedGame game = store.games.find(uid).value();
        game.source = source;
        store.games.put(game);
        transaction.commit();
        return game.id;
    };
    const std::int64_t old = imported(import, "old"), older = imported(import - 10, "older");
    const auto is_new = [this](std::int64_t id, std::int64_t since) {
        const std::vector<std::int64_t> ids = new_games(store, {.since = since});
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    BOOST_TEST(is_new(old, import));
    BOOST_TEST(!is_new(older, import));
    BOOST_TEST(is_new(older, import - 10));
    BOOST_TEST(new_games(store, {.since = import}).size() == 1U);
    const std::int64_t now = seconds_now();
    BOOST_TEST(new_games(store, {.since = now}).empty());
    unlearn(store, {.id = older});
    relearn(store, {.id = older});
    BOOST_TEST(is_new(older, now));
}

BOOST_AUTO_TEST_CASE(imports_changes_and_searches_are_news) {
    const engine::Game start;
    const StoredMove e4 = book::store(helpers::move(start, "e4"), engine::White);
    {
        Transaction transaction(store.db);
        store.games.add_source({.kind = "pgn", .name = "a.pgn", .added = 100, .games = 7});
        store.games.add_source({.kind = "pgn", .name = "b.pgn", .added = 200, .games = 8});
        store.games.add_source({.kind = "own", .name = "c.pgn", .added = 300, .games = 9});
        store.positions.set_analysis(start.position().key(), {.move = e4, .depth = 9, .at = 250});
        transaction.commit();
    }
    mark(store, start, helpers::move(start, "f4"), Never);
    OtherNews found = other_news(store, 200);
    BOOST_TEST_REQUIRE(found.imports.size() == 1U);
    BOOST_TEST(found.imports[0].name == "b.pgn");
    BOOST_TEST_REQUIRE(found.changes.size() == 1U);
    BOOST_TEST(found.changes[0].what.find("f4 as never") != std::string::npos);
    BOOST_TEST(found.searched == 1);
    found = other_news(store, seconds_now() + 100);
    BOOST_TEST((found.imports.empty() && found.changes.empty() && found.searched == 0));
}

BOOST_AUTO_TEST_CASE(values_move_as_they_did) {
    play("e4 e5 Nf3", 1, 2, 6);
    play("d4 d5 c4", 1, 2, 6);
    const double before = view({.experience = &store},
                               store.model(),
                               query_of(engine::Position(), engine::White, TimeClass::Blitz))
                              .moves[0]
                              .mean;
    play("d4 d5 c4", 0, 2, 6);
    const News found = news({.games = 6});
    const ChangedMove* const d4 = find(found.moved, "d4");
    BOOST_TEST_REQUIRE(d4);
    BOOST_TEST(d4->after < d4->before - 0.1);
    BOOST_TEST(d4->before > 0.6);
    BOOST_TEST(std::abs(d4->before - before) < 0.02);
    BOOST_TEST(d4->probability_after < d4->probability_before);
    BOOST_TEST(!find(found.found, "d4"));
    BOOST_TEST(news({.games = 0}).moved.empty());
}

BOOST_AUTO_TEST_CASE(new_and_dropped_moves_are_told) {
    play("e4 e5 Nf3", 0.5, 2, 8);
    play("d4 d5 c4", 0.5, 2, 8);
    play("e4 e5 Nf3", 0, 2, 20);
    play("c4 e5 Nc3", 1, 2, 8);
    const News found = news({.games = 28});
    BOOST_TEST(find(found.found, "c4"));
    BOOST_TEST(find(found.dropped, "e4"));
    BOOST_TEST(!find(found.dropped, "c4"));
}

BOOST_AUTO_TEST_CASE(the_repertoire_is_what_would_be_played) {
    play("e4 e5 Nf3 Nc6 Bb5", 1, 3, 8);
    play("d4 d5 c4 e6", 0.5, 3, 8);
    const auto has = [this](const engine::Game& game, const std::string& san) {
        const StoredMove wanted =
            book::store(helpers::move(game, san), game.position().side_to_move());
        const std::vector<RepertoireMove> all = moves();
        return std::any_of(all.begin(), all.end(), [&](const RepertoireMove& m) {
            return m.key == game.position().key() && m.move == wanted && m.probability > 0;
        });
    };
    const engine::Game start;
    BOOST_TEST(has(start, "e4"));
    BOOST_TEST(has(helpers::play("e4 e5"), "Nf3"));
    BOOST_TEST(!has(helpers::play("e4"), "e5"));  // a reply to us is no move of ours
    const std::vector<RepertoireMove> all = moves();
    BOOST_TEST(std::is_sorted(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return a.key < b.key; }));
    double sum = 0;
    for (const RepertoireMove& m : all)
        if (m.key == start.position().key())
            sum += m.probability;
    BOOST_TEST((sum > 0.9 && sum < 1.02));
    BOOST_TEST(moves({.white = false}).empty());
    BOOST_TEST(moves({.min_games = 9}).empty());
    mark(store, start, helpers::move(start, "e4"), Never);
    BOOST_TEST(!has(start, "e4"));
    BOOST_TEST(!has(helpers::play("e4 e5"), "Nf3"));  // cannot arise any more
}

BOOST_AUTO_TEST_SUITE_END()
