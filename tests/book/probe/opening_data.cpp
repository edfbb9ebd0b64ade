// data/openings.tsv itself: every line is legal, well formed, named and unique.
#include "engine/board/game.h"
#include "engine/board/notation.h"

#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

namespace {

struct Line {
    std::string eco, name, moves;
};

std::vector<Line> read_lines() {
    std::ifstream in(DATA_DIR "/openings.tsv");
    std::string text;
    std::getline(in, text);
    BOOST_TEST_REQUIRE(text == "eco\tname\tmoves");
    std::vector<Line> lines;
    while (std::getline(in, text)) {
        std::istringstream fields(text);
        Line line;
        std::getline(fields, line.eco, '\t');
        std::getline(fields, line.name, '\t');
        std::getline(fields, line.moves);
        lines.push_back(line);
    }
    BOOST_TEST_REQUIRE(!lines.empty());
    return lines;
}

// Plays the moves; stops at the first word that is not the number or the exact SAN it must be.
engine::Game play(const Line& line) {
    engine::Game game;
    std::istringstream words(line.moves);
    for (std::string word; words >> word;) {
        if (game.ply() % 2 == 0) {
            BOOST_TEST_REQUIRE(word == std::to_string(game.ply() / 2 + 1) + '.', line.name);
            words >> word;
        }
        const auto move = engine::parse_move(game.position(), word);
        BOOST_TEST_REQUIRE(move.has_value(), line.name << ": " << word);
        BOOST_TEST(engine::to_san(game.position(), *move) == word, line.name);
        game.play(*move);
    }
    return game;
}

// Only the letters and digits; "Bxc3" and "bxc3" differ.
std::string letters_of(const std::string& name) {
    std::string letters;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += c;
    return letters;
}

// Whether the code has this opening by its first moves. Lines may transpose: 1. e4 into volumes A
// and E, 1. d4 and 1. c4 or 1. Nf3 into another's.
bool is_plausible(char volume, const std::vector<engine::Move>& moves) {
    const std::string first = engine::to_coordinates(moves[0]);
    const std::string reply = moves.size() > 1 ? engine::to_coordinates(moves[1]) : "";
    const bool open = reply == "e7e5" || reply == "e7e6";
    if (first == "e2e4")
        return volume == 'A' || volume == 'B' || (volume == 'C' && (open || reply == "d7d6"));
    if (first == "d2d4")
        return volume == 'A' || volume == 'D' || (volume == 'E' && reply == "g8f6");
    return volume == 'A' || ((first == "c2c4" || first == "g1f3") && volume != 'B');
}

}  // namespace

BOOST_AUTO_TEST_SUITE(opening_data)

BOOST_AUTO_TEST_CASE(every_line_is_legal_and_leads_somewhere_of_its_own) {
    std::map<engine::Key, std::string> ends;
    for (const Line& line : read_lines()) {
        const engine::Game game = play(line);
        BOOST_TEST(game.ply() >= 1, line.name);
        const auto [other, is_new] = ends.emplace(game.position().key(), line.name);
        BOOST_TEST(is_new, line.name << " is " << other->second);
    }
}

BOOST_AUTO_TEST_CASE(codes_are_codes_and_names_are_plain) {
    std::map<std::string, std::string> spellings;  // by their letters
    for (const Line& line : read_lines()) {
        BOOST_TEST_REQUIRE(line.eco.size() == 3, line.name);
        BOOST_TEST((line.eco[0] >= 'A' && line.eco[0] <= 'E'), line.name);
        BOOST_TEST(line.eco.find_first_not_of("0123456789", 1) == std::string::npos, line.name);
        BOOST_TEST(!line.name.empty());
        const std::string family = line.name.substr(0, line.name.find(':'));
        for (const std::string& name : {line.name, family}) {
            const std::string& spelling = spellings.emplace(letters_of(name), name).first->second;
            BOOST_TEST(spelling == name);
        }
        for (const char c : line.name)
            BOOST_TEST((c >= ' ' && c < 127), line.name);
    }
}

BOOST_AUTO_TEST_CASE(all_first_moves_have_names) {
    std::set<std::string> named;
    for (const Line& line : read_lines())
        if (const engine::Game game = play(line); game.ply() == 1)
            named.insert(engine::to_coordinates(game.moves()[0]));
    BOOST_TEST(named.size() == 20);
}

BOOST_AUTO_TEST_CASE(codes_fit_the_first_moves) {
    for (const Line& line : read_lines())
        BOOST_TEST(is_plausible(line.eco[0], play(line).moves()),
                   line.eco << ' ' << line.name << ' ' << line.moves);
}

BOOST_AUTO_TEST_CASE(every_volume_and_both_sides_have_their_share) {
    std::map<char, int> volumes;
    int plies = 0, lines = 0;
    for (const Line& line : read_lines()) {
        ++volumes[line.eco[0]];
        plies += play(line).ply();
        ++lines;
    }
    for (const char volume : {'A', 'B', 'C', 'D', 'E'})
        BOOST_TEST(volumes[volume] >= 350, volume);
    BOOST_TEST(lines >= 3000);
    BOOST_TEST(plies / lines >= 9);
}

BOOST_AUTO_TEST_SUITE_END()
