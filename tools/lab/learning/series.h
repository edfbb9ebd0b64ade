// A run of the learning match: what it was played with, and one row for each game. Kept as a text
// of lines with tabs, that a report is made from.
#pragma once

#include "engine/board/result.h"
#include "engine/board/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tools::learning {

struct Rules {
    bool poisoned = true;  // the book to begin with; the opponent always has the clean one
    bool learn = true;
    std::uint64_t seed = 1;  // of book and opponent
    int games = 1'000;
    std::uint64_t nodes = 1'000;        // a move
    std::uint64_t exit_nodes = 20'000;  // for the score of an exit
    std::uint64_t improve_nodes = 0;    // after each game, for idle analysis; 0: none
    bool by_reach = true;               // the order of that: book::Priority::Reach or Distance
    friend bool operator==(const Rules&, const Rules&) = default;
};

struct GameRow {
    int number = 0;                      // from 1
    engine::Color side = engine::White;  // ours
    double score = 0.5;                  // ours
    int plies = 0;
    int book_moves = 0, poisoned = 0;  // ours from the book, and how many of them were poisoned
    std::optional<int> exit_ply{};     // where we began to think; nothing: nowhere
    int exit_cp = 0;                   // what a longer search says of it, ours
    friend bool operator==(const GameRow&, const GameRow&) = default;
};

struct Series {
    Rules rules;
    std::vector<GameRow> games;
    bool complete = false;
};

// "poisoned-learning-1", unique among the runs of one experiment.
std::string name_of(const Rules& rules);

std::string heading(const Rules& rules);  // ends with a line end
std::string to_text(const GameRow& row);  // one line without line end
inline constexpr const char* CompleteMark = "# complete\n";
Result<Series> series_from_text(const std::string& text);

}  // namespace tools::learning
