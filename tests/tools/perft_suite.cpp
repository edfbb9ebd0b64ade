#include "tools/perft/perft_suite.h"

#include "tests/system.h"

#include <fstream>
#include <sstream>

#include <boost/test/unit_test.hpp>

namespace {

Result<std::vector<tools::perft::PerftCase>> read(const std::string& text) {
    std::istringstream in(text);
    return tools::perft::read_perft_suite(in);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(perft_suite)

BOOST_AUTO_TEST_CASE(one_line_holds_all_depths) {
    const auto cases = read("# heading\n\n8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 2 ;D3 40\r\n"
                            "8/8/8/8/8/8/8/K1k5 b - - ;4 119060324\n");
    BOOST_REQUIRE(cases.has_value());
    BOOST_REQUIRE(cases->size() == 2);
    BOOST_TEST((*cases)[0].fen == "8/8/8/8/8/8/8/K1k5 w - - 0 1");
    BOOST_TEST((*cases)[0].line == 3);
    BOOST_REQUIRE((*cases)[0].counts.size() == 2);
    BOOST_TEST((*cases)[0].counts[1].depth == 3);
    BOOST_TEST((*cases)[0].counts[1].leaves == 40);
    BOOST_TEST((*cases)[1].counts[0].depth == 4);
    BOOST_TEST((*cases)[1].counts[0].leaves == 119060324);
}

BOOST_AUTO_TEST_CASE(blocks_of_lines_are_read) {
    const auto cases = read("# c\nid one\nepd 8/8/8/8/8/8/8/K1k5 w - -\nperft 1 2\nperft 2 8\n\n"
                            "id two\nepd 8/8/8/8/8/8/8/K1k5 b - -\nperft 1 3\n");
    BOOST_REQUIRE(cases.has_value());
    BOOST_REQUIRE(cases->size() == 2);
    BOOST_TEST((*cases)[0].name == "one");
    BOOST_TEST((*cases)[0].fen == "8/8/8/8/8/8/8/K1k5 w - -");
    BOOST_TEST((*cases)[0].counts.size() == 2);
    BOOST_TEST((*cases)[1].name == "two");
    BOOST_TEST((*cases)[1].counts[0].leaves == 3);
}

BOOST_AUTO_TEST_CASE(bad_lines_are_named) {
    for (const std::string bad : {"perft 1 2",
                                  "8/8/8/8/8/8/8/K1k5 w - -",
                                  "8/8/8/8/8/8/8/K1k5 w - - ;D1",
                                  "8/8/8/8/8/8/8/K1k5 w - - ;Dx 4",
                                  "8/8/8/8/8/8/8/K1k5 w - - ;D1 4 5",
                                  ";D1 4"}) {
        const auto cases = read("# one\n" + bad + '\n');
        BOOST_REQUIRE_MESSAGE(!cases.has_value(), bad);
        BOOST_TEST(cases.error().what.starts_with("line 2 "));
    }
}

BOOST_AUTO_TEST_CASE(a_position_that_cannot_be_read_is_named) {
    for (const std::string bad :
         {"8/8/8/8/8/8/8/K1x5 w - - ;D1 2\n", "epd K7 w - -\nperft 1 3\n"}) {
        const auto cases = read("8/8/8/8/8/8/8/K1k5 w - - ;D1 2\n" + bad);
        BOOST_REQUIRE_MESSAGE(!cases.has_value(), bad);
        BOOST_TEST(cases.error().what.starts_with("line 2: "));
    }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_skipped) {
    const auto cases = read("\xEF\xBB\xBF"
                            "8/8/8/8/8/8/8/K1k5 w - - ;D1 2\n");
    BOOST_REQUIRE(cases.has_value());
    BOOST_TEST(cases->front().fen == "8/8/8/8/8/8/8/K1k5 w - -");
}

BOOST_AUTO_TEST_CASE(a_read_error_is_not_the_end_of_the_file, *test_system::needs_posix()) {
    std::ifstream folder("/");  // opens, but cannot be read
    const auto cases = tools::perft::read_perft_suite(folder);
    BOOST_REQUIRE(!cases.has_value());
    BOOST_TEST(cases.error().what == "line 1 cannot be read");
}

BOOST_AUTO_TEST_SUITE_END()
