#include "tools/epd/epd_suite.h"

#include "engine/board/notation.h"
#include "tests/system.h"

#include <fstream>
#include <sstream>

#include <boost/test/unit_test.hpp>

namespace {

constexpr const char* Start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";

Result<std::vector<tools::epd::EpdCase>> read(const std::string& text) {
    std::istringstream in(text);
    return tools::epd::read_epd_suite(in);
}
tools::epd::EpdCase task(const std::string& operations) {
    const auto tasks = read(Start + operations + '\n');
    BOOST_REQUIRE_MESSAGE(tasks.has_value(), operations);
    BOOST_REQUIRE(tasks->size() == 1);
    return tasks->front();
}
engine::Move move(const tools::epd::EpdCase& t, const char* text) {
    return *engine::parse_move(t.position, text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(epd_suite)

BOOST_AUTO_TEST_CASE(best_moves_and_moves_to_avoid) {
    const auto t = task("bm e4 Nf3; am f3; id \"a; b\"; c0 \"x=1, y=2\";");
    BOOST_TEST(t.id == "a; b");
    BOOST_TEST(t.best.size() == 2);
    BOOST_TEST(tools::epd::is_solved(t, move(t, "g1f3"), 0));
    BOOST_TEST(!tools::epd::is_solved(t, move(t, "d2d4"), 900));
    const auto avoid = task("am f3 g4;");
    BOOST_TEST(avoid.id == "line 1");
    BOOST_TEST(!tools::epd::is_solved(avoid, move(avoid, "f2f3"), 0));
    BOOST_TEST(tools::epd::is_solved(avoid, move(avoid, "e2e4"), 0));
}

BOOST_AUTO_TEST_CASE(a_mate_must_not_be_longer) {
    const auto t = task("dm 3;");
    const engine::Move any = move(t, "e2e4");
    BOOST_TEST(tools::epd::is_solved(t, any, engine::mate_in(5)));
    BOOST_TEST(tools::epd::is_solved(t, any, engine::mate_in(3)));
    BOOST_TEST(!tools::epd::is_solved(t, any, engine::mate_in(7)));
    BOOST_TEST(!tools::epd::is_solved(t, any, 5000));
    BOOST_TEST(!tools::epd::is_solved(t, any, engine::mated_in(4)));
}

BOOST_AUTO_TEST_CASE(a_suffered_mate_must_not_be_shorter) {
    const auto t = task("dm -3;");
    const engine::Move any = move(t, "e2e4");
    BOOST_TEST(tools::epd::is_solved(t, any, engine::mated_in(6)));
    BOOST_TEST(!tools::epd::is_solved(t, any, engine::mated_in(4)));
    BOOST_TEST(!tools::epd::is_solved(t, any, -900));
}

BOOST_AUTO_TEST_CASE(mate_in_nothing_is_a_draw) {
    const auto t = task("dm 0;");
    BOOST_TEST(tools::epd::is_solved(t, move(t, "e2e4"), 12));
    BOOST_TEST(!tools::epd::is_solved(t, move(t, "e2e4"), -60));
}

BOOST_AUTO_TEST_CASE(points_go_by_move) {
    for (const char* moves :
         {"c7 \"e4 Nf3\"; c8 \"100 40\";", "c8 \"100 40\"; c9 \"e2e4 g1f3\";"}) {
        const auto t = task(moves);
        BOOST_TEST(tools::epd::points_for(t, move(t, "e2e4")) == 100);
        BOOST_TEST(tools::epd::points_for(t, move(t, "g1f3")) == 40);
        BOOST_TEST(tools::epd::points_for(t, move(t, "a2a3")) == 0);
        BOOST_TEST(tools::epd::max_points(t) == 100);
        BOOST_TEST(tools::epd::is_solved(t, move(t, "e2e4"), 0));
        BOOST_TEST(!tools::epd::is_solved(t, move(t, "g1f3"), 0));
        BOOST_TEST(!tools::epd::is_solved(t, move(t, "a2a3"), 0));
    }
}

BOOST_AUTO_TEST_CASE(bad_lines_are_named) {
    for (const std::string& bad : {std::string("8/8/8 w - - bm e4;"),
                                   std::string("rnbqkbnr w KQkq"),
                                   Start + std::string("bm Ke2;"),
                                   Start + std::string("id \"nothing to do\";"),
                                   Start + std::string("dm soon;"),
                                   Start + std::string("c8 \"1 2\"; c9 \"e2e4\";"),
                                   Start + std::string("c8 \"x\"; c9 \"e2e4\";")}) {
        const auto tasks = read("\n" + bad + '\n');
        BOOST_REQUIRE_MESSAGE(!tasks.has_value(), bad);
        BOOST_TEST(tasks.error().what.starts_with("line 2: "));
    }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_skipped) {
    const std::string mark = "\xEF\xBB\xBF";
    BOOST_TEST(read(mark + Start + "bm e4;\n").value().size() == 1);
    BOOST_TEST(read(mark + "# heading\n" + Start + "bm e4;\n").value().size() == 1);
    BOOST_TEST(!read(Start + ("bm e4;\n" + mark) + Start + "bm e4;\n").has_value());
}

BOOST_AUTO_TEST_CASE(a_read_error_is_not_the_end_of_the_file, *test_system::needs_posix()) {
    std::ifstream folder("/");  // opens, but cannot be read
    const auto tasks = tools::epd::read_epd_suite(folder);
    BOOST_REQUIRE(!tasks.has_value());
    BOOST_TEST(tasks.error().what == "line 1 cannot be read");
}

BOOST_AUTO_TEST_SUITE_END()
