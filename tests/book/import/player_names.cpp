#include "book/import/player_names.h"

#include "book/model/letter_case.h"

#include <boost/test/unit_test.hpp>

namespace {

book::PlayerNames names_of(const std::vector<std::pair<std::string, int>>& games) {
    book::PlayerNames names;
    for (const auto& [name, count] : games)
        for (int i = 0; i < count; ++i)
            names.add(name);
    return names;
}

std::string suggested(const book::PlayerNames& names, const std::vector<std::string>& wanted) {
    return book::suggestion_text(names.suggestions(wanted));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(player_names)

BOOST_AUTO_TEST_CASE(names_with_the_same_words_come_first) {
    const auto names = names_of({{"Kasparov, Gary", 9}, {"Kasparova, Anna", 2}, {"Gary, Lee", 12}});
    BOOST_TEST(suggested(names, {"Gary Kasparov"}) ==
               "; did you mean \"Kasparov, Gary\" (9 games) or \"Gary, Lee\" (12 games) or "
               "\"Kasparova, Anna\" (2 games)?");
    BOOST_TEST(suggested(names, {"KASPAROVA"}) == "; did you mean \"Kasparova, Anna\" (2 games)?");
    BOOST_TEST(suggested(names, {"Kasparow"}) ==
               "; did you mean \"Kasparov, Gary\" (9 games) or \"Kasparova, Anna\" (2 games)?");
    BOOST_TEST(suggested(names, {"Nobody", "lee"}) == "; did you mean \"Gary, Lee\" (12 games)?");
}

BOOST_AUTO_TEST_CASE(without_a_similar_name_the_player_of_most_games) {
    const auto names = names_of({{"anna99", 1}, {"carl", 3}, {"?", 7}, {"", 7}});
    BOOST_TEST(suggested(names, {"A. B."}) == "; did you mean \"carl\" (3 games)?");
    BOOST_TEST(suggested(names_of({{"anna99", 1}}), {"x"}) ==
               "; did you mean \"anna99\" (1 game)?");
    BOOST_TEST(suggested({}, {"carl"}).empty());
}

BOOST_AUTO_TEST_CASE(titles_and_case_make_no_difference) {
    const auto names = names_of({{"MyBot(C)", 1}, {"MYBOT", 1}, {"Anna (WGM)", 1}});
    BOOST_TEST(suggested(names, {"Bot"}) == "; did you mean \"MyBot\" (2 games)?");
    BOOST_TEST(suggested(names, {"anna b."}) == "; did you mean \"Anna\" (1 game)?");
}

BOOST_AUTO_TEST_CASE(case_makes_no_difference_beyond_ascii) {
    for (const auto& [large, small] :
         {std::pair("MÜLLER (GM)", "müller"),
          std::pair("ÀÖØÞ ×÷ß", "àöøþ ×÷ß"),
          std::pair("ŁŐŽŹŸŻĐŇ", "łőžźÿżđň"),
          std::pair("ΆΈΊΌΎΏΑΩΣΫ", "άέίόύώαωσϋ"),
          std::pair("ЁЏКАСПАРОВЯ Ґ Ӏ Ӂ Ԯ", "ёџкаспаровя ґ ӏ ӂ ԯ"),
          std::pair("M\xDCLLER", "müller")})
        BOOST_TEST(book::player_key(large) == small);
    BOOST_TEST(book::player_key("Γιάννης") == book::player_key("ΓΙΆΝΝΗΣ"));
    BOOST_TEST(book::player_key("łĺļľŀ ſʼn") == "łĺļľŀ ſʼn");  // small ones stay as they are
    BOOST_TEST(book::contains_ignoring_case("Jürgen MÜLLER", "müller"));
    BOOST_TEST(book::equal_ignoring_case("\xDC\xC3", "\xDC\xC3"));  // no UTF-8
    BOOST_TEST(suggested(names_of({{"MÜLLER, Hans", 1}, {"Müller, Hans", 1}}), {"müller"}) ==
               "; did you mean \"MÜLLER, Hans\" (2 games)?");
}

BOOST_AUTO_TEST_CASE(latin_1_is_read_and_shown_as_utf_8) {
    const auto names = names_of({{"M\xFCller, Hans", 1}, {"M\xC3\xBCller, Hans", 1}});
    BOOST_TEST(suggested(names, {"Hans M\xC3\xBCller"}) ==
               "; did you mean \"M\xC3\xBCller, Hans\" (2 games)?");
}

BOOST_AUTO_TEST_CASE(abbreviations_of_a_name_are_found) {
    const auto names = names_of({{"Kasparov,G", 3},
                                 {"Kasparov, Gary", 9},
                                 {"Kasparov, Sergey", 4},
                                 {"G. Kasparov", 5},
                                 {"Kasparova, G", 2},
                                 {"Kasparov", 1}});
    const auto found = names.abbreviations({"Kasparov, Gary"});
    BOOST_TEST_REQUIRE(found.size() == 2U);
    BOOST_TEST(found[0].name == "G. Kasparov");
    BOOST_TEST(found[1].name == "Kasparov,G");
    BOOST_TEST(names.abbreviations({"Kasparov, S"}).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
