// Signals of POSIX to the program as a process.
#include "tests/protocol/fresh.h"

#include <csignal>

#include <sys/types.h>

BOOST_AUTO_TEST_SUITE(signals, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(it_ends_cleanly_when_asked_by_the_system) {
    for (const char* const before : {"ping 1\n", "level 0 60 0\ngo\nping 2\nforce\nanalyze\n"}) {
        Fresh fresh;
        fresh.program.write(before);
        fresh.program.until("pong");
        ::kill(fresh.program.number(), SIGTERM);
        fresh.ends_well();
    }
}

BOOST_AUTO_TEST_CASE(an_interrupt_is_ignored) {
    Fresh fresh;
    ::kill(fresh.program.number(), SIGINT);
    fresh.program.send({"level 0 60 0", "go", "ping 1"});
    ::kill(fresh.program.number(), SIGINT);
    fresh.program.send({"?"});
    fresh.program.move();
    fresh.program.until("pong 1");
}

BOOST_AUTO_TEST_CASE(long_counts_end_when_asked_by_the_system) {
    for (const char* const command : {"perft 99", "divide 99", "bench 99"}) {
        Program program({"--no-book"});
        program.send({"ping 1", command});
        program.until("pong 1");
        ::kill(program.number(), SIGTERM);
        BOOST_TEST(program.exit_status() == 0);
        BOOST_TEST(program.complaints() == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()
