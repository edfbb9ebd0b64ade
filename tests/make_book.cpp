// A small book for tests of the tools: make_book FILE [PART]. PART "a" or "b": two thirds of the
// games, a third of them in both; "undated": it is not known when they were played; "endings":
// also games that did not end on the board, and one without a result or date; a number: only the
// game with this number; "chosen": also a game whose moves the book chose.
#include "book/book.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"

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
        const auto rows = book.table(r.game.position(), book::TimeClass::Blitz);
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

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2)
        return 2;
    const std::string part = argc > 2 ? argv[2] : "";
    const auto opened = book::Book::open({.experience = argv[1], .base = {}});
    if (!opened) {
        std::cerr << opened.error().what << '\n';
        return 1;
    }
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
