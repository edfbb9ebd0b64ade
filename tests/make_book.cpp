// A small book for tests of the tools: make_book FILE [PART]. PART "a" or "b": two thirds of the
// games, a third of them in both. PART "undated": it is not known when they were played.
#include "book/book.h"
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
    return r;
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
        if ((part == "a" && number % 3 == 0) || (part == "b" && number % 3 == 1))
            continue;  // a third of the games is in both
        book::GameRecord record = game(number);
        if (part == "undated")
            record.played = 0;
        if (const auto learned = (*opened)->learn(record); !learned) {
            std::cerr << learned.error().what << '\n';
            return 1;
        }
    }
    return 0;
}
