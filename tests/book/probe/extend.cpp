// Idle extension: which positions to search, their leases, and what the results change.
#include "book/probe/extend.h"

#include "book/book.h"
#include "book/store/failure.h"
#include "tests/book/helpers.h"

#include <algorithm>

using namespace book;
using engine::Position;
using helpers::must;
using helpers::play;

namespace {

constexpr std::int64_t Now = 1'800'000'000;
constexpr WorkOptions Options{.nodes = 1'000};

std::unique_ptr<Book> open(const std::filesystem::path& file, bool read_only = false) {
    return must(Book::open({.experience = file, .base = {}, .read_only = read_only, .seed = 1}));
}

// We play White and leave the book after the given plies.
void learn(Book& book, const std::string& name, const std::string& moves, double score, int exit) {
    must(book.learn(helpers::record(name, moves, score, exit)));
}

StoredMove stored(Move m, const Position& pos) {
    return store(m, pos.side_to_move());
}

void import(Store& store, const std::string& moves, int games) {
    const engine::Game game = play(moves);
    Position pos;
    std::vector<KeyedEdge> edges;
    for (const Move m : game.moves()) {
        edges.push_back({.key = pos.key(), .edge = {.move = stored(m, pos), .draws = games}});
        pos.make(m);
    }
    store.positions.add_edges(edges, false);
}

bool has(const std::vector<Move>& moves, const Position& pos, const std::string& san) {
    const Move m = engine::parse_move(pos, san).value();
    return std::find(moves.begin(), moves.end(), m) != moves.end();
}

// Findings for all candidates, with `known` centipawns, and for the deviation, with `cp`.
std::vector<Finding> search(const Work& work, int known, const std::string& deviation, int cp) {
    std::vector<Finding> findings;
    for (const Move m : work.candidates)
        findings.push_back({.move = m, .cp = known, .depth = 10, .nodes = 1'000});
    if (work.deviation && !deviation.empty())
        findings.push_back({.move = engine::parse_move(work.position, deviation).value(),
                            .cp = cp,
                            .depth = 10,
                            .nodes = 1'000});
    return findings;
}

double value_of(Book& book, const Position& pos, const std::string& san) {
    const Move m = engine::parse_move(pos, san).value();
    for (const Row& row : must(book.table(pos, {})))
        if (row.move == m)
            return row.value;
    BOOST_FAIL("no row for " << san);
    return 0;
}

// Takes work until it gets the start position.
Work work_at_start(Extension& extension) {
    for (;;) {
        const std::optional<Work> work = extension.next(Options, Now);
        BOOST_TEST_REQUIRE(work.has_value());
        if (work->position.key() == Position().key())
            return *work;
    }
}

std::size_t place_of(const std::vector<Work>& plan, const Position& pos) {
    const auto found = std::find_if(
        plan.begin(), plan.end(), [&pos](const Work& w) { return w.position.key() == pos.key(); });
    BOOST_TEST_REQUIRE((found != plan.end()), pos.fen() << " is not in the plan");
    return static_cast<std::size_t>(found - plan.begin());
}
std::vector<Work> plan(Store& store, Priority priority) {
    return plan_work({.experience = &store, .base = nullptr},
                     store.model(),
                     {.priority = priority, .nodes = 1'000},
                     100);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extend)

BOOST_AUTO_TEST_CASE(an_empty_book_wants_a_first_move) {
    const auto book = open(":memory:");
    const std::optional<Work> work = must(book->next_work(Options));
    BOOST_TEST_REQUIRE(work.has_value());
    BOOST_TEST(work->position.key() == Position().key());
    BOOST_TEST(work->deviation);
    BOOST_TEST(work->known.empty());
    BOOST_TEST(work->candidates.empty());
}

BOOST_AUTO_TEST_CASE(known_moves_are_scored_and_left_out_of_the_deviation) {
    Store store(":memory:", true);
    import(store, "e4", 20);
    import(store, "d4", 10);
    Extension extension({.experience = &store, .base = nullptr}, "me");
    const Work work = work_at_start(extension);
    for (const char* const san : {"e4", "d4"}) {
        BOOST_TEST(has(work.known, work.position, san));
        BOOST_TEST(has(work.candidates, work.position, san));
    }
    BOOST_TEST(work.known.size() == 2);
    BOOST_TEST(work.deviation);
}

BOOST_AUTO_TEST_CASE(what_is_searched_is_not_asked_again) {
    Store store(":memory:", true);
    import(store, "e4", 20);
    Extension extension({.experience = &store, .base = nullptr}, "me");
    const Work work = work_at_start(extension);
    extension.finish(work, search(work, 20, "d4", 30), "test", Now);
    const Layers layers{.experience = &store, .base = nullptr};
    const Model model = store.model();
    const PositionView seen =
        view(layers, model, query_of(Position(), engine::White, TimeClass::Blitz));
    BOOST_TEST(!work_at(Position(), seen, 1'000).has_value());
    // With more nodes per search, the scores are renewed.
    const std::optional<Work> again = work_at(Position(), seen, 100'000);
    BOOST_TEST_REQUIRE(again.has_value());
    BOOST_TEST(has(again->candidates, Position(), "e4"));
}

BOOST_AUTO_TEST_CASE(a_deviation_that_was_played_asks_for_the_next) {
    const auto book = open(":memory:");
    learn(*book, "first", "e4 e5 Nf3 Nc6", 1, 2);
    Work work = must(book->next_work(Options)).value();
    while (work.position.key() != Position().key()) {
        must(book->finish_work(work, search(work, 20, "a3", 0), "test"));
        work = must(book->next_work(Options)).value();
    }
    must(book->finish_work(work, search(work, 20, "d4", 30), "test"));
    learn(*book, "second", "d4 d5 c4 e6", 1, 2);
    for (;;) {
        work = must(book->next_work(Options)).value();
        if (work.position.key() == Position().key())
            break;
        must(book->finish_work(work, search(work, 20, "a3", 0), "test"));
    }
    BOOST_TEST(work.deviation);
    BOOST_TEST(has(work.known, work.position, "d4"));
}

BOOST_AUTO_TEST_CASE(results_change_values_but_are_no_games) {
    const auto book = open(":memory:");
    for (int i = 0; i < 3; ++i)
        learn(*book, "game" + std::to_string(i), "e4 e5 Nf3 Nc6 Bb5", 0.5, 4);
    const Stats before = must(book->stats());
    const double value = value_of(*book, Position(), "e4");
    const Position inside = play("e4 e5").position();
    std::optional<Work> work;
    do
        work = must(book->next_work(Options));
    while (work && work->position.key() != inside.key());
    BOOST_TEST_REQUIRE(work.has_value());
    BOOST_TEST(has(work->candidates, inside, "Nf3"));
    must(book->finish_work(*work, search(*work, 300, "Bc4", 100), "test"));
    BOOST_TEST(value_of(*book, inside, "Nf3") > 0.6);
    BOOST_TEST(value_of(*book, Position(), "e4") > value + 0.01);  // carried back to the start
    const Stats after = must(book->stats());
    BOOST_TEST(after.own_games == before.own_games);
    BOOST_TEST((after.wins == before.wins && after.draws == before.draws));
    for (const Row& row : must(book->table(inside, {})))
        BOOST_TEST(row.visits == (has({row.move}, inside, "Nf3") ? 3 : 0));
    BOOST_TEST(must(book->verify()).empty());
    must(book->rebuild());
    BOOST_TEST(value_of(*book, inside, "Nf3") > 0.6);  // analyses survive a rebuild
}

BOOST_AUTO_TEST_CASE(a_good_deviation_is_played) {
    const auto book = open(":memory:");
    for (int i = 0; i < 6; ++i)
        learn(*book, "game" + std::to_string(i), "f3 e5 g4 Qh4#", 0, 2);
    Work work = must(book->next_work(Options)).value();
    while (work.position.key() != Position().key())
        work = must(book->next_work(Options)).value();
    must(book->finish_work(work, search(work, -150, "e4", 40), "test"));
    for (int i = 0; i < 10; ++i) {
        const auto chosen = must(book->choose(engine::Game(), {}));
        BOOST_TEST_REQUIRE(chosen.has_value());
        BOOST_TEST((chosen->move == helpers::move(engine::Game(), "e4")));
    }
}

BOOST_AUTO_TEST_CASE(two_processes_get_two_positions) {
    const helpers::Folder folder;
    const auto first = open(folder / "book.db"), second = open(folder / "book.db");
    learn(*first, "game", "e4 e5 Nf3 Nc6 Bb5", 1, 4);
    const Work one = must(first->next_work(Options)).value();
    const Work other = must(second->next_work(Options)).value();
    BOOST_TEST(one.position.key() != other.position.key());
    must(second->finish_work(other, search(other, 20, "a3", 0), "test"));
    must(first->finish_work(one, search(one, 20, "a3", 0), "test"));
    BOOST_TEST(must(first->verify()).empty());
}

BOOST_AUTO_TEST_CASE(a_lease_runs_out) {
    const helpers::Folder folder;
    Store mine(folder / "book.db", true);
    Store theirs(folder / "book.db", true);
    Extension first({.experience = &mine, .base = nullptr}, "first");
    Extension second({.experience = &theirs, .base = nullptr}, "second");
    const Work work = first.next(Options, Now).value();
    BOOST_TEST(!second.next(Options, Now).has_value());  // only the start position has work
    BOOST_TEST(!second.next(Options, Now + 599).has_value());
    const std::optional<Work> late = second.next(Options, Now + 601);
    BOOST_TEST_REQUIRE(late.has_value());
    BOOST_TEST(late->position.key() == work.position.key());
    // The results of the first still count, and the second keeps its lease.
    first.finish(work, search(work, 0, "e4", 20), "test", Now + 602);
    Leases leases(mine.db);
    BOOST_TEST(leases.taken("first", Now + 602).size() == 1);
    second.finish(*late, {}, "test", Now + 603);
    BOOST_TEST(leases.taken("nobody", Now + 603).empty());
}

BOOST_AUTO_TEST_CASE(an_interrupted_search_gives_its_position_back) {
    Store store(":memory:", true);
    import(store, "e4", 20);
    import(store, "d4", 20);
    const Layers layers{.experience = &store, .base = nullptr};
    Extension first(layers, "first"), second(layers, "second");
    const Work work = work_at_start(first);
    std::vector<Finding> findings = search(work, 20, "", 0);
    findings.resize(1);
    first.finish(work, findings, "test", Now);
    const Work rest = work_at_start(second);
    BOOST_TEST(rest.candidates.size() == 1);  // the other one is done
    BOOST_TEST(rest.deviation);
}

BOOST_AUTO_TEST_CASE(what_is_reached_often_comes_before_what_is_rare) {
    Store store(":memory:", true);
    import(store, "e4 e5 Nf3", 900);
    import(store, "e4 a6 d4", 9);
    const std::vector<Work> works = plan(store, Priority::Reach);
    const Position often = play("e4 e5").position(), rare = play("e4 a6").position();
    BOOST_TEST(place_of(works, often) < place_of(works, rare));
}

BOOST_AUTO_TEST_CASE(distance_counts_plies_and_errors) {
    Store store(":memory:", true);
    const Position start;
    import(store, "e4 e5 Nf3 Nc6", 50);
    import(store, "f3 e5 e4", 50);
    // The search scores 1. f3 as an error: positions after it are far away in spite of few plies.
    for (const auto& [san, cp] : {std::pair("e4", 30), std::pair("f3", -100)}) {
        const Move m = engine::parse_move(start, san).value();
        store.positions.set_analysis(
            start.key(), {.move = stored(m, start), .cp = cp, .depth = 10, .nodes = 1'000});
    }
    const std::vector<Work> works = plan(store, Priority::Distance);
    const auto at = [&works](const std::string& moves) {
        return place_of(works, play(moves).position());
    };
    BOOST_TEST(at("") < at("e4 e5"));
    BOOST_TEST(at("e4 e5") < at("e4 e5 Nf3 Nc6"));
    BOOST_TEST(at("e4 e5 Nf3 Nc6") < at("f3 e5"));
    BOOST_TEST(std::is_sorted(works.begin(), works.end(), [](const Work& a, const Work& b) {
        return a.priority > b.priority;
    }));
}

BOOST_AUTO_TEST_CASE(a_forbidden_move_is_not_searched_nor_followed) {
    Store store(":memory:", true);
    const Position start;
    import(store, "e4 e5", 20);
    import(store, "f3 d5", 20);
    const Move f3 = engine::parse_move(start, "f3").value();
    store.positions.set_flags(start.key(), stored(f3, start), Never);
    for (const Priority priority : {Priority::Reach, Priority::Distance}) {
        const std::vector<Work> works = plan(store, priority);
        const Work& first = works[place_of(works, start)];
        BOOST_TEST(!has(first.candidates, start, "f3"));
        BOOST_TEST(has(first.known, start, "f3"));  // so it is not searched as a deviation either
        const Key after = play("f3 d5").position().key();
        BOOST_TEST(std::none_of(works.begin(), works.end(), [after](const Work& w) {
            return w.position.key() == after;
        }));
    }
}

BOOST_AUTO_TEST_CASE(the_installed_book_is_searched_into_the_own_one) {
    const helpers::Folder folder;
    {
        Store base(folder / "base.db", true);
        import(base, "e4 e5", 20);
    }
    const auto book =
        must(Book::open({.experience = folder / "book.db", .base = folder / "base.db", .seed = 1}));
    Work work = must(book->next_work(Options)).value();
    while (work.position.key() != Position().key())
        work = must(book->next_work(Options)).value();
    BOOST_TEST(has(work.candidates, work.position, "e4"));
    must(book->finish_work(work, search(work, 250, "d4", 0), "test"));
    BOOST_TEST(value_of(*book, Position(), "e4") > 0.6);
}

BOOST_AUTO_TEST_CASE(a_read_only_book_has_no_work) {
    const helpers::Folder folder;
    learn(*open(folder / "book.db"), "game", "e4 e5 Nf3 Nc6 Bb5", 1, 4);
    const auto book = open(folder / "book.db", true);
    BOOST_TEST(!must(book->next_work(Options)).has_value());
    BOOST_TEST(!book->finish_work({}, {}, "test").has_value());
}

BOOST_AUTO_TEST_CASE(an_impossible_finding_changes_nothing) {
    Store store(":memory:", true);
    Extension extension({.experience = &store, .base = nullptr}, "me");
    const Work work = extension.next(Options, Now).value();
    const Position other = play("e4").position();
    const Finding wrong{.move = engine::parse_move(other, "e5").value(), .cp = 5, .depth = 5};
    BOOST_CHECK_THROW(extension.finish(work, {wrong}, "test", Now), Failure);
    BOOST_TEST(store.positions.counts().analyses == 0);
}

BOOST_AUTO_TEST_SUITE_END()
