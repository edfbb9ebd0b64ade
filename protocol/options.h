// What the user can set by `option NAME=VALUE`: one row for each, from which both the announcement
// and the reading are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace protocol {

struct Settings {
    bool own_book = true;       // play from the book
    bool book_learn = true;     // learn from finished games
    bool book_match = false;    // the best lines only
    bool book_improve = false;  // search for the book while no game is on
    std::string book_file;      // the experience; empty: the default place
    std::string eval_file;      // a network; empty: the built-in evaluation
    bool resign = true;
    int resign_score = 900;  // centipawns behind
    int move_overhead = -1;  // milliseconds kept back for every move; -1: by the kind of connection
};

// The features that announce them: `option="OwnBook -check 1"` and so on.
std::vector<std::string> option_features(const Settings& settings);

enum class Setting { Changed, Kept, Unknown };
// Numbers out of range are clamped; a value of the wrong kind changes nothing. Names in any case.
Setting set_option(Settings& settings, std::string_view name, std::string_view value);

}  // namespace protocol
