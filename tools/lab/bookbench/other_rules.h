// The rules of other programs, and those that serve as measures.
#pragma once

#include "tools/lab/bookbench/rules.h"

namespace tools::bookbench {

struct OtherRule {
    RuleName name;
    std::unique_ptr<Rule> (*make)(const World& world, std::uint64_t seed);
};
const std::vector<OtherRule>& other_rules();

}  // namespace tools::bookbench
