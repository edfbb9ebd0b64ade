// A small book for tests of the tools: make_book FILE [PART]. PART "a" or "b": two thirds of the
// games, a third of them in both; "undated": it is not known when they were played; "endings":
// also games that did not end on the board, and one without a result or date; a number: only the
// game with this number; "chosen": also a game whose moves the book chose; "many": 300 games of all
// kinds; "dump": prints what is derived from games; "learn" WRITER COUNT TIMES: opens the book
// TIMES times, learns COUNT games each time and prints a line for each that is stored, to be
// killed.
#include "book/book.h"
#include "book/store/store.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/platform/program.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

namespace {

struct Line {
    const char* moves;
    int exit;
};
constexpr std::array Lines{Line{"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", 8},
                           Line{"e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4", 7},
                           Line{"d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O", 6},
                           Line{"e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6", 6}};
constexpr std::array Opponents{
    "<script>alert 1</script>", "Anna", "Boris \"the\" Bear", "M\xFCller"};

book::GameRecord game(int number) {
    const auto n = static_cast<std::size_t>(number);
    const Line& line = Lines[n % Lines.size()];
    book::GameRecord r;
    r.uid = "game " + std::to_string(number);
    std::istringstream words(line.moves);
    for (std::string word; words >> word;)
        if (const auto move = engine::parse_move(r.game.position(), word))
            r.game.play(*move);
    r.our_side = number % 5 == 0 ? engine::Black : engine::White;
    r.score = number * 7 % 3 / 2.0;
    r.opponent.name = Opponents[n % 7 % Opponents.size()];
    r.opponent.rating = 1900 + 10 * number;
    r.our_rating = 2100;
    r.played = 1'700'000'000 + 3600 * number;
    r.engine = "Nutcracker <b>";
    r.exit_ply = line.exit;
    r.exit_cp = 10 * (number % 7) - 30;
    r.exit_depth = 12;
    r.time_control = number % 2 == 0 ? "300+2" : "40/300";
    r.event = "Club \"A\" match";
    return r;
}

// A won game in which the book chose our moves, and the opponent the first reply that it knows.
book::GameRecord chosen_game(book::Book& book) {
    book::GameRecord r = game(60);
    r.game = engine::Game();
    r.our_side = engine::White;
    r.score = 1;
    r.opponent.name = "Zoe";
    for (;;) {
        const bool ours = r.game.position().side_to_move() == r.our_side;
        const auto rows = book.table(r.game.position(), {.time = book::TimeClass::Blitz});
        const auto chosen = book.choose(r.game, {});
        if (!rows || rows->empty() || (ours && (!chosen || !*chosen)))
            break;
        if (ours)
            r.draws.push_back((*chosen)->draw);
        r.game.play(ours ? (*chosen)->move : rows->front().move);
    }
    if (r.game.position().side_to_move() != r.our_side)
        r.game.play(engine::legal_moves(r.game.position())[0]);
    r.exit_ply = r.game.ply();
    for (int i = 0; i < 4; ++i)
        r.game.play(engine::legal_moves(r.game.position())[0]);
    return r;
}

bool is_in(int number, const std::string& part) {
    if (part == "a" || part == "b")
        return number % 3 != (part == "a" ? 0 : 1);
    return part.find_first_of("0123456789") != 0 || part == std::to_string(number);
}

// Games with moves at random behind an opening: from set-up positions, repeated, lost on time,
// without names, ratings or scores.
book::GameRecord any_game(int number) {
    constexpr const char* Start =
        "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8";
    book::GameRecord r = game(number);
    r.uid = "many-" + std::to_string(number);
    const int seed = number % 6 == 5 ? 5 : number;  // every sixth game is the same
    if (number % 11 == 3)
        r.game = engine::Game(*engine::Position::from_fen(Start));
    std::uint64_t random = static_cast<std::uint64_t>(seed) + 1;
    for (int ply = seed % 40 + 2; ply > 0; --ply) {
        const auto moves = engine::legal_moves(r.game.position());
        random = random * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        if (moves.begin() == moves.end())
            break;
        r.game.play(moves.begin()[(random >> 33) %
                                  static_cast<std::uint64_t>(moves.end() - moves.begin())]);
    }
    r.our_side = seed % 3 == 0 ? engine::Black : engine::White;
    r.score = seed * 7 % 3 / 2.0;
    r.termination = number % 13 == 4   ? book::Termination::Flag
                    : number % 17 == 6 ? book::Termination::Disconnection
                                       : book::Termination::Board;
    r.time = static_cast<book::TimeClass>(number % 3);
    r.time_control = number % 4 == 0 ? "" : "60+1";
    r.opponent = {.name = number % 6 == 5    ? "Anna"
                          : number % 19 == 7 ? ""
                                             : "Carl, \"the\" \\ cat",
                  .server = number % 2 == 0 ? "freechess.org" : "",
                  .computer = number % 2 == 0,
                  .rating = number % 5 == 0 ? 0 : 1500 + number};
    r.exit_ply = std::min(number % 9, r.game.ply());
    r.exit_depth = number % 8 == 0 ? book::NoScore : number % 30;
    r.reason = number % 7 == 0 ? "{White} resigns" : "";
    r.draws = number % 2 == 0 ? std::vector<std::string>{"0 17 0.6 | 1 0.5", "2 18 0.5 | 3 0.25"}
                              : std::vector<std::string>();
    return r;
}

int fill(book::Book& book) {
    for (int number = 0; number < 300; ++number)
        if (number % 23 == 9 ? !book.note(any_game(number)) : !book.learn(any_game(number)))
            return 1;
    return 0;
}

// The first line printed tells that the program runs.
int learn(const std::string& file, const std::string& writer, int count, int times) {
    std::cout << "begins" << std::endl;  // NOLINT(performance-avoid-endl): read as it comes
    for (int time = 0; time < times; ++time) {
        const auto book = book::Book::open({.experience = file, .base = {}});
        for (int i = 0; i < count; ++i) {
            book::GameRecord r = game(i % 40);
            r.uid = writer + "/" + std::to_string(time) + "/" + std::to_string(i);
            if (!book || (i % 2 == 0 && !(*book)->note(r)) || !(*book)->learn(r))
                return 1;
            std::cout << "learned" << std::endl;  // NOLINT(performance-avoid-endl)
        }
    }
    return 0;
}

int dump(const std::string& file) {
    book::Store store(file, false);
    std::vector<std::string> lines;
    std::ostringstream out;
    out.precision(10);
    const auto end = [&] {
        lines.push_back(out.str());
        out.str("");
    };
    store.positions.each_node([&](const book::NodeKey& k, const book::Node& n) {
        out << "node " << k.key << ' ' << int{k.side} << ' ' << static_cast<int>(k.time) << ' '
            << n.bits << ' ' << n.rank << ' ' << n.visits << ' ' << n.exits << ' ' << n.weight_sum
            << ' ' << n.score_sum << ' ' << n.cp.value_or(-99'999) << ' ' << n.cp_depth << ' '
            << n.cp_at << ' ' << n.value << ' ' << n.evidence << ' ' << n.clock;
        end();
    });
    store.positions.each_visit([&](const book::NodeKey& k, const book::Visit& v) {
        out << "visit " << k.key << ' ' << int{k.side} << ' ' << static_cast<int>(k.time) << ' '
            << v.move << ' ' << v.child << ' ' << v.visits << ' ' << v.exits << ' ' << v.wins << ' '
            << v.draws << ' ' << v.losses;
        end();
    });
    store.games.each({}, [&](const book::LoggedGame& g) {
        const book::GameRecord& r = g.record;
        out << "game " << r.uid << ' ' << g.clock << ' ' << g.epoch << ' '
            << static_cast<int>(g.state) << ' ' << r.played << ' ' << int{r.our_side} << ' '
            << r.score << ' ' << static_cast<int>(r.termination) << ' ' << r.our_rating << ' '
            << r.opponent.rating << ' ' << static_cast<int>(r.time) << ' ' << g.evidence.weight
            << ' ' << g.evidence.result << ' ' << g.overperformance << ' '
            << r.exit_ply.value_or(-1) << ' ' << r.exit_cp << ' ' << r.exit_depth << ' '
            << g.exit_key.value_or(0) << ' ' << g.analysed_cp.value_or(0) << ' ' << r.engine << '|'
            << r.event << '|' << r.time_control << '|' << r.reason << '|' << r.game.start().fen()
            << '|' << r.game.position().fen() << '|' << r.game.ply();
        for (const std::string& draw : r.draws)
            out << '|' << draw;
        if (const auto o = store.opponents.get(g.opponent_id))
            out << '|' << o->name << '|' << o->server << '|' << o->computer << '|' << o->games;
        end();
    });
    store.positions.each_analysis([&](book::Key key, const book::Analysis& a) {
        out << "analysis " << key << ' ' << a.move << ' ' << a.cp << ' ' << a.depth;
        end();
    });
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines)
        std::cout << line << '\n';
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words = engine::platform::begin_program(argc, argv);
    if (words.empty())
        return 2;
    const std::string part = words.size() > 1 ? words[1] : "";
    if (part == "dump")
        return dump(words[0]);
    if (part == "learn" && words.size() == 5)
        return learn(words[0], words[2], std::stoi(words[3]), std::stoi(words[4]));
    const auto opened = book::Book::open({.experience = words[0], .base = {}});
    if (!opened) {
        std::cerr << opened.error().what << '\n';
        return 1;
    }
    if (part == "many")
        return fill(**opened);
    for (int number = 0; number < 40; ++number) {
        if (!is_in(number, part))
            continue;
        book::GameRecord record = game(number);
        if (part == "undated")
            record.played = 0;
        const auto learned = (*opened)->learn(record);
        if (!learned) {
            std::cerr << learned.error().what << '\n';
            return 1;
        }
        for (const std::string& line : learned->lines)
            std::cout << line << '\n';
    }
    if (part == "chosen")
        return (*opened)->learn(chosen_game(**opened)).has_value() ? 0 : 1;
    if (part != "endings")
        return 0;
    const auto learn = [&](int number, book::Termination termination, const char* reason) {
        book::GameRecord r = game(number);
        r.opponent.name = "Anna";
        r.termination = termination;
        r.reason = reason;
        return (*opened)->learn(r).has_value();
    };
    if (!learn(40, book::Termination::Flag, "Time {over} runs out") ||
        !learn(41, book::Termination::Disconnection, "") ||
        !learn(42, book::Termination::Board, "Illegal move by Anna"))
        return 1;
    book::GameRecord noted = game(43);
    noted.opponent.name = "Nobody";
    noted.our_side = engine::White;
    noted.played = 0;
    return (*opened)->note(noted) ? 0 : 1;
}
