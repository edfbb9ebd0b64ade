#include "protocol/io/log_file.h"

#include "tests/folder.h"

#include <fstream>
#include <regex>

#include <boost/test/unit_test.hpp>

using namespace protocol;

BOOST_AUTO_TEST_SUITE(log_file)

BOOST_AUTO_TEST_CASE(both_directions_are_appended_with_the_time) {
    const Folder folder;
    const std::filesystem::path file = folder / "log";
    for (int round = 0; round < 2; ++round) {
        const auto opened = LogFile::open(file.string());
        BOOST_TEST_REQUIRE(opened.has_value());
        (*opened)->received("ping 1");
        (*opened)->sent("pong 1\n");
    }
    std::ifstream in(file);
    const std::regex stamped(R"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \d+ (> ping 1|< pong 1))");
    int lines = 0;
    for (std::string line; std::getline(in, line); ++lines)
        BOOST_TEST(std::regex_match(line, stamped), line);
    BOOST_TEST(lines == 4);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_is_named) {
    const auto opened = LogFile::open("/proc/no/such/folder");
    BOOST_TEST_REQUIRE(!opened.has_value());
    BOOST_TEST(opened.error().what.find("/proc/no/such/folder") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
