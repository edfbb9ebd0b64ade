// What an experiment found, for people: tables as text, curves as SVG.
#pragma once

#include "tools/lab/bookbench/experiment.h"

namespace tools::bookbench {

std::string to_text(const Plan& plan, const Table& table);
// One picture with a panel for each scenario: points lost a game over the hundreds of games.
std::string to_svg(const Plan& plan, const std::vector<Table>& tables);

}  // namespace tools::bookbench
