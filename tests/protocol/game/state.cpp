#include "protocol/game/state.h"

#include "protocol/xboard.h"

#include <set>

#include <boost/test/unit_test.hpp>

using namespace protocol;

namespace {

// What happens to a command of each kind in each state.
struct Cell {
    State state;
    Act now, halt, after;
};
constexpr Cell Cells[] = {
    {State::Force, Act::Run, Act::Run, Act::Run},
    {State::Observing, Act::Run, Act::Run, Act::Run},
    {State::Thinking, Act::Run, Act::HaltAndRun, Act::Defer},
    {State::Pondering, Act::Run, Act::HaltAndRun, Act::Run},
    {State::Analysing, Act::Run, Act::HaltAndRun, Act::Run},
    {State::Over, Act::Run, Act::Run, Act::Run},
};

When when(std::string_view name) {
    for (const Xboard::Command& command : Xboard::commands())
        if (command.name == name)
            return command.when;
    BOOST_FAIL("no such command: " << name);
    return When::Now;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state)

BOOST_AUTO_TEST_CASE(only_a_running_search_is_halted_and_only_our_own_move_waited_for) {
    for (const Cell& cell : Cells) {
        BOOST_TEST((act(When::Now, cell.state) == cell.now));
        BOOST_TEST((act(When::Halt, cell.state) == cell.halt));
        BOOST_TEST((act(When::After, cell.state) == cell.after));
    }
}

BOOST_AUTO_TEST_CASE(commands_that_change_the_game_halt_the_search) {
    for (const char* const name :
         {"new", "force", "result", "quit", "setboard", "edit", "analyze", "playother", "variant"})
        BOOST_TEST((when(name) == When::Halt), name);
}

BOOST_AUTO_TEST_CASE(commands_that_need_an_idle_search_wait_for_the_move) {
    for (const char* const name : {"ping", "memory", "cores", "option", "bench"})
        BOOST_TEST((when(name) == When::After), name);
}

BOOST_AUTO_TEST_CASE(settings_run_at_once) {
    for (const char* const name : {"?",
                                   ".",
                                   "time",
                                   "otim",
                                   "level",
                                   "st",
                                   "sd",
                                   "hard",
                                   "post",
                                   "nopost",
                                   "draw",
                                   "name",
                                   "rating",
                                   "computer",
                                   "bk",
                                   "hint"})
        BOOST_TEST((when(name) == When::Now), name);
}

BOOST_AUTO_TEST_CASE(no_command_is_twice_in_the_table) {
    std::set<std::string_view> names;
    for (const Xboard::Command& command : Xboard::commands())
        BOOST_TEST(names.insert(command.name).second, command.name);
}

BOOST_AUTO_TEST_SUITE_END()
