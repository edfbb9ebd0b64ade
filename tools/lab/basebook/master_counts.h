// How often each move was played in public games of masters, by position: popularity only.
#pragma once

#include "engine/board/position.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tools::basebook {

struct CountedMove {
    engine::Move move;
    int games = 0;
};

class MasterCounts {
  public:
    // The moves of a position, most games first; empty if none is known.
    [[nodiscard]] const std::vector<CountedMove>& moves(engine::Key key) const;
    [[nodiscard]] int games(engine::Key key) const;  // the sum over the moves
    [[nodiscard]] int games(engine::Key key, engine::Move move) const;
    void add(engine::Key key, CountedMove move) { table_[key].push_back(move); }
    [[nodiscard]] bool empty() const { return table_.empty(); }
    // Of the table's text, in hexadecimal; set by read_counts.
    std::string digest;

  private:
    std::unordered_map<engine::Key, std::vector<CountedMove>> table_;
};

struct CountRules {
    int min_games = 10, max_ply = 20;
};
struct CountedGames {
    std::string text;
    std::int64_t bad = 0;   // games with an error, which are not counted
    std::string first_bad;  // "FILE line N: error"
};
// Counts the distinct games of PGN files. The table as text: a line of comment, then the tree in
// preorder, one move a line ("PLY SAN GAMES"), most games first. "=" before the move: the moves
// after it are listed elsewhere. Throws book::Failure if a file cannot be read, and Failure if it
// is cut off or damaged.
CountedGames count_games(const std::vector<std::filesystem::path>& files, const CountRules& rules);

// Reads such a text. Throws Failure with the number of a bad line.
MasterCounts read_counts(std::string_view text);

}  // namespace tools::basebook
