// The results of an experiment as text and as curves.
#pragma once

#include "tools/lab/bookbench/experiment.h"

namespace tools::bookbench {

std::string to_text(const Plan& plan, const Table& table);
// The regret by hundreds of games, one panel for each scenario; for tools/lab/plot.
std::string to_curves(const Plan& plan, const std::vector<Table>& tables);

}  // namespace tools::bookbench
