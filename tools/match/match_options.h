// The command line of nutcracker-match.
#pragma once

#include "tools/match/schedule.h"

namespace tools::match {

enum class WatchMode : std::uint8_t { None, Auto, Board, Lines };

struct MatchOptions {
    Plan plan;  // without openings
    std::optional<Sprt> test;
    std::string openings_file;  // empty: none
    int opening_plies = 0;      // used of each opening; 0: all
    int opening_start = 1;      // number of the first one to use
    bool shuffle = false;
    int random_plies = 0;
    int random_balance = 80;  // centipawns; 0: any
    std::uint64_t seed = 1;
    std::string pgn_file, trace_file;
    int report_every = 10;  // games
    int stall_seconds = 60, wait_milliseconds = 0;
    WatchMode watch = WatchMode::None;
    bool strict = false, strict_first = false;
    std::string help;  // if not empty, print this text and exit
};

// Fails with one sentence about the first word that is unknown, or not valid.
Result<MatchOptions> parse_match_options(const std::vector<std::string>& words);

// An engine described by words, as after --engine. Fails as above, and without cmd= or a limit.
Result<EngineSpec> parse_engine(const std::vector<std::string>& words);

}  // namespace tools::match
