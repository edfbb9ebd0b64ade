#include "protocol/io/text.h"

#include <limits>

#include <boost/test/unit_test.hpp>

using namespace protocol;

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(next_word_removes_the_blanks_around_the_word) {
    std::string_view rest = "  level\t40 5  0 \r";
    BOOST_TEST(next_word(rest) == "level");
    BOOST_TEST(rest == "40 5  0");
    BOOST_TEST(next_word(rest) == "40");
    BOOST_TEST(next_word(rest) == "5");
    BOOST_TEST(next_word(rest) == "0");
    BOOST_TEST(next_word(rest) == "");
    BOOST_TEST(rest == "");
}

BOOST_AUTO_TEST_CASE(integers_are_whole_and_clamped) {
    BOOST_TEST(to_int("42").value() == 42);
    BOOST_TEST(to_int("-7").value() == -7);
    BOOST_TEST(to_int("+7").value() == 7);
    BOOST_TEST(to_int("99999999999999999999").value() == std::numeric_limits<int>::max());
    BOOST_TEST(to_int("-99999999999999999999").value() == std::numeric_limits<int>::min());
    for (const char* const wrong : {"", "x", "4x", "4 5", "1.5", "-", "0x10"})
        BOOST_TEST(!to_int(wrong).has_value(), wrong);
}

BOOST_AUTO_TEST_CASE(reals_leave_what_follows_them) {
    std::string_view rest = "0.25+5";
    BOOST_TEST(take_real(rest).value() == 0.25);
    BOOST_TEST(rest == "+5");
    for (std::string_view wrong : {"", "x", "inf", "nan", ":30"})
        BOOST_TEST(!take_real(wrong).has_value());
}

BOOST_AUTO_TEST_CASE(repeated_input_is_printable_and_short) {
    BOOST_TEST(printable(std::string_view("a\0b\x7f\xc3\xa9%n", 8)) == "a?b???%n");
    BOOST_TEST(printable(std::string(20'000, 'x')).size() == 200U);
    BOOST_TEST(recordable("J\xC3\xBCrgen\x01", 64) == "J\xC3\xBCrgen?");
    BOOST_TEST(recordable("J\xFCrgen", 64) == "J\xC3\xBCrgen");  // Latin-1
    BOOST_TEST(recordable("J\xC3\xBCrgen", 2) == "J");
}

BOOST_AUTO_TEST_CASE(words_that_clients_act_on_are_broken) {
    for (const char* const fatal : {"book not found",
                                    "No such file",
                                    "Permission denied",
                                    "unknown host",
                                    "No remote directory",
                                    "can't alloc",
                                    "a Draw"})
        BOOST_TEST(defused(fatal) != fatal);
    BOOST_TEST(defused("not found, not found") == "n.t found, n.t found");
    BOOST_TEST(defused("Error (x): analyze draw") == "Error (x): a.alyze d.aw");
    BOOST_TEST(defused("# the draw") == "# the draw");
    BOOST_TEST(defused("move e2e4") == "move e2e4");
}

BOOST_AUTO_TEST_SUITE_END()
