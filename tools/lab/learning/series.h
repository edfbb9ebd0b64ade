// The results of a run of the learning match: its rules, and one row for each game. Stored as text
// with tabs.
#pragma once

#include "engine/board/result.h"
#include "engine/board/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tools::learning {

struct Rules {
    bool poisoned = true;  // our book; the opponent always has the clean one
    bool learn = true;
    std::uint64_t seed = 1;  // of the book's choices and the opponent's
    int games = 1'000;
    std::uint64_t nodes = 1'000;        // of a move
    std::uint64_t exit_nodes = 20'000;  // for the score of the position where we leave the book
    friend bool operator==(const Rules&, const Rules&) = default;
};

struct GameRow {
    int number = 0;                      // from 1
    engine::Color side = engine::White;  // ours
    double score = 0.5;                  // ours
    int plies = 0;
    int book_moves = 0, poisoned = 0;  // our moves from the book, and the poisoned ones among them
    std::optional<int> exit_ply{};     // where we left the book; nothing if we did not
    int exit_cp = 0;                   // our score of that position by a longer search
    friend bool operator==(const GameRow&, const GameRow&) = default;
};

struct Series {
    Rules rules;
    std::vector<GameRow> games;
    bool complete = false;
};

// "poisoned-learning-1", unique within one experiment.
std::string name_of(const Rules& rules);

std::string heading(const Rules& rules);  // ends with a line end
std::string to_text(const GameRow& row);  // one line without line end
inline constexpr const char* CompleteMark = "# complete\n";
Result<Series> series_from_text(const std::string& text);

}  // namespace tools::learning
