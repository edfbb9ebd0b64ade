#include "protocol/game/edit_mode.h"

#include <boost/test/unit_test.hpp>

using namespace protocol;

BOOST_AUTO_TEST_SUITE(edit_mode)

BOOST_AUTO_TEST_CASE(the_position_is_kept) {
    const Editor editor((engine::Position()));
    BOOST_TEST(editor.fen() == engine::StartFen);
}

BOOST_AUTO_TEST_CASE(pieces_are_placed_in_the_current_colour_and_taken_away) {
    Editor editor((engine::Position()));
    for (const char* const line : {"#", "Kg1", "pf2", "Qd3", "xd3", "c", "Ke8", "rh8", "c", "Na1"})
        BOOST_TEST(editor.take(line), line);
    BOOST_TEST(editor.fen() == "4k2r/8/8/8/8/8/5P2/N5K1 w k - 0 1");
}

BOOST_AUTO_TEST_CASE(other_lines_change_nothing) {
    Editor editor((engine::Position()));
    for (const char* const line : {"", "Pa9", "Pi1", "Za1", "Pa", "Pa44", "ping 1", ".", "@a1"})
        BOOST_TEST(!editor.take(line), line);
    BOOST_TEST(editor.fen() == engine::StartFen);
}

BOOST_AUTO_TEST_SUITE_END()
