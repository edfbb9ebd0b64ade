// Bench: every slice searches the same tree, the one of the signature in data/bench.signature.
#include "engine/engine.h"

#include <fstream>

#include <boost/test/unit_test.hpp>

using namespace engine;

BOOST_AUTO_TEST_SUITE(bench, *boost::unit_test::label("slices"))

BOOST_AUTO_TEST_CASE(every_slice_gives_the_signature) {
    std::ifstream file(DATA_DIR "/bench.signature");
    std::uint64_t signature = 0;
    BOOST_TEST_REQUIRE(static_cast<bool>(file >> signature));
    BOOST_TEST_REQUIRE(!slices_here().empty());
    for (const std::string_view name : slices_here()) {
        const auto searcher = make_searcher(name);
        BOOST_TEST_REQUIRE(searcher);
        BOOST_TEST(searcher->slice() == name);
        BOOST_TEST(searcher->bench(0).value().nodes == signature, name);
    }
}

BOOST_AUTO_TEST_CASE(a_bench_repeats_and_grows_with_depth) {
    const auto searcher = make_searcher();
    const std::uint64_t shallow = searcher->bench(4).value().nodes;
    BOOST_TEST(searcher->bench(4).value().nodes == shallow);
    BOOST_TEST(searcher->bench(6).value().nodes > shallow);
}

BOOST_AUTO_TEST_CASE(an_unknown_slice_is_refused) {
    BOOST_TEST(!make_searcher("x86-64-v99"));
}

BOOST_AUTO_TEST_SUITE_END()
