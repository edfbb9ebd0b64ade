// The rules that are not this program's.
#pragma once

#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

// Nothing, if there is none of the name.
std::unique_ptr<Rule>
make_other_rule(std::string_view name, const World& world, std::uint64_t seed);

}  // namespace tools::bookbench
