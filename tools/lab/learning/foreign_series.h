// The results of a run against foreign engines: its rules, and one row for each game. Stored as
// text with tabs.
#pragma once

#include "engine/board/result.h"
#include "engine/board/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tools::learning {

// What our book begins with. Cold: an imported book, and no base. Base: the installed base only.
enum class Start : std::uint8_t { Cold, Base, NoBook };

struct ForeignRules {
    Start start = Start::Cold;
    bool learn = true;
    std::uint64_t seed = 1;  // of the book's choices and our searches
    int games = 2'000;
    std::uint64_t nodes = 3'000;         // of a move of ours
    unsigned variation = 20;             // of the nodes, per cent; 0: games may repeat
    std::uint64_t exit_nodes = 0;        // of a search for ForeignRow::exit_cp; 0: the game's own
    std::string book{};                  // checksum of the book of `start`; empty: no book
    std::vector<std::string> against{};  // the words of each opponent, met in turn
    friend bool operator==(const ForeignRules&, const ForeignRules&) = default;
};

struct ForeignRow {
    int number = 0;                      // from 1
    std::size_t opponent = 0;            // index in ForeignRules::against
    engine::Color side = engine::White;  // ours
    double score = 0.5;                  // ours
    int plies = 0, book_moves = 0;       // book_moves: ours
    std::optional<int> exit_ply{};       // where we left the book; nothing if we did not
    int exit_cp = 0;                     // ours; see ForeignRules::exit_nodes
    std::uint64_t moves = 0;             // hash of all moves
    std::string opening = "-";           // our first moves, "e2e4,g1f3,f1b5"
    // What ended the game without a result, as "crash"; else empty. Such a game has no evidence.
    std::string fault{};
    friend bool operator==(const ForeignRow&, const ForeignRow&) = default;
};

struct ForeignSeries {
    ForeignRules rules;
    std::vector<ForeignRow> games;
    bool complete = false;
};

// "cold-learning", "cold-control", "base-learning", "base-control", "nobook".
std::string kind_of(const ForeignRules& rules);
// "foreign-cold-learning-1", or "repeat-…" where games may repeat; unique within one experiment.
std::string name_of(const ForeignRules& rules);
Result<Start> parse_start(const std::string& text);  // "cold", "base", "none"

// Game `number`, from 1. The opponents take turns, each with two games, we as White and as Black.
std::size_t opponent_in(const ForeignRules& rules, int number);
engine::Color side_in(int number);  // ours

std::string heading(const ForeignRules& rules);  // several lines, with line ends
std::string to_text(const ForeignRow& row);      // one line without line end
// A last line that was cut short is left out.
Result<ForeignSeries> foreign_series_from_text(const std::string& text);

}  // namespace tools::learning
