#include "tools/lab/bookbench/rules.h"

#include "tools/lab/bookbench/learner.h"
#include "tools/lab/bookbench/other_rules.h"

#include <algorithm>

namespace tools::bookbench {
namespace {

constexpr const char* OurRule = "nutcracker";
constexpr const char* OurIdleRule = "nutcracker-idle";

using book::Model;
constexpr std::pair<const char*, double Model::*> ModelSettings[] = {
    {"sigma", &Model::sigma},
    {"parent", &Model::parent},
    {"imported", &Model::imported},
    {"exit", &Model::exit},
    {"analysis", &Model::analysis},
    {"imported-replies", &Model::imported_replies},
    {"half-life", &Model::half_life},
    {"width", &Model::width},
    {"slack", &Model::slack},
    {"budget", &Model::budget},
    {"guard", &Model::guard},
    {"guard-hot", &Model::guard_hot},
};

}  // namespace

const std::vector<RuleName>& rule_names() {
    static const std::vector<RuleName> names = {
        {OurRule, "this program's book"},
        {OurIdleRule, "the same, with a search of all its moves"},
        {"greedy", "the best mean of imported and own results"},
        {"uct", "upper confidence bounds, c = 0.1"},
        {"crafty", "as Crafty documents it"},
        {"polyglot", "in proportion to 2 wins + draws, never learning"},
        {"polyglot-merge", "the same, own games merged in"},
        {"scores", "search scores only, as experience files hold"},
        {"random", "any move"},
        {"floor", "knows every value, but not the opponent"}};
    return names;
}

bool is_rule(std::string_view name) {
    return std::any_of(rule_names().begin(), rule_names().end(), [name](const RuleName& r) {
        return r.name == name;
    });
}

double Model::*model_setting(std::string_view name) {
    for (const auto& [known, member] : ModelSettings)
        if (name == known)
            return member;
    return nullptr;
}

std::vector<std::string> setting_names() {
    std::vector<std::string> names = {"calibration", "ratings"};
    for (const auto& [name, member] : ModelSettings)
        names.emplace_back(name);
    return names;
}

Result<std::unique_ptr<Rule>> make_rule(std::string_view name,
                                        const World& world,
                                        std::uint64_t seed,
                                        const std::vector<Setting>& settings) {
    if (name == OurRule || name == OurIdleRule)
        return make_learner(world, seed, name == OurIdleRule, settings);
    std::unique_ptr<Rule> rule = make_other_rule(name, world, seed);
    if (!rule)
        return fail("there is no rule \"" + std::string(name) + "\"");
    return rule;
}

}  // namespace tools::bookbench
