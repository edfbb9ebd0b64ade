#include "protocol/io/input.h"

#include <boost/test/unit_test.hpp>

using namespace protocol;

namespace {

std::vector<std::string> split(const std::vector<std::string>& pieces) {
    std::vector<std::string> lines;
    const auto deliver = [&lines](std::string line) { lines.push_back(std::move(line)); };
    LineSplitter splitter;
    for (const std::string& piece : pieces)
        splitter.feed(piece, deliver);
    splitter.finish(deliver);
    return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(input)

BOOST_AUTO_TEST_CASE(lines_come_whole_however_their_bytes_arrive) {
    const Lines expected = {"ping 1", "ping 2", "quit"};
    BOOST_TEST(split({"ping 1\nping 2\nquit\n"}) == expected, boost::test_tools::per_element());
    BOOST_TEST(split({"pi", "ng 1\r", "\nping 2\n", "qu", "it"}) == expected,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(empty_lines_are_lines_and_an_empty_end_is_none) {
    const Lines expected = {"", "", "a"};
    BOOST_TEST(split({"\n\r\na\n", ""}) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_line_may_contain_any_byte) {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte)
        if (byte != '\n')
            bytes += static_cast<char>(byte);
    BOOST_TEST(split({bytes + "\nping 1\n"}).front() == bytes);
}

BOOST_AUTO_TEST_CASE(long_lines_are_kept_and_absurd_ones_cut) {
    const std::string line(20'000, 'x');
    BOOST_TEST(split({line + "\n"}).front() == line);
    const Lines lines =
        split({std::string(200'000, 'x'), std::string(200'000, 'x') + "\nping 1\n"});
    BOOST_TEST_REQUIRE(lines.size() == 2U);
    BOOST_TEST(lines[0].size() == LineSplitter::MaxLineBytes);
    BOOST_TEST(lines[1] == "ping 1");
}

BOOST_AUTO_TEST_SUITE_END()
