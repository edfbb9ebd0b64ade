// The transposition table: entries come back as stored, and the less valuable are replaced first.
#include "engine/search/tt.h"

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

constexpr Key SomeKey = 0x1234'5678'9ABC'DEF0;

TtEntry entry(int depth, Score score, Bound bound = Bound::Exact) {
    return {.pv = true,
            .bound = bound,
            .depth = depth,
            .score = score,
            .eval = -35,
            .move = Move(12, 28)};
}

struct Table {
    TranspositionTable tt;
    Table() { BOOST_REQUIRE(tt.resize(1)); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tt, Table, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(entries_come_back_as_stored) {
    BOOST_TEST(!tt.probe(SomeKey, 0).found);
    tt.store(SomeKey, 3, entry(17, 123, Bound::Lower));
    const TtEntry e = tt.probe(SomeKey, 5);
    BOOST_TEST(e.found);
    BOOST_TEST(e.pv);
    BOOST_TEST((e.bound == Bound::Lower));
    BOOST_TEST(e.depth == 17);
    BOOST_TEST(e.score == 123);
    BOOST_TEST(e.eval == -35);
    BOOST_TEST((e.move == Move(12, 28)));
    BOOST_TEST(!tt.probe(SomeKey ^ 1, 0).found);
}

BOOST_AUTO_TEST_CASE(no_depth_is_too_great) {
    tt.store(SomeKey, 0, entry(300, 5, Bound::Lower));
    const TtEntry e = tt.probe(SomeKey, 0);
    BOOST_TEST((e.bound == Bound::Lower));
    BOOST_TEST(e.depth > 200);
}

BOOST_AUTO_TEST_CASE(mates_are_counted_from_the_node) {
    tt.store(SomeKey, 4, entry(9, mate_in(10)));
    BOOST_TEST(tt.probe(SomeKey, 4).score == mate_in(10));
    BOOST_TEST(tt.probe(SomeKey, 2).score == mate_in(8));
    tt.store(SomeKey, 4, entry(9, mated_in(10)));
    BOOST_TEST(tt.probe(SomeKey, 6).score == mated_in(12));
}

BOOST_AUTO_TEST_CASE(a_proved_win_after_the_50_move_rule_is_only_a_high_score) {
    tt.store(SomeKey, 0, entry(9, mate_in(61)));
    BOOST_TEST(tt.probe(SomeKey, 0, 39).score == mate_in(61));
    BOOST_TEST(tt.probe(SomeKey, 0, 40).score == KnownWin - 1);
    tt.store(SomeKey, 0, entry(9, mated_in(60)));
    BOOST_TEST(tt.probe(SomeKey, 2, 40).score == mated_in(62));
    BOOST_TEST(tt.probe(SomeKey, 2, 41).score == 1 - KnownWin);
    tt.store(SomeKey, 0, entry(9, TableWin - 30));
    BOOST_TEST(tt.probe(SomeKey, 2, 70).score == TableWin - 32);
    BOOST_TEST(tt.probe(SomeKey, 2, 71).score == KnownWin - 1);
    tt.store(SomeKey, 0, entry(9, 30 - TableWin));
    BOOST_TEST(tt.probe(SomeKey, 2, 71).score == 1 - KnownWin);
}

BOOST_AUTO_TEST_CASE(without_memory_for_another_size_the_table_stays) {
    tt.store(SomeKey, 0, entry(9, 5));
    BOOST_TEST(!tt.resize(std::size_t{1} << 30).has_value());
    BOOST_TEST(tt.probe(SomeKey, 0).found);
}

BOOST_AUTO_TEST_CASE(an_evaluation_alone_is_no_bound) {
    tt.store(SomeKey, 0, {.eval = 77});
    const TtEntry e = tt.probe(SomeKey, 9);
    BOOST_TEST(e.found);
    BOOST_TEST((e.bound == Bound::None));
    BOOST_TEST(e.eval == 77);
    BOOST_TEST(e.score == NoScore);
    BOOST_TEST(!e.move);
}

BOOST_AUTO_TEST_CASE(an_entry_without_a_move_keeps_the_old_move) {
    tt.store(SomeKey, 0, entry(5, 10));
    TtEntry later = entry(8, 20, Bound::Upper);
    later.move = NoMove;
    tt.store(SomeKey, 0, later);
    const TtEntry e = tt.probe(SomeKey, 0);
    BOOST_TEST(e.depth == 8);
    BOOST_TEST((e.move == Move(12, 28)));
}

BOOST_AUTO_TEST_CASE(a_much_shallower_bound_does_not_replace_a_deep_one) {
    tt.store(SomeKey, 0, entry(20, 10));
    tt.store(SomeKey, 0, entry(3, 99, Bound::Lower));
    BOOST_TEST(tt.probe(SomeKey, 0).depth == 20);
    tt.store(SomeKey, 0, entry(3, 99, Bound::Exact));
    BOOST_TEST(tt.probe(SomeKey, 0).depth == 3);
}

BOOST_AUTO_TEST_CASE(the_shallowest_or_oldest_of_a_bucket_goes) {
    // Keys that differ only in their low bits share a bucket.
    tt.store(SomeKey + 1, 0, entry(9, 1));
    tt.store(SomeKey + 2, 0, entry(4, 2));
    tt.store(SomeKey + 3, 0, entry(12, 3));
    tt.store(SomeKey + 4, 0, entry(1, 4));
    BOOST_TEST(tt.probe(SomeKey + 1, 0).found);
    BOOST_TEST(!tt.probe(SomeKey + 2, 0).found);
    BOOST_TEST(tt.probe(SomeKey + 3, 0).found);
    BOOST_TEST(tt.probe(SomeKey + 4, 0).found);

    tt.new_search();
    tt.store(SomeKey + 1, 0, entry(9, 1));
    tt.store(SomeKey + 4, 0, entry(5, 4));
    tt.store(SomeKey + 5, 0, entry(1, 5));  // replaces the entry of depth 12, which is older
    BOOST_TEST(!tt.probe(SomeKey + 3, 0).found);
    BOOST_TEST(tt.probe(SomeKey + 5, 0).found);
}

BOOST_AUTO_TEST_CASE(clearing_and_resizing_forget_everything) {
    tt.store(SomeKey, 0, entry(5, 10));
    tt.clear();
    BOOST_TEST(!tt.probe(SomeKey, 0).found);
    tt.store(SomeKey, 0, entry(5, 10));
    BOOST_REQUIRE(tt.resize(3));
    BOOST_TEST(!tt.probe(SomeKey, 0).found);
    tt.store(~Key{0}, 0, entry(5, 10));
    BOOST_TEST(tt.probe(~Key{0}, 0).found);
}

BOOST_AUTO_TEST_CASE(a_large_table_is_used_and_emptied_while_its_pages_are_taken) {
    BOOST_REQUIRE(tt.resize(257));
    for (const Key key : {Key{0}, SomeKey, ~Key{0}}) {
        tt.store(key, 0, entry(5, 10));
        BOOST_TEST(tt.probe(key, 0).found);
    }
    tt.clear();
    for (const Key key : {Key{0}, SomeKey, ~Key{0}})
        BOOST_TEST(!tt.probe(key, 0).found);
    BOOST_REQUIRE(tt.resize(300));
    BOOST_REQUIRE(tt.resize(1));
    BOOST_TEST(!tt.probe(SomeKey, 0).found);
}

BOOST_AUTO_TEST_SUITE_END()
