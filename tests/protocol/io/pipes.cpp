// The reader thread on real pipes.
#include "engine/platform/events.h"
#include "engine/platform/file.h"
#include "protocol/io/input.h"
#include "protocol/io/queue.h"

#include <array>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <unistd.h>

using namespace protocol;
using engine::platform::write_all;

namespace {

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

BOOST_AUTO_TEST_SUITE(pipes, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(the_reader_delivers_lines_and_then_the_end) {
    Pipe pipe;
    Queue<Event> mail;
    const Input reader(pipe.ends[0], nullptr, [&mail](Event event) { mail.put(std::move(event)); });
    BOOST_TEST(write_all(pipe.ends[1], "xboard\nprotover"));
    BOOST_TEST(text_of(mail.take()) == "xboard");
    BOOST_TEST(write_all(pipe.ends[1], " 2\nlast"));
    BOOST_TEST(text_of(mail.take()) == "protover 2");
    pipe.close_writer();
    BOOST_TEST(text_of(mail.take()) == "last");
    BOOST_TEST(text_of(mail.take()) == "(end)");
}

BOOST_AUTO_TEST_CASE(lines_before_a_request_to_end_are_delivered) {
    Pipe pipe;
    Queue<Event> mail;
    const engine::platform::Event end;
    BOOST_TEST(write_all(pipe.ends[1], "result 1-0 {?}\nping 1\n"));
    end.set();
    const Input reader(pipe.ends[0], &end, [&mail](Event event) { mail.put(std::move(event)); });
    BOOST_TEST(text_of(mail.take()) == "result 1-0 {?}");
    BOOST_TEST(text_of(mail.take()) == "ping 1");
    BOOST_TEST(std::holds_alternative<Terminate>(mail.take()));
}

BOOST_AUTO_TEST_CASE(a_full_nonblocking_pipe_is_waited_for) {
    Pipe pipe(O_NONBLOCK);
    const Input reader(pipe.ends[0], nullptr, [](const Event&) {});
    BOOST_TEST(write_all(pipe.ends[1], std::string(300'000, 'x')));
}

BOOST_AUTO_TEST_CASE(the_reader_ends_after_quit_and_when_told_to) {
    Pipe pipe;
    Queue<Event> mail;
    {
        const Input reader(
            pipe.ends[0], nullptr, [&mail](Event event) { mail.put(std::move(event)); });
        BOOST_TEST(write_all(pipe.ends[1], "quit\n"));
        BOOST_TEST(text_of(mail.take()) == "quit");
    }
    const Input idle(
        pipe.ends[0], nullptr, [](const Event&) {});  // the destructor does not wait for input
}

BOOST_AUTO_TEST_SUITE_END()
