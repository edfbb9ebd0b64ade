// The command line of nutcracker-match.
#pragma once

#include "tools/match/schedule.h"

namespace tools {

enum class WatchMode : std::uint8_t { None, Auto, Board, Lines };

struct MatchOptions {
    Plan plan;  // without openings
    std::optional<Sprt> test;
    std::string openings_file;  // empty: none
    int opening_plies = 0;      // of the openings in the file; 0: all
    int opening_start = 1;      // number of the first one to use
    bool shuffle = false;
    int random_plies = 0;
    int random_balance = 0;  // accepted evaluation in centipawns; 0: any
    std::uint64_t seed = 1;
    std::string pgn_file, trace_file;
    int report_every = 10;  // games
    WatchMode watch = WatchMode::None;
    bool strict = false, strict_first = false;
    std::string help;  // not empty: only this is to be shown
};

// Fails with one sentence on what cannot be understood or makes no sense.
Result<MatchOptions> parse_match_options(const std::vector<std::string>& words);

// The words after --engine or --each: cmd=… name=… proto=… tc=… and so on. What `spec` holds stays
// where the words do not say otherwise.
Result<void> apply_engine_words(const std::vector<std::string>& words, EngineSpec& spec);

}  // namespace tools
