#include "protocol/game/clocks.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace protocol;
using std::chrono::milliseconds;

namespace {

const Time Start = engine::Clock::now();

Time after(int ms) {
    return Start + milliseconds(ms);
}

struct Level {
    const char* args;
    int base_ms, increment_ms, moves;
};
std::ostream& operator<<(std::ostream& out, const Level& level) {
    return out << level.args;
}
const std::vector<Level> Levels = {
    {"40 5 0", 300'000, 0, 40},
    {"40 0:30 0", 30'000, 0, 40},
    {"0 2 12", 120'000, 12'000, 0},
    {"0 0:05 0.1", 5'000, 100, 0},
    {"0 1:00 0.5", 60'000, 500, 0},
    {"0 1:5 0", 65'000, 0, 0},
    {"60 0.5 0", 30'000, 0, 60},
    {"0 25+5 5", 1'500'000, 5'000, 0},
    {"0 0 2", 10'000, 2'000, 0},
    {"-3 1 -5", 60'000, 0, 0},
    {"  40   5   0 ", 300'000, 0, 40},
    {"0 0:00.5 0.01", 500, 10, 0},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(clocks)

BOOST_DATA_TEST_CASE(levels_are_read_in_every_form, Levels, level) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level(level.args, 0).has_value());
    const engine::Limits limits = clocks.limits(0, Start);
    BOOST_TEST_REQUIRE(limits.clock.has_value());
    BOOST_TEST(limits.clock->left.count() == level.base_ms);
    BOOST_TEST(limits.clock->theirs.count() == level.base_ms);
    BOOST_TEST(limits.clock->increment.count() == level.increment_ms);
    BOOST_TEST(limits.clock->moves_to_go == level.moves);
    BOOST_TEST((limits.started == Start));
}

BOOST_AUTO_TEST_CASE(the_running_clock_is_read_as_it_stands) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 0", 0).has_value());
    clocks.start(Whose::Theirs, Start);
    BOOST_TEST(clocks.left(Whose::Theirs, after(4'000)).count() == 56'000);
    BOOST_TEST(clocks.left(Whose::Ours, after(4'000)).count() == 60'000);
    clocks.stop(after(5'000));
    BOOST_TEST(clocks.left(Whose::Theirs, after(9'000)).count() == 55'000);
}

BOOST_AUTO_TEST_CASE(a_pause_stops_the_running_clock) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 0", 0).has_value());
    clocks.start(Whose::Theirs, Start);
    clocks.pause(after(1'000));
    clocks.pause(after(2'000));
    BOOST_TEST(clocks.left(Whose::Theirs, after(3'000)).count() == 59'000);
    clocks.resume(after(5'000));
    clocks.resume(after(6'000));
    BOOST_TEST(clocks.left(Whose::Theirs, after(7'000)).count() == 57'000);
    clocks.pause(after(7'000));
    clocks.moved(Whose::Theirs, 1, after(8'000));
    clocks.resume(after(9'000));
    BOOST_TEST(clocks.left(Whose::Theirs, after(20'000)).count() == 57'000);
}

BOOST_AUTO_TEST_CASE(a_time_for_one_move_ends_with_the_next_clock) {
    Clocks clocks;
    clocks.tell({.left = milliseconds(60'000), .increment = milliseconds(1'000)});
    clocks.tell(milliseconds(500));
    BOOST_TEST(clocks.exact());
    clocks.tell({.left = milliseconds(50'000), .increment = milliseconds(1'000)});
    BOOST_TEST(!clocks.exact());
    BOOST_TEST(clocks.time_control() == "60+1");
    BOOST_TEST(clocks.limits(0, Start).clock.has_value());
}

BOOST_AUTO_TEST_CASE(the_time_control_is_written_as_in_pgn) {
    Clocks clocks;
    BOOST_TEST(clocks.time_control() == "");
    const std::vector<std::pair<const char*, const char*>> levels = {{"0 5 0", "300"},
                                                                     {"0 5 2", "300+2"},
                                                                     {"40 5 0", "40/300"},
                                                                     {"40 5 2", "40/300+2"},
                                                                     {"0 0:05 0.1", "5+0.1"},
                                                                     {"0 0 12", "0+12"},
                                                                     {"0 600 0", "36000"},
                                                                     {"0 0 0", "-"}};
    for (const auto& [level, text] : levels) {
        BOOST_TEST_REQUIRE(clocks.set_level(level, 0).has_value());
        BOOST_TEST(clocks.time_control() == text);
    }
    BOOST_TEST_REQUIRE(clocks.set_move_time("2.5").has_value());
    BOOST_TEST(clocks.time_control() == "1/2.5");
    BOOST_TEST(!clocks.set_level("x", 0).has_value());
    clocks.new_game();
    BOOST_TEST(clocks.time_control() == "1/2.5");
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 0", 0).has_value());
    BOOST_TEST(clocks.time_control() == "60");
}

BOOST_AUTO_TEST_CASE(a_bad_level_changes_nothing) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 0", 0).has_value());
    for (const char* const wrong : {"", "40", "40 5", "x 5 0", "40 x 0", "40 5 x", "40 :30 0"})
        BOOST_TEST(!clocks.set_level(wrong, 0).has_value(), wrong);
    BOOST_TEST(clocks.limits(0, Start).clock->left.count() == 60'000);
}

BOOST_AUTO_TEST_CASE(absurd_numbers_are_bounded) {
    Clocks clocks;
    BOOST_TEST(clocks.set_level("999999999999 999999999999999999999999 1e300", 0).has_value());
    const engine::Limits limits = clocks.limits(0, Start);
    BOOST_TEST(limits.clock->left.count() == 10'000'000'000);
    BOOST_TEST(limits.clock->moves_to_go == 10'000);
    BOOST_TEST(clocks.set_move_time("123456789012345678901234567890").has_value());
    BOOST_TEST(clocks.limits(0, Start).move_time->count() == 1'000'000'000'000);
    BOOST_TEST(clocks.set_depth("-4").has_value());
    BOOST_TEST(clocks.limits(0, Start).depth.value() == 1);
}

BOOST_AUTO_TEST_CASE(our_clock_runs_while_we_think_and_gains_the_increment_after_the_move) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 2", 0).has_value());
    clocks.start(Whose::Ours, after(0));
    clocks.moved(Whose::Ours, 1, after(3'000));
    BOOST_TEST(clocks.left(Whose::Ours, Start).count() == 59'000);
    clocks.start(Whose::Theirs, after(3'000));
    clocks.moved(Whose::Theirs, 2, after(8'000));
    BOOST_TEST(clocks.left(Whose::Theirs, Start).count() == 57'000);
}

BOOST_AUTO_TEST_CASE(clocks_set_by_the_client_override_our_own) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 2", 0).has_value());
    clocks.start(Whose::Theirs, after(0));
    BOOST_TEST(clocks.set(Whose::Ours, "1234", after(5'000)).has_value());
    BOOST_TEST(clocks.set(Whose::Theirs, "4321", after(5'000)).has_value());
    clocks.moved(Whose::Theirs, 1, after(5'001));
    BOOST_TEST(clocks.left(Whose::Ours, Start).count() == 12'340);
    BOOST_TEST(clocks.left(Whose::Theirs, Start).count() == 43'210);
}

BOOST_AUTO_TEST_CASE(what_our_clock_loses_beyond_our_thinking_is_kept_back) {
    Clocks clocks;
    const auto play = [&clocks](const char* before, const char* later) {
        BOOST_TEST(clocks.set(Whose::Ours, before, after(0)).has_value());
        clocks.start(Whose::Ours, after(0));
        clocks.moved(Whose::Ours, 1, after(1'000));
        clocks.start(Whose::Theirs, after(1'000));
        BOOST_TEST(clocks.set(Whose::Ours, later, after(2'000)).has_value());
    };
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 2", 0).has_value());
    BOOST_TEST(clocks.limits(0, Start).reserve.count() == 0);
    play("6000", "6100");
    BOOST_TEST(clocks.limits(0, Start).reserve.count() == 0);
    play("6001", "6081");
    BOOST_TEST(clocks.limits(0, Start).reserve.count() == 190);
    clocks.start(Whose::Ours, after(3'000));
    clocks.moved(Whose::Ours, 3, after(3'000));
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 2", 4).has_value());
    BOOST_TEST(clocks.set(Whose::Ours, "5000", after(4'000)).has_value());
    BOOST_TEST(clocks.limits(4, Start).reserve.count() == 190);
    // What is left, told as a level at every move, does not lower it; a short game does.
    BOOST_TEST_REQUIRE(clocks.set_level("0 0:01 2", 4).has_value());
    BOOST_TEST(clocks.limits(4, Start).reserve.count() == 190);
    clocks.new_game();
    BOOST_TEST_REQUIRE(clocks.set_level("0 0:01 0", 0).has_value());
    BOOST_TEST(clocks.limits(0, Start).reserve.count() == 100);
}

BOOST_AUTO_TEST_CASE(a_new_session_adds_the_base_time) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("2 1 0", 0).has_value());
    const auto our_move = [&](int ply, int from, int to) {
        clocks.start(Whose::Ours, after(from));
        clocks.moved(Whose::Ours, ply, after(to));
    };
    BOOST_TEST(clocks.limits(0, Start).clock->moves_to_go == 2);
    our_move(1, 0, 10'000);
    BOOST_TEST(clocks.limits(2, Start).clock->moves_to_go == 1);
    our_move(3, 10'000, 20'000);
    BOOST_TEST(clocks.left(Whose::Ours, Start).count() == 100'000);
    BOOST_TEST(clocks.limits(4, Start).clock->moves_to_go == 2);
}

// XBoard does with White, if Black begins.
BOOST_AUTO_TEST_CASE(a_client_may_begin_the_next_session_a_move_early) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("4 1 0", 0).has_value());
    int ply = 0;
    const auto our_move_at = [&](const char* centiseconds) {
        BOOST_TEST_REQUIRE(clocks.set(Whose::Ours, centiseconds, Start).has_value());
        const int to_go = clocks.limits(ply, Start).clock->moves_to_go;
        clocks.moved(Whose::Ours, ++ply, Start);
        clocks.moved(Whose::Theirs, ++ply, Start);
        return to_go;
    };
    BOOST_TEST(our_move_at("6000") == 4);
    BOOST_TEST(our_move_at("4000") == 3);
    BOOST_TEST(our_move_at("2000") == 2);
    BOOST_TEST(our_move_at("7000") == 4);  // and not one, for which all of it would be spent
    BOOST_TEST(our_move_at("5000") == 3);
}

BOOST_AUTO_TEST_CASE(moves_count_from_the_level_on_for_both_colours) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(
        clocks.set_level("40 5 0", 1).has_value());  // sent before Black's first move
    BOOST_TEST(clocks.limits(1, Start).clock->moves_to_go == 40);
    BOOST_TEST(clocks.limits(2, Start).clock->moves_to_go == 40);
    BOOST_TEST(clocks.limits(3, Start).clock->moves_to_go == 39);
}

BOOST_AUTO_TEST_CASE(clocks_stay_with_the_colours_unless_just_set) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 0", 0).has_value());
    clocks.start(Whose::Ours, after(0));
    clocks.moved(Whose::Ours, 1, after(20'000));
    clocks.change_sides();
    BOOST_TEST(clocks.left(Whose::Ours, Start).count() == 60'000);
    BOOST_TEST(clocks.left(Whose::Theirs, Start).count() == 40'000);
    BOOST_TEST(clocks.set(Whose::Ours, "100", after(20'000)).has_value());
    clocks.change_sides();
    BOOST_TEST(clocks.left(Whose::Ours, Start).count() == 1'000);
}

BOOST_AUTO_TEST_CASE(a_new_game_has_full_clocks_and_no_depth_limit) {
    Clocks clocks;
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 0", 0).has_value());
    BOOST_TEST(clocks.set_depth("5").has_value());
    BOOST_TEST(clocks.set(Whose::Ours, "-300", after(0)).has_value());
    BOOST_TEST(clocks.left(Whose::Ours, Start).count() == -3'000);
    clocks.new_game();
    BOOST_TEST(clocks.left(Whose::Ours, Start).count() == 60'000);
    BOOST_TEST(!clocks.limits(0, Start).depth.has_value());
}

BOOST_AUTO_TEST_CASE(exact_time_replaces_the_clock) {
    Clocks clocks;
    BOOST_TEST(clocks.set_move_time("0.01").has_value());
    BOOST_TEST(clocks.limits(0, Start).move_time->count() == 10);
    BOOST_TEST(!clocks.limits(0, Start).clock.has_value());
    BOOST_TEST(clocks.exact());
    BOOST_TEST(!clocks.set_move_time("soon").has_value());
    BOOST_TEST_REQUIRE(clocks.set_level("0 1 0", 0).has_value());
    BOOST_TEST(!clocks.limits(0, Start).move_time.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
