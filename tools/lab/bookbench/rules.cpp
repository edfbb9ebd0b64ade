#include "tools/lab/bookbench/rules.h"

#include "tools/common/errors.h"
#include "tools/common/strings.h"
#include "tools/lab/bookbench/learner.h"
#include "tools/lab/bookbench/other_rules.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tools::bookbench {
namespace {

constexpr const char* OurRule = "nutcracker";
constexpr const char* OurIdleRule = "nutcracker-idle";

using book::Model;
constexpr std::pair<const char*, double Model::*> ModelSettings[] = {
    {"sigma", &Model::sigma},
    {"parent", &Model::parent},
    {"imported", &Model::imported},
    {"import-noise", &Model::import_noise},
    {"rarity", &Model::rarity},
    {"exit", &Model::exit},
    {"analysis", &Model::analysis},
    {"imported-replies", &Model::imported_replies},
    {"other-class", &Model::other_class},
    {"half-life", &Model::half_life},
    {"leave-below", &Model::leave_below},
    {"look-below", &Model::look_below},
    {"min-evidence", &Model::min_evidence},
    {"width", &Model::width},
    {"temperature", &Model::temperature},
    {"narrowing", &Model::narrowing},
    {"slack", &Model::slack},
    {"move-deviation", &Model::move_deviation},
    {"horizon", &Model::horizon},
    {"budget", &Model::budget},
    {"opponent-penalty", &Model::opponent_penalty},
    {"suspicion", &Model::suspicion},
    {"opponent-cap", &Model::opponent_cap},
    {"repeat-rest", &Model::repeat_rest},
    {"look-ahead", &Model::look_ahead},
    {"repeat-weight", &Model::repeat_weight},
    {"repeat-cap", &Model::repeat_cap},
    {"repeat-prior", &Model::repeat_prior},
};
constexpr std::pair<const char*, int Model::*> CountSettings[] = {
    {"look-after", &Model::look_after},
};
constexpr double MaxCount = 1e9;
// Thresholds, a bonus and a number of deviations. All others are weights, numbers and widths.
constexpr const char* MayBeNegative[] = {
    "rarity", "leave-below", "look-below", "opponent-penalty", "suspicion"};

template <typename Names>
bool has_name(const Names& names, std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

const std::vector<RuleName>& rule_names() {
    static const std::vector<RuleName> all = [] {
        std::vector<RuleName> names = {
            {OurRule, "the book of this program"},
            {OurIdleRule, "the same, with an analysis of all its moves"}};
        for (const OtherRule& rule : other_rules())
            names.push_back(rule.name);
        return names;
    }();
    return all;
}

bool is_rule(std::string_view name) {
    return std::any_of(rule_names().begin(), rule_names().end(), [name](const RuleName& r) {
        return r.name == name;
    });
}

bool is_own_rule(std::string_view name) {
    return name == OurRule || name == OurIdleRule;
}

void set_constant(Model& model, const Setting& setting) {
    for (const auto& [name, member] : ModelSettings)
        if (setting.name == name)
            model.*member = setting.value;
    for (const auto& [name, member] : CountSettings)
        if (setting.name == name)
            model.*member = static_cast<int>(setting.value);
}

std::vector<std::string> setting_names() {
    std::vector<std::string> names = {"calibration", "ratings"};
    for (const auto& [name, member] : ModelSettings)
        names.emplace_back(name);
    for (const auto& [name, member] : CountSettings)
        names.emplace_back(name);
    return names;
}

Result<Setting> setting_from_text(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto value =
        equals == std::string::npos ? std::nullopt : number<double>(text.substr(equals + 1));
    if (!value || !has_name(setting_names(), name))
        return fail(
            fmt::format("\"{}\" is not NAME=NUMBER with a constant that --help lists", text));
    if (!std::isfinite(*value))
        return fail(fmt::format("\"{}\": not a finite number", text));
    if (*value < 0 && !has_name(MayBeNegative, name))
        return fail(fmt::format("\"{}\": {} cannot be negative", text, name));
    for (const auto& [count, member] : CountSettings)
        if (name == count && *value > MaxCount)
            return fail(fmt::format("\"{}\": larger than {:.0f}", text, MaxCount));
    return Setting{.name = name, .value = *value};
}

std::unique_ptr<Rule> make_rule(std::string_view name,
                                const World& world,
                                std::uint64_t seed,
                                const std::vector<Setting>& settings) {
    if (is_own_rule(name))
        return make_learner(world, seed, name == OurIdleRule, settings);
    for (const OtherRule& rule : other_rules())
        if (name == rule.name.name)
            return rule.make(world, seed);
    throw Failure(fmt::format("there is no rule \"{}\"", name));
}

}  // namespace tools::bookbench
