// The values of the options that the user can set; protocol/options.h reads and announces them.
#pragma once

#include <cstdint>
#include <string>

namespace protocol {

// The value of `eval_file` for the program's own network.
inline constexpr const char* BuiltInNetwork = "built-in";

struct Settings {
    bool own_book = true;         // play from the book
    bool book_learn = true;       // learn from finished games
    bool book_match = false;      // choose among the best lines only
    bool book_improve = false;    // search positions for the book while no game is in progress
    std::string book_file{};      // the user's book; "-": none
    std::string book_files{"-"};  // further books, separated by ';'; "-": none
    int book_depth = 30;          // our last move that may come from the book; 0: no limit
    int book_variety = 50;        // 0: the best book move only, up to 100
    int book_min_games = 1;       // of a book move that no search has found
    std::string eval_file{BuiltInNetwork};  // a network, or BuiltInNetwork; "-": classical
    std::string syzygy_path{"-"};  // folders of endgame tables, see ListSeparator; "-": none
    bool resign = true;
    int resign_score_cp = 900;  // resign when the score is this many centipawns below 0
    int multi_pv = 1;           // lines of an analysis
    bool limit_strength = false;
    int elo = 1'500;            // the rating to play like then, 800..2800
    bool human_time = true;     // and take time for a move like a person
    std::uint64_t seed = 0;     // of the mistakes; no option, the program sets it at the start
    int move_overhead_ms = -1;  // kept back for every move; -1: 10 locally, 200 on a server
};

}  // namespace protocol
