// UCI: its command table, its words, and that every `go` has exactly one answer, whatever comes
// while it is searched; the answers to commands are in transcripts/uci/.
#include "engine/board/movegen.h"
#include "protocol/uci_adapter.h"
#include "tests/protocol/dialogue.h"
#include "tests/protocol/program.h"

#include <algorithm>
#include <cstdlib>
#include <random>

#include <boost/test/unit_test.hpp>

using namespace protocol;

namespace {

// Of the tests with random commands or positions; NUTCRACKER_TEST_ROUNDS in the environment sets
// another number.
int rounds(int usual) {
    const char* const wanted =
        std::getenv("NUTCRACKER_TEST_ROUNDS");               // NOLINT(concurrency-mt-unsafe)
    return wanted ? std::max(std::atoi(wanted), 1) : usual;  // NOLINT(cert-err34-c)
}

// Counts what is answered, and forgets the rest.
struct Answers {
    int best_moves = 0, ready = 0;

    void take(std::deque<std::string>& said) {
        for (; !said.empty(); said.pop_front()) {
            best_moves += said.front().starts_with("bestmove ") ? 1 : 0;
            ready += said.front() == "readyok" ? 1 : 0;
        }
    }
};

constexpr auto Gos = std::to_array<std::string_view>({"go infinite",
                                                      "go movetime 3",
                                                      "go depth 3",
                                                      "go ponder wtime 50 btime 50",
                                                      "go ponder movetime 5",
                                                      "go wtime 20 btime 20 winc 1 binc 1",
                                                      "go nodes 300",
                                                      "go mate 1"});
constexpr auto Others =
    std::to_array<std::string_view>({"stop",
                                     "stop",
                                     "stop",
                                     "ponderhit",
                                     "ponderhit",
                                     "position startpos",
                                     "position startpos moves e2e4",
                                     "position startpos moves e2e4 e7e5",
                                     "position startpos moves f2f3 e7e5 g2g4",
                                     "setoption name Hash value 1",
                                     "setoption name Hash value 2",
                                     "setoption name MultiPV value 2",
                                     "setoption name MultiPV value 1",
                                     "setoption name UCI_LimitStrength value true",
                                     "setoption name UCI_LimitStrength value false",
                                     "ucinewgame",
                                     "d",
                                     "nonsense"});

template <std::size_t count>
std::string_view one_of(const std::array<std::string_view, count>& lines, std::mt19937& random) {
    return lines[random() % count];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uci, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(commands_are_sorted_by_name) {
    const auto table = Uci::commands();
    BOOST_TEST(std::is_sorted(
        table.begin(), table.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
}

BOOST_AUTO_TEST_CASE(help_prints_one_line_for_each_documented_command) {
    Dialogue dialogue;
    dialogue.send("uci");
    dialogue.said.clear();
    dialogue.send("help");
    for (const Uci::Command& command : Uci::commands())
        if (!command.help.empty()) {
            BOOST_TEST_REQUIRE(!dialogue.said.empty(), command.name);
            const std::string beginning = "info string " + std::string(command.name);
            BOOST_TEST(dialogue.said.front().starts_with(beginning));
            dialogue.said.pop_front();
        }
    BOOST_TEST(dialogue.said.empty());
}

BOOST_AUTO_TEST_CASE(options_come_before_memory_and_threads_are_asked_for) {
    Dialogue dialogue({.hash_mib = 128, .threads = 3});
    dialogue.send("uci");
    BOOST_TEST(dialogue.said.back() == "uciok");
    BOOST_TEST(dialogue.searcher.threads == 0);
    BOOST_TEST((std::find(dialogue.said.begin(),
                          dialogue.said.end(),
                          "option name Hash type spin default 128 min 1 max 65536") !=
                dialogue.said.end()));
    dialogue.send("isready");
    BOOST_TEST(dialogue.searcher.threads == 3);
    BOOST_TEST(dialogue.searcher.hash == 128);
}

BOOST_AUTO_TEST_CASE(chances_sum_to_a_thousand_and_grow_with_the_score) {
    int before = -1;
    for (int score = -3'000; score <= 3'000; score += 10) {
        const WinDrawLoss chances = win_draw_loss(score), theirs = win_draw_loss(-score);
        BOOST_TEST(chances.win + chances.draw + chances.loss == 1000);
        BOOST_TEST(chances.draw >= 0);
        BOOST_TEST(chances.win == theirs.loss);
        BOOST_TEST(chances.win >= before);
        before = chances.win;
    }
    BOOST_TEST(win_draw_loss(engine::mate_in(3)).win == 1000);
    BOOST_TEST(win_draw_loss(engine::mated_in(3)).loss == 1000);
}

BOOST_AUTO_TEST_CASE(positions_are_read_whole_or_not_at_all) {
    const Result<PositionOrder> order = parse_position(
        "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8d7", engine::CastlingStyle::Standard);
    BOOST_TEST_REQUIRE(order.has_value());
    BOOST_TEST(order->moves.size() == 2U);
    for (const char* const bad : {"fen", "fen x", "startpos moves e2e4 e2e4", "startpos e2e4"})
        BOOST_TEST(!parse_position(bad, engine::CastlingStyle::Standard).has_value(), bad);
}

// The search ends when the test wants, also at once.
BOOST_AUTO_TEST_CASE(every_go_has_one_answer_in_any_order_of_commands) {
    std::mt19937 random(20'06);
    for (int round = 0; round < rounds(400); ++round) {
        Dialogue dialogue;
        dialogue.send("uci");
        Answers answers;
        int gos = 0, asked = 0;
        for (int i = 0; i < 25; ++i) {
            const auto kind = random() % 6;
            if (kind == 0 && dialogue.searcher.root && !dialogue.searcher.limits.ponder) {
                dialogue.searcher.stop();  // by itself
                dialogue.settle();
            } else if (kind == 1) {
                dialogue.send("isready");
                ++asked;
            } else if (kind <= 3) {
                dialogue.send(one_of(Gos, random));
                ++gos;
            } else {
                dialogue.send(one_of(Others, random));
            }
            answers.take(dialogue.said);
            BOOST_TEST_REQUIRE(answers.best_moves <= gos);
            BOOST_TEST_REQUIRE(answers.ready == asked);  // at any time
        }
        const bool leaves_at_once = round % 4 == 0;  // and those that still wait have no answer
        for (int i = 0; i < gos && !leaves_at_once; ++i)
            dialogue.send("stop");
        for (int i = 0; i <= gos; ++i)  // a result may start a search that ends at once
            dialogue.settle();
        answers.take(dialogue.said);
        BOOST_TEST_REQUIRE((leaves_at_once || answers.best_moves == gos), "round " << round);
        const bool searching = dialogue.searcher.root.has_value();
        dialogue.send("quit");
        BOOST_TEST(!dialogue.alive);
        const int before = answers.best_moves;
        answers.take(dialogue.said);
        BOOST_TEST(answers.best_moves == before + (searching ? 1 : 0), "round " << round);
    }
}

// The same with the program and its search; only what is not known beforehand differs.
BOOST_AUTO_TEST_CASE(the_program_answers_every_go_once) {
    const Folder folder;
    std::mt19937 random(7);
    Program program({"--no-book", "--hash", "1"}, folder.path());
    program.send({"uci"});
    program.until("uciok");
    for (int round = 0; round < rounds(60); ++round) {
        int gos = 0, answered = 0;
        for (int i = 0; i < 8; ++i) {
            const bool search = random() % 2 == 0;
            gos += search ? 1 : 0;
            program.send({search ? one_of(Gos, random) : one_of(Others, random)});
        }
        for (int i = 0; i <= gos; ++i)
            program.send({"stop"});
        program.send({"position startpos", "go depth 1", "isready"});
        for (bool ready = false; answered <= gos || !ready;) {
            const std::string line = program.line();
            BOOST_TEST_REQUIRE(line != "(nothing)");
            answered += line.starts_with("bestmove ") ? 1 : 0;
            ready = ready || line == "readyok";
        }
        BOOST_TEST(answered == gos + 1);
    }
    program.send({"isready"});
    BOOST_TEST(program.line() == "readyok");  // and no answer more
    program.send({"quit"});
    BOOST_TEST(program.exit_status() == 0);
    BOOST_TEST(program.complaints() == "");
}

BOOST_AUTO_TEST_CASE(both_protocols_choose_the_same_moves_at_equal_nodes) {
    const Folder folder;
    Program uci({"--no-book", "--hash", "4"}, folder.path());
    Program xboard({"--no-book", "--hash", "4"}, folder.path());
    uci.send({"uci"});
    uci.until("uciok");
    xboard.send({"xboard", "protover 2", "easy"});
    xboard.until("feature done=1");
    std::mt19937 random(11);
    for (int i = 0; i < rounds(40); ++i) {
        engine::Position pos;
        for (int ply = 0; ply < 6 + i % 20; ++ply) {
            const engine::MoveList moves = engine::legal_moves(pos);
            if (!moves.empty())
                pos.make(moves[random() % moves.size()]);
        }
        if (!engine::has_legal_move(pos))
            continue;
        const std::string fen = pos.fen();
        const std::string position = "position fen " + fen, setboard = "setboard " + fen;
        uci.send({"ucinewgame", position, "go nodes 700"});
        xboard.send({"new", "force", setboard, "st 1", "nps 700", "go"});
        const std::string best = uci.until("bestmove ").back();
        const std::string move = xboard.move();
        BOOST_TEST(best.starts_with("bestmove " + move), fen << ": " << best << ", " << move);
    }
}

// The same, once the search has begun.
BOOST_AUTO_TEST_CASE(quit_in_a_search_answers_it) {
    const Folder folder;
    for (const std::string_view go : {"go infinite", "go ponder movetime 5", "go movetime 60000"}) {
        Program program({"--no-book"}, folder.path());
        program.send({"uci", "position startpos", go});
        program.until("info depth ");
        program.send({"quit"});
        program.until("bestmove ");
        BOOST_TEST(program.exit_status() == 0);
        BOOST_TEST(program.rest().find("bestmove") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_search_without_limits_is_ended_after_a_ponder_hit_too) {
    const Folder folder;
    Program program({"--no-book"}, folder.path());
    program.send({"uci"});
    for (const std::string_view go : {"go ponder", "go ponder mate 3"}) {
        program.send({"position startpos", go});
        program.until("info depth ");
        program.send({"ponderhit", "position startpos moves e2e4", "go depth 1"});
        program.until("bestmove ");
        program.until("bestmove ");
    }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_input_ends_a_search_with_its_move) {
    const Folder folder;
    Program program({"--no-book"}, folder.path());
    program.send({"uci", "position startpos", "go infinite"});
    program.until("info depth ");
    program.close_input();
    program.until("bestmove ");
    BOOST_TEST(program.exit_status() == 0);
    BOOST_TEST(program.complaints() == "");
}

BOOST_AUTO_TEST_SUITE_END()
