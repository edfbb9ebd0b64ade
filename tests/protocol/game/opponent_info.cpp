// The opponent's name as clients send it.
#include "protocol/game/opponent_info.h"

#include <boost/test/unit_test.hpp>

using protocol::OpponentInfo;

namespace {

std::string name_from(std::string_view sent) {
    OpponentInfo info;
    info.set_name(sent);
    return info.opponent().name;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(opponent_info)

BOOST_AUTO_TEST_CASE(a_title_is_no_part_of_the_name) {
    BOOST_TEST(name_from("BOT Fred") == "Fred");
    BOOST_TEST(name_from("WGM Anna") == "Anna");
    BOOST_TEST(name_from("AI level 3") == "lichess AI level 3");
    for (const char* const name : {"Fred", "GM", "BOT ", "GM Anna Smith", "Bot Fred", "Sir Fred"})
        BOOST_TEST(name_from(name) == name);
}

BOOST_AUTO_TEST_CASE(the_same_name_with_its_title_before_and_after_new_is_one_opponent) {
    OpponentInfo info;
    info.set_name("BOT Fred");
    info.set_ratings(0, 2100);
    info.new_game();
    info.set_name("BOT Fred");
    BOOST_TEST(info.opponent().rating == 2100);
}

BOOST_AUTO_TEST_SUITE_END()
