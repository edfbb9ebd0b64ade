// Tunings as text: which parameters there are to be, the file that a tuning goes on from, and what
// came of it.
#pragma once

#include "engine/board/result.h"
#include "tools/lab/spsa/tuning.h"

#include <string_view>

namespace tools::spsa {

// How far versions are from the middle if nobody says it: a 20th of the range, at least half a
// unit.
double usual_c_end(int least, int most);

// Of `known`: "all", names with commas between, or a file of lines "NAME [C_END [R_END]]", where #
// begins a comment. Fails if one is unknown or named twice, a gain is no positive number, or
// nothing is left.
Result<std::vector<Parameter>> choose_parameters(const std::string& wanted,
                                                 const std::vector<Parameter>& known);

std::string to_text(const State& state);
// Exactly what to_text wrote; fails on anything else.
Result<State> state_from_text(std::string_view text);
// Never leaves a part of a file, whenever the program ends.
Result<void> save(const State& state, const std::string& file);

// The lines of engine/search/params.inc as they should be; the value so far is a comment.
std::string results(const State& state);
// The numbers that moved most, seen from their gains: "LmrPv 1024 -> 1051.3, ...".
std::string largest_moves(const State& state, std::size_t count);

}  // namespace tools::spsa
