// The program as a process, with real pipes, files and the real search.
#include "book/book.h"
#include "book/store/database.h"
#include "engine/engine.h"
#include "tests/protocol/fresh.h"

#include <algorithm>
#include <sstream>

namespace {

const std::vector<std::string> WithBook;

bool any_begins(const std::vector<std::string>& lines, std::string_view beginning) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.starts_with(beginning);
    });
}

constexpr std::string_view Middlegame =
    "setboard r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";

// Plays a short game as Black and learns from it.
void play_and_learn(Program& program) {
    program.send({"new", "st 0.05", "a2a4"});
    program.move();
    program.send({"h2h4"});
    program.move();
    program.send({"result 0-1 {White resigns}"});
    program.until("# book: ");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(process, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(matches_can_be_played_at_equal_nodes) {
    Fresh fresh;
    fresh.program.send({"post", "easy", "st 1", "nps 3000", Middlegame, "go"});
    for (int moves = 0; moves < 3; ++moves) {
        const std::vector<std::string> lines = fresh.program.until("move ");
        std::istringstream last(lines[lines.size() - 2]);
        long depth = 0, score = 0, centiseconds = 0, nodes = 0;
        last >> depth >> score >> centiseconds >> nodes;
        BOOST_TEST(nodes == 3000);
        BOOST_TEST(centiseconds == 100);
        fresh.program.send({"force", "undo", "go"});
    }
    fresh.program.send({"quit"});
    fresh.ends_well();
}

BOOST_AUTO_TEST_CASE(it_searches_for_its_book_while_no_game_is_on) {
    Fresh fresh(WithBook);
    fresh.program.send({"option BookImprove=1"});
    fresh.program.until("# book: searched ");
    fresh.program.send({"quit"});
    fresh.ends_well();
    Program again(WithBook, fresh.folder.path());
    Fresh::greet(again);
    again.send({"st 0.01", "go"});
    BOOST_TEST(any_begins(again.until("move "), "# book: "));  // the book was empty before
    again.send({"quit"});
    BOOST_TEST(again.exit_status() == 0);
}

BOOST_AUTO_TEST_CASE(no_output_without_a_command) {
    const Folder folder;
    Program program({"--no-book"});
    program.send({"xboard", "ping 1"});
    BOOST_TEST(program.line() == "pong 1");
    program.send({"quit"});
    BOOST_TEST(program.exit_status() == 0);
    BOOST_TEST(program.rest() == "");
    BOOST_TEST(program.complaints() == "");
}

BOOST_AUTO_TEST_CASE(a_pong_waits_for_the_move) {
    Fresh fresh;
    fresh.program.send({"sd 4", "e2e4", "ping 80"});
    BOOST_TEST(fresh.program.line().starts_with("move "));
    BOOST_TEST(fresh.program.line() == "pong 80");
}

BOOST_AUTO_TEST_CASE(a_halted_search_prints_no_move) {
    Fresh fresh;
    int number = 0;
    for (const char* const end : {"force", "new", "result 1-0 {x}", "undo", "exit\nforce"}) {
        const std::string ping = "ping " + std::to_string(++number);
        fresh.program.send({"new", "level 0 60 0", "e2e4", end, ping});
        BOOST_TEST(fresh.program.line() == "pong " + std::to_string(number));
        fresh.program.send({"force", "ping 77"});
        BOOST_TEST(fresh.program.line() == "pong 77");
    }
}

BOOST_AUTO_TEST_CASE(a_question_mark_ends_the_search_with_its_move) {
    Fresh fresh;
    fresh.program.send({"level 0 600 0", Middlegame, "go", "?", "ping 78"});
    BOOST_TEST(fresh.program.line().starts_with("move "));
    BOOST_TEST(fresh.program.line() == "pong 78");
}

BOOST_AUTO_TEST_CASE(lines_arrive_in_pieces_and_in_bulk) {
    Fresh fresh;
    fresh.program.write("pin");
    fresh.program.write("g 5");
    fresh.program.write("55\r\n");
    BOOST_TEST(fresh.program.line() == "pong 555");
    std::string heap;
    for (int i = 0; i < 5000; ++i)
        heap += "time 100\nping " + std::to_string(i) + '\n';
    fresh.program.write(heap);
    for (int i = 0; i < 5000; ++i)
        if (const std::string line = fresh.program.line(); line != "pong " + std::to_string(i))
            BOOST_FAIL("pong " << i << " became " << line);
    fresh.program.send({"force",
                        "e2e4",
                        "e7e5",
                        "g1f3",
                        "b8c6",
                        "f1b5",
                        "a7a6",
                        "b5a4",
                        "g8f6",
                        "e1g1",
                        "f8e7",
                        "sd 4",
                        "go",
                        "ping 6"});
    BOOST_TEST(fresh.program.line().starts_with("move "));
    BOOST_TEST(fresh.program.line() == "pong 6");
}

BOOST_AUTO_TEST_CASE(random_input_does_no_harm) {
    Fresh fresh;
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte)
        bytes += static_cast<char>(byte);
    fresh.program.write(bytes + "\n%n%s%n\n" + std::string(20'000, 'x') + "\nsetboard " +
                        std::string(300'000, '8') + "\nedit\n" + bytes + "\n.\nnew\nping 1\n");
    const std::vector<std::string> lines = fresh.program.until("pong 1");
    for (const std::string& line : lines)
        BOOST_TEST(line.size() < 500U);
    fresh.program.send({"sd 3", "e2e4"});
    fresh.program.move();
    fresh.program.send({"quit"});
    fresh.ends_well();
}

BOOST_AUTO_TEST_CASE(it_ends_with_quit_in_every_state) {
    for (const char* const before : {"",
                                     "level 0 60 0\ngo\n",
                                     "hard\nsd 3\ne2e4\n",
                                     "analyze\n",
                                     "level 0 60 0\ngo\npause\n",
                                     "edit\n",
                                     "force\n"}) {
        Fresh fresh;
        fresh.program.write(before + std::string("quit\nexit\n"));
        fresh.ends_well();
    }
}

BOOST_AUTO_TEST_CASE(it_ends_with_the_input) {
    for (const char* const before : {"", "level 0 60 0\ngo\n", "analyze\n", "quit", "ping 1"}) {
        Fresh fresh;
        fresh.program.write(before);
        fresh.program.close_input();
        fresh.ends_well();
    }
}

BOOST_AUTO_TEST_CASE(it_ends_when_nobody_reads) {
    Fresh fresh;
    fresh.program.close_output();
    fresh.program.send({"ping 1", "ping 2"});
    fresh.ends_well();
}

BOOST_AUTO_TEST_CASE(pondering_answers_pings_and_plays_one_move_for_each_of_the_opponent) {
    Fresh fresh;
    fresh.program.send({"hard", "sd 5", "e2e4", "ping 1"});
    fresh.program.move();
    BOOST_TEST(fresh.program.line() == "pong 1");
    fresh.program.send({"hint", "ping 2"});
    const std::vector<std::string> lines = fresh.program.until("pong 2");
    BOOST_TEST(!any_begins(lines, "move"));
    const std::string expected =
        lines.front().starts_with("Hint: ") ? lines.front().substr(6) : "d2d4";
    fresh.program.send({expected, "ping 3"});
    BOOST_TEST(fresh.program.line().starts_with("move "));
    BOOST_TEST(fresh.program.line() == "pong 3");
    fresh.program.send({"easy", "ping 4"});
    BOOST_TEST(fresh.program.line() == "pong 4");
}

BOOST_AUTO_TEST_CASE(analysis_shows_lines_and_answers_at_once) {
    Fresh fresh;
    const auto thought = [&fresh] {
        std::string line = fresh.program.line();
        BOOST_TEST((!line.empty() && line.front() >= '1' && line.front() <= '9'), line);
        return line;
    };
    fresh.program.send({"post", Middlegame, "analyze"});
    thought();
    fresh.program.send({"."});
    const std::string status = fresh.program.until("stat01: ").back();
    BOOST_TEST(std::count(status.begin(), status.end(), ' ') >= 5);
    fresh.program.send({"force", "setboard 8/8/8/8/8/8/P7/K1k5 w - - 0 1", "ping 8"});
    fresh.program.until("pong 8");
    const std::string line = thought();
    BOOST_TEST((line.ends_with(" a4") || line.find(" a4 ") != std::string::npos ||
                line.ends_with(" a3") || line.find(" a3 ") != std::string::npos ||
                line.find(" Ka") != std::string::npos),
               line);
    fresh.program.send({"exit", "ping 9"});
    fresh.program.until("pong 9");
    fresh.program.send({"ping 10"});
    BOOST_TEST(fresh.program.line() == "pong 10");
}

BOOST_AUTO_TEST_CASE(thinking_ends_with_the_line_of_the_move) {
    Fresh fresh;
    fresh.program.send({"post", "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "st 5", "go"});
    const std::vector<std::string> lines = fresh.program.until("1-0 ");
    BOOST_TEST_REQUIRE(lines.size() >= 3U);
    BOOST_TEST(lines[lines.size() - 3].find(" 100001 ") != std::string::npos);
    BOOST_TEST(lines[lines.size() - 3].ends_with(" Ra8#"));
    BOOST_TEST(lines[lines.size() - 2] == "move a1a8");
}

BOOST_AUTO_TEST_CASE(what_was_learned_is_known_to_the_next_process) {
    Fresh fresh(WithBook);
    play_and_learn(fresh.program);
    fresh.program.send({"quit"});
    fresh.ends_well();
    Program next({}, fresh.folder.path());
    Fresh::greet(next);
    next.send({"bk", "ping 1"});
    const std::vector<std::string> table = next.until("pong 1");
    BOOST_TEST(any_begins(table, " a4"));
    for (const std::string& line : table)
        BOOST_TEST((line.empty() || line.front() == ' ' || line == "pong 1"), line);
}

BOOST_AUTO_TEST_CASE(several_processes_learn_into_one_book) {
    Fresh one(WithBook);
    Program two({}, one.folder.path());
    Fresh::greet(two);
    play_and_learn(one.program);
    play_and_learn(two);
    one.program.send({"quit"});
    two.send({"quit"});
    one.ends_well();
    BOOST_TEST(two.exit_status() == 0);
}

BOOST_AUTO_TEST_CASE(a_quit_with_a_locked_book_loses_nothing) {
    Fresh fresh(WithBook);
    play_and_learn(fresh.program);
    book::Database other(fresh.folder.path() / "nutcracker" / "book.db", true);
    std::optional<book::Transaction> lock(other);
    fresh.program.send({"new", "sd 3", "b2b3"});
    fresh.program.move();
    fresh.program.send({"result 1-0 {x}", "quit"});
    fresh.ends_well();
    lock.reset();
    Program next({}, fresh.folder.path());
    Fresh::greet(next);
    next.until("# book: merged ");
}

BOOST_AUTO_TEST_CASE(a_mate_counts_once_with_or_without_a_result) {
    for (const char* const ending : {"quit\n",
                                     "",  // the end of the input
                                     "new\nquit\n",
                                     "result 0-1 {Black mates}\nquit\n",
                                     "result 0-1 {Black mates}\nnew\nquit\n"}) {
        Fresh fresh(WithBook);
        fresh.program.send({"sd 3", "force", "f2f3", "exclude all", "include e7e5", "go"});
        BOOST_TEST(fresh.program.move() == "e7e5");
        fresh.program.send({"g2g4"});
        fresh.program.until("0-1 {Black mates}");
        fresh.program.write(ending);
        fresh.program.close_input();
        fresh.ends_well();
        // Opened for writing, it takes in a game that was not learned in time and put beside it.
        const auto book = book::Book::open(
            {.experience = fresh.folder.path() / "nutcracker" / "book.db", .base = {}});
        BOOST_TEST_REQUIRE(book.has_value());
        const book::Stats stats = (*book)->stats().value();
        BOOST_TEST(stats.own_games == 1, ending << stats.own_games);
        BOOST_TEST(stats.wins == 1, ending << stats.wins);
    }
}

BOOST_AUTO_TEST_CASE(a_kill_loses_nothing_that_was_learned) {
    Fresh fresh(WithBook);
    play_and_learn(fresh.program);
    fresh.program.send({"new", "sd 3", "b2b3", "result 1-0 {x}"});
    fresh.program.kill();
    BOOST_TEST(fresh.program.exit_status() == test_system::KilledStatus);
    Program next({}, fresh.folder.path());
    Fresh::greet(next);
    next.send({"bk", "ping 1"});
    BOOST_TEST(any_begins(next.until("pong 1"), " a4"));
    play_and_learn(next);
}

BOOST_AUTO_TEST_CASE(it_plays_with_a_book_in_memory) {
    Program program({"--book", ":memory:"});
    Fresh::greet(program);
    play_and_learn(program);
    program.send({"quit"});
    BOOST_TEST(program.exit_status() == 0);
    BOOST_TEST(program.complaints() == "");
}

BOOST_AUTO_TEST_CASE(a_damaged_book_is_reported_in_one_line_and_play_continues) {
    const Folder folder;
    const std::string file = (folder.path() / "book.db").string();
    std::ofstream(file) << std::string(5000, '?');
    Program program({"--book", file}, folder.path());
    program.send({"xboard", "protover 2", "accepted debug", "new"});
    program.until("telluser playing ");
    program.send({"sd 3", "e2e4"});
    program.move();
    program.send({"result 1-0 {x}"});
    BOOST_TEST(program.until("# book: ").back().ends_with("the game is kept for later"));
    program.send({"quit"});
    BOOST_TEST(program.exit_status() == 0);
    BOOST_TEST(program.rest().find("telluser") == std::string::npos);  // said once
    BOOST_TEST(program.complaints() == "");
    BOOST_TEST(std::filesystem::file_size(file + ".spool") > 0U);
    BOOST_TEST(std::filesystem::file_size(file) == 5000U);
}

BOOST_AUTO_TEST_CASE(both_directions_are_logged) {
    const Folder folder;
    const std::string file = (folder.path() / "all.log").string();
    Program program({"--no-book", "--log", file});
    program.send({"xboard", "ping 42", "quit"});
    BOOST_TEST(program.exit_status() == 0);
    std::ifstream in(file);
    std::ostringstream all;
    all << in.rdbuf();
    const std::string log = all.str();
    BOOST_TEST(log.find(" > ping 42\n") != std::string::npos);
    BOOST_TEST(log.find(" < pong 42\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(wrong_use_prints_one_line_and_exits_with_two) {
    const std::vector<std::vector<std::string>> uses = {{"--no-such-option"},
                                                        {"frobnicate"},
                                                        {"--hash", "0"},
                                                        {"--hash", "x"},
                                                        {"--threads", "300"},
                                                        {"bench", "-1"},
                                                        {"--slice", "nonsense"},
                                                        {"bench", "5", "6"}};
    for (const std::vector<std::string>& arguments : uses) {
        Program program(arguments);
        BOOST_TEST(program.exit_status() == 2, arguments.front());
        BOOST_TEST(std::count(program.complaints().begin(), program.complaints().end(), '\n') == 1,
                   program.complaints());
        BOOST_TEST(program.rest() == "");
    }
}

BOOST_AUTO_TEST_CASE(help_version_and_bench_answer_and_end) {
    Program help({"--help"});
    BOOST_TEST(help.exit_status() == 0);
    for (const char* const option :
         {"--book", "--no-book", "--log", "--slice", "--hash", "--threads", "--seed", "--version"})
        BOOST_TEST(help.rest().find(option) != std::string::npos, option);
    for (const std::string_view slice : engine::slices_here())
        BOOST_TEST(help.rest().find(slice) != std::string::npos, slice);
    Program version({"--version"});
    BOOST_TEST(version.exit_status() == 0);
    BOOST_TEST(version.rest() == "nutcracker " NUTCRACKER_VERSION "\n");
    Program bench({"bench", "4"}), again({"bench", "4"});
    BOOST_TEST(bench.exit_status() == 0);
    BOOST_TEST(again.exit_status() == 0);
    const std::string nodes = bench.rest().substr(0, bench.rest().find(' '));
    BOOST_TEST(std::stoull(nodes) > 1000U);
    BOOST_TEST(again.rest().substr(0, again.rest().find(' ')) == nodes);
    BOOST_TEST(bench.rest().ends_with(" nps\n"));
}

BOOST_AUTO_TEST_SUITE_END()
