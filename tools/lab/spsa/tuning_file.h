// Tunings as text: the choice of parameters, the file of a tuning, and its result.
#pragma once

#include "engine/board/result.h"
#include "tools/lab/spsa/tuning.h"

#include <string_view>

namespace tools::spsa {

// c_end if the user does not choose one: a 20th of the range, at least 0.5.
double default_c_end(int min, int max);

// Chooses from `known`: "all", names separated by commas, or a file of lines "NAME [C_END [R_END]]"
// with comments that # begins. Fails if a name is unknown or occurs twice, if C_END or R_END is not
// a positive number, or if no name is given.
Result<std::vector<Parameter>> choose_parameters(const std::string& wanted,
                                                 const std::vector<Parameter>& known);

std::string to_text(const State& state);
// Reads what to_text() wrote; fails on anything else.
Result<State> state_from_text(std::string_view text);
// The file is always complete: the old text or the new one, even if the program is killed.
Result<void> save(const State& state, const std::string& file);

// The lines for engine/search/params.inc, with the old value in a comment, and the effect of the
// parameter.
std::string results(const State& state);
// The parameters that changed most in units of their c_end: "LmrPv 1024 -> 1051.3, ...".
std::string largest_changes(const State& state, std::size_t count);

}  // namespace tools::spsa
