#include "tools/match/uci.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(uci)

BOOST_AUTO_TEST_CASE(errors_and_remarks_about_an_option_object_to_it) {
    const std::vector<tools::match::Option> options{{"EvalFile", "a.net"}, {"Clear Hash", {}}};
    for (const char* line : {"No such option: Level",
                             "info string ERROR: Network evaluation parameters are not compatible",
                             "info string Error (bad value): EvalFile=a.net",
                             "error Unknown option: Level",
                             "  info string evalfile: cannot read the network",
                             "info string Clear Hash: it is in use"})
        BOOST_TEST(tools::match::option_error(line, options).has_value(), line);
    for (const char* line : {"",
                             "readyok",
                             "info string",
                             "info string Using 2 threads",
                             "info string Found 145 WDL and 145 DTZ tablebase files",
                             "info string NNUE evaluation using a.net",
                             "info string Hash: 16 MB",
                             "info depth 1 score cp 0"})
        BOOST_TEST(!tools::match::option_error(line, options).has_value(), line);
    BOOST_TEST(
        tools::match::option_error("info string EvalFile: cannot be read", options).value() ==
        "EvalFile: cannot be read");
}

BOOST_AUTO_TEST_SUITE_END()
