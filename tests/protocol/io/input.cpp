#include "protocol/io/input.h"

#include "protocol/io/output.h"
#include "protocol/io/queue.h"

#include <array>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <unistd.h>

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

struct Pipe {
    explicit Pipe(int flags = 0) { BOOST_TEST_REQUIRE(::pipe2(ends.data(), flags) == 0); }
    ~Pipe() {
        close_writer();
        ::close(ends[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_writer() {
        if (ends[1] >= 0)
            ::close(ends[1]);
        ends[1] = -1;
    }
    std::array<int, 2> ends{};
};

std::string text_of(const Event& event) {
    const auto* const line = std::get_if<Line>(&event);
    return line ? line->text : std::holds_alternative<EndOfInput>(event) ? "(end)" : "(other)";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(input, *boost::unit_test::label("threads"))

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

BOOST_AUTO_TEST_CASE(the_reader_delivers_lines_and_then_the_end) {
    Pipe pipe;
    Queue<Event> mail;
    const Input reader(pipe.ends[0], -1, [&mail](Event event) { mail.put(std::move(event)); });
    BOOST_TEST(write_all(pipe.ends[1], "xboard\nprotover"));
    BOOST_TEST(text_of(mail.take()) == "xboard");
    BOOST_TEST(write_all(pipe.ends[1], " 2\nlast"));
    BOOST_TEST(text_of(mail.take()) == "protover 2");
    pipe.close_writer();
    BOOST_TEST(text_of(mail.take()) == "last");
    BOOST_TEST(text_of(mail.take()) == "(end)");
}

BOOST_AUTO_TEST_CASE(a_full_nonblocking_pipe_is_waited_for) {
    Pipe pipe(O_NONBLOCK);
    const Input reader(pipe.ends[0], -1, [](const Event&) {});
    BOOST_TEST(write_all(pipe.ends[1], std::string(300'000, 'x')));
}

BOOST_AUTO_TEST_CASE(the_reader_ends_after_quit_and_when_told_to) {
    Pipe pipe;
    Queue<Event> mail;
    {
        const Input reader(pipe.ends[0], -1, [&mail](Event event) { mail.put(std::move(event)); });
        BOOST_TEST(write_all(pipe.ends[1], "quit\n"));
        BOOST_TEST(text_of(mail.take()) == "quit");
    }
    const Input idle(
        pipe.ends[0], -1, [](const Event&) {});  // the destructor does not wait for input
}

BOOST_AUTO_TEST_SUITE_END()
