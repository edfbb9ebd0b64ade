// Signals of POSIX to the program as a process.
#include "tests/protocol/fresh.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <sys/types.h>
#include <sys/wait.h>

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

BOOST_AUTO_TEST_CASE(it_ends_although_nobody_reads_its_output) {
    Fresh fresh;
    fresh.program.send(std::vector<std::string_view>(2'000, "d"));  // more than a pipe holds
    fresh.program.until("# key");
    ::kill(fresh.program.number(), SIGTERM);
    siginfo_t ended{};
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (ended.si_pid == 0 && std::chrono::steady_clock::now() < until) {
        const auto number = static_cast<id_t>(fresh.program.number());
        BOOST_TEST_REQUIRE(::waitid(P_PID, number, &ended, WEXITED | WNOHANG | WNOWAIT) == 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    BOOST_TEST(ended.si_pid == fresh.program.number());
    fresh.ends_well();
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
