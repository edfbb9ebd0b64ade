// The program as clients drive it, with the real search: what they read from its lines, and when.
#include "tests/protocol/program.h"

#include <random>
#include <thread>

namespace {

struct Mate {
    int moves;
    const char* fen;
};

constexpr auto Mates = std::to_array<Mate>({
    {2, "k7/8/1K6/8/8/8/8/1Q6 w - - 0 1"},          {1, "8/8/7K/5k2/8/8/6q1/8 b - - 0 1"},
    {1, "K3k3/6R1/2R2r2/2p4p/6p1/8/8/8 w - - 0 1"}, {1, "8/R7/4k3/8/2n4P/8/1q4P1/3K4 b - - 0 1"},
    {1, "8/8/6r1/3P4/4b3/5P2/2k2P2/K7 b - - 0 1"},  {1, "Q7/8/8/8/8/K7/8/k7 w - - 0 1"},
    {1, "8/6R1/8/8/8/7k/3q4/7K b - - 0 1"},         {1, "8/1R6/8/k7/7K/5R2/8/8 w - - 0 1"},
    {1, "Q7/8/6q1/5k2/8/8/5r2/6RK b - - 0 1"},      {1, "8/1R6/8/8/8/2K5/4p3/3k4 w - - 0 1"},
    {1, "8/2p3p1/8/2B5/6R1/8/6p1/2K4k w - - 0 1"},  {1, "8/8/5K2/2R5/8/8/6R1/4k3 w - - 0 1"},
    {2, "4k3/8/8/8/8/8/R7/1R4K1 w - - 0 1"},        {2, "8/8/8/7R/8/7K/k7/4R3 w - - 0 1"},
    {2, "8/K7/7r/4r3/8/8/4k3/8 b - - 0 1"},         {2, "8/8/3R4/8/8/2K4R/8/k7 w - - 0 1"},
    {2, "8/k7/8/8/6K1/7R/4R3/8 w - - 0 1"},         {2, "8/8/2k5/8/K7/8/7q/8 b - - 0 1"},
    {2, "4r3/8/8/8/7K/1r6/8/k7 b - - 0 1"},         {2, "8/3q4/8/8/6k1/8/8/6K1 b - - 0 1"},
    {2, "5R2/8/8/8/5K2/8/7R/3k4 w - - 0 1"},        {2, "8/8/2P5/K1Pq4/2k5/8/7P/8 b - - 0 1"},
    {2, "8/8/K4k2/8/8/2r5/8/2r5 b - - 0 1"},        {2, "2r5/8/2r1k3/8/8/8/8/K7 b - - 0 1"},
});

bool is_thinking(const std::string& line) {
    return !line.empty() && line.front() >= '0' && line.front() <= '9';
}

}  // namespace

BOOST_AUTO_TEST_SUITE(real_clients, *boost::unit_test::label("threads"))

// python-chess takes each line before the answer to this ping for the line of the move played.
BOOST_AUTO_TEST_CASE(no_line_of_pondering_comes_before_the_answer_to_the_ping_after_the_move) {
    Program program({"--no-book"});
    program.send({"xboard", "protover 2"});
    program.until("feature done=1");
    program.send({"new", "force", "level 0 5:00 0", "sd 5"});
    std::mt19937 random(1);
    std::uniform_int_distribution<int> delay_ms(0, 20);
    for (int ply = 0; ply < 50; ++ply) {
        const auto start = std::chrono::steady_clock::now();
        program.send({"post", "hard", "go"});
        program.until("move ");
        std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms(random)));
        program.send({"ping 1"});
        const std::vector<std::string> lines = program.until("pong 1");
        // On a loaded machine the ping may come so late that the engine does not wait for it.
        if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(300))
            for (const std::string& line : lines)
                BOOST_TEST(!is_thinking(line), "ply " << ply << ": " << line);
        program.send({"easy", "ping 2", "force"});
        program.until("pong 2");
    }
}

BOOST_AUTO_TEST_CASE(lines_of_pondering_come_without_a_ping) {
    Program program({"--no-book"});
    program.send({"xboard", "new", "post", "hard", "sd 5", "e2e4"});
    program.move();
    BOOST_TEST(is_thinking(program.line()));
}

BOOST_AUTO_TEST_CASE(analysis_shows_mates_that_are_found_at_once) {
    Program program({"--no-book"});
    program.send({"xboard", "new", "force", "post", "analyze"});
    for (const Mate& mate : Mates) {
        program.send({std::string("setboard ") + mate.fen, ".", "hint", "bk"});
        const std::string wanted = " 10000" + std::to_string(mate.moves) + ' ';
        std::string line;
        do
            line = program.line();
        while (line != "(nothing)" && (!is_thinking(line) || line.find(wanted) == line.npos));
        BOOST_TEST_REQUIRE(line != "(nothing)", mate.fen);
    }
}

BOOST_AUTO_TEST_CASE(a_question_mark_ends_a_count_and_the_ping_after_it_is_answered) {
    Program program({"--no-book"});
    program.send({"xboard", "new"});
    for (const char* const command : {"perft 99", "divide 99", "bench 99"}) {
        program.send({command, "ping 1", "?"});
        const std::vector<std::string> lines = program.until("pong 1");
        BOOST_TEST_REQUIRE(lines.size() >= 2U);
        BOOST_TEST(lines[lines.size() - 2].find("stopped after ") != std::string::npos);
    }
    program.send({"sd 3", "e2e4"});
    program.move();
}

BOOST_AUTO_TEST_CASE(long_counts_end_with_the_program) {
    for (const char* const command : {"perft 99\n", "divide 99\n", "bench 99\n"}) {
        Program quit({"--no-book"}), end({"--no-book"});
        for (Program* const program : {&quit, &end})
            program->write(std::string("ping 1\n") + command);
        Program deferred({"--no-book"});  // by the search, which `quit` ends
        deferred.write(std::string("xboard\ngo\n") + command + "quit\n");
        BOOST_TEST(deferred.exit_status() == 0);
        quit.write("ping 2\nquit\n");
        end.close_input();
        for (Program* const program : {&quit, &end}) {
            BOOST_TEST(program->exit_status() == 0);
            BOOST_TEST(program->complaints() == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(the_book_in_use_is_announced_and_kept_if_another_cannot_be_used) {
    const Folder folder;
    const std::string no_book = (folder.path() / "text.db").generic_string();
    std::ofstream(no_book) << std::string(5000, '?');
    Program program({}, folder.path());
    program.send({"xboard", "protover 2"});
    const std::string path = (folder.path() / "nutcracker" / "book.db").generic_string();
    const std::vector<std::string> features = program.until("feature done=1");
    BOOST_TEST(std::count(features.begin(),
                          features.end(),
                          "feature option=\"BookFile -file " + path + '"') == 1);
    program.write("option BookFile=" + no_book + "\noption BookFile=\nping 1\n");
    const std::string refused = program.line();
    BOOST_TEST(refused.starts_with("telluser BookFile: "), refused);
    BOOST_TEST(refused.ends_with("; the previous book stays in use"), refused);
    BOOST_TEST(program.line() == "telluser BookFile: no file is named; the option is unchanged");
    BOOST_TEST(program.line() == "pong 1");

    const std::string new_book = (folder.path() / "new.db").generic_string();
    program.write("option BookFile=" + new_book + "\noption BookFile=-\nping 2\n");
    BOOST_TEST(program.line() == "telluser BookFile: " + new_book + " is a new book without games");
    BOOST_TEST(program.line() == "pong 2");
}

BOOST_AUTO_TEST_SUITE_END()
