#include "tools/match/driver.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(option_errors)

BOOST_AUTO_TEST_CASE(errors_and_remarks_about_an_option_are_objections) {
    using tools::match::objects_to_option;
    const std::vector<tools::match::Option> options{{"EvalFile", "a.net"}, {"Clear Hash", {}}};
    for (const char* line : {"No such option: Level",
                             "ERROR: Network evaluation parameters are not compatible",
                             "Error (bad value): EvalFile=a.net",
                             "error Unknown option: Level",
                             "no memory for a hash table of 65536 MiB; the old one stays",
                             "evalfile: cannot read the network",
                             "Clear Hash: it is in use"})
        BOOST_TEST(objects_to_option(line, options), line);
    for (const char* line : {"",
                             "readyok",
                             "Loaded 5000 book lines",
                             "Using 2 threads",
                             "Found 145 WDL and 145 DTZ tablebase files",
                             "NNUE evaluation using a.net",
                             "Hash: 16 MB",
                             "depth 1 score cp 0"})
        BOOST_TEST(!objects_to_option(line, options), line);
}

BOOST_AUTO_TEST_SUITE_END()
