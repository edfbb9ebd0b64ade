// Names of openings.
#include "book/probe/opening_search.h"
#include "book/store/failure.h"
#include "tests/book/helpers.h"

using namespace book;
using helpers::play;

BOOST_AUTO_TEST_SUITE(opening_names)

BOOST_AUTO_TEST_CASE(a_table_is_read) {
    const auto all = parse_openings("eco\tname\tmoves\r\nB20\tSicilian Defence\t1. e4 c5\n\n# "
                                    "x\nB50\tSicilian: d6\t1.e4 c5 2.Nf3 d6\n");
    BOOST_TEST_REQUIRE(all.size() == 2U);
    BOOST_TEST(all[1].eco == "B50");
    BOOST_TEST(all[1].name == "Sicilian: d6");
    BOOST_TEST(all[1].moves.size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_wrong_line_is_told) {
    const auto fails_with = [](const std::string& text) {
        return [text](const Failure& failure) {
            return std::string(failure.what()).find(text) != std::string::npos;
        };
    };
    BOOST_CHECK_EXCEPTION(parse_openings("B20\tno moves\n"), Failure, fails_with("three columns"));
    BOOST_CHECK_EXCEPTION(
        parse_openings("B20\tx\t1. e4 e4\n"), Failure, fails_with("\"e4\" is not a move"));
}

BOOST_AUTO_TEST_CASE(positions_are_named_whatever_the_order_of_moves) {
    const OpeningNames names(parse_openings(
        "A04\tReti\t1. Nf3\nD37\tQueen's Gambit Declined\t1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3\n"));
    BOOST_TEST(names.of(play("Nf3 d5 d4 Nf6 c4 e6 Nc3")) == "D37 Queen's Gambit Declined");
    BOOST_TEST(names.of(play("Nf3 d5 d4 Nf6 c4 e6 Nc3 a6")) == "D37 Queen's Gambit Declined");
    BOOST_TEST(names.of(play("Nf3 a6")) == "A04 Reti");
    BOOST_TEST(names.of(play("e4")) == "");
}

BOOST_AUTO_TEST_CASE(the_table_is_compiled_in) {
    const OpeningNames names;
    BOOST_TEST(names.size() > 300U);
    BOOST_TEST(names.of(play("e4 e5 Nf3 Nc6 Bb5")).find("Lopez") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(openings_are_found_by_what_users_call_them) {
    const auto matches = [](const char* text, const char* opening) {
        return OpeningPattern(text).matches(opening);
    };
    const char* const najdorf = "B90 Sicilian Defence: Najdorf Variation";
    for (const char* const text :
         {"", "sicil", "B90", "Sicilian Najdorf", "najdorf sicilian", "Sicilian Defense", "DEFEN"})
        BOOST_TEST(matches(text, najdorf), text);
    for (const char* const text : {"French", "Sicilian Dragon", "B91"})
        BOOST_TEST(!matches(text, najdorf), text);
    BOOST_TEST(matches("Caro Kann", "B10 Caro-Kann Defence"));
    for (const char* const text : {"Gr\u00FCnfeld", "Gruenfeld", "grunfeld", "GR\u00DCNFELD"})
        BOOST_TEST(matches(text, "D80 Gruenfeld Defence"), text);
    BOOST_TEST(matches("queens gambit", "D06 Queen's Gambit"));
    BOOST_TEST(matches("Alekhine's", "B02 Alekhine Defence"));
    BOOST_TEST(matches("Petroff", "C42 Petrov Defence"));
    BOOST_TEST(matches("Spanish", "C65 Ruy Lopez: Berlin Defence"));
}

BOOST_AUTO_TEST_CASE(a_name_stands_for_the_most_general_opening) {
    const std::pair<const char*, const char*> names[] = {
        {"nimzo", "Nimzo-Indian Defence"},
        {"dragon", "Sicilian Defence: Dragon Variation"},
        {"Sicilian", "Sicilian Defence"},
        {"sicilian opening", "Sicilian Defence"},
        {"Spanish", "Ruy Lopez"},
        {"najdorf", "Sicilian Defence: Najdorf Variation"},
        {"B90", "Sicilian Defence: Najdorf Variation"},
        {"B90 Sicilian Defence: Najdorf Variation", "Sicilian Defence: Najdorf Variation"},
        {"queens gambit", "Queen's Gambit"},
        {"Modern", "Modern Defence"},
        {"Queen's Pawn", "Queen's Pawn"},
        {"Van 't Kruijs Opening", "Van 't Kruijs Opening"},
        {"St George Defence", "St. George Defence"},
        {"Rat Defence", "Rat Defence"},
        {"Sicilian Defence: Velimirovic Attack, Qe2", "Sicilian Defence: Velimirovic Attack, Qe2"},
        {"caro-kann", "Caro-Kann Defence"}};
    for (const auto& [text, name] : names)
        BOOST_TEST(find_opening(text).value().name == name, text);
    const std::pair<const char*, const char*> families[] = {
        {"kings indian", "King's Indian Defence"},
        {"scotch", "Scotch Game"},
        {"elephant", "Elephant Gambit"},
        {"leningrad", "Dutch Defence"},
        {"panov", "Caro-Kann Defence"},
        {"benko", "Benko Gambit"},
        {"french opening", "French Defence"},
        {"evans", "Evans Gambit"}};
    for (const auto& [text, family] : families) {
        const Opening found = find_opening(text).value();
        BOOST_TEST(found.name.starts_with(family), text << ": " << found.name);
        BOOST_TEST(found.moves.size() <= 8U, text);
    }
}

BOOST_AUTO_TEST_CASE(moves_and_other_words_name_no_opening) {
    for (const char* const text : {"no such name",
                                   " , ",
                                   "",
                                   "1. c4",
                                   "1 c4",
                                   "O-O-O",
                                   "0-0-0",
                                   "exd5",
                                   "c5 Nf3",
                                   "1/2-1/2",
                                   "e.p.",
                                   "e8=Q",
                                   "e e e",
                                   "game",
                                   "Opening",
                                   "E4 e5",
                                   "e4-e5",
                                   "3. Nc3",
                                   "nf3"})
        BOOST_TEST(!find_opening(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
