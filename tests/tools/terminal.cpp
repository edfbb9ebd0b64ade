// Tables and colours for the terminal.
#include "tools/common/terminal.h"

#include <sstream>

#include <boost/test/unit_test.hpp>

using namespace tools;

namespace {

std::string table(bool aligned) {
    std::ostringstream out;
    print_table(out,
                {"no", "name", "last"},
                {{{.text = "7", .right = true}, {.text = "M\xC3\xBCller"}, {.text = "a\tb\x1B"}},
                 {{.text = "12", .right = true}, {.text = "X"}, {.text = ""}}},
                aligned);
    return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(terminal)

BOOST_AUTO_TEST_CASE(a_table_is_aligned_by_characters_or_separated_by_tabs) {
    BOOST_TEST(table(true) == "no  name    last\n"
                              " 7  M\xC3\xBCller  a?b?\n"
                              "12  X       \n");
    BOOST_TEST(table(false) == "7\tM\xC3\xBCller\ta?b?\n12\tX\t\n");
}

BOOST_AUTO_TEST_CASE(colour_comes_only_when_wanted) {
    use_colour(ColourWhen::Always);
    BOOST_TEST(coloured("won", Colour::Good) == "\033[32mwon\033[0m");
    BOOST_TEST(coloured("won", Colour::Plain) == "won");
    use_colour(ColourWhen::Never);
    BOOST_TEST(coloured("won", Colour::Good) == "won");
}

BOOST_AUTO_TEST_SUITE_END()
