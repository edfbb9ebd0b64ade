// nutcracker-bookbench: measures how fast the book learns, in made-up openings with known values.
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/common/strings.h"
#include "tools/lab/bookbench/experiment_report.h"

#include <algorithm>
#include <chrono>
#include <iostream>

#include <fmt/format.h>

namespace {

namespace po = boost::program_options;
using namespace tools::bookbench;
using tools::bound;
using tools::Failure;
using Clock = std::chrono::steady_clock;

constexpr auto ProgressInterval = std::chrono::seconds(10);
constexpr std::uint64_t MaxWorld = 1'000'000'000;

struct Options {
    Plan plan;
    std::string scenarios = "base", rules = "nutcracker", worlds = "0-19", curves;
    std::vector<std::string> settings, against;
    double at_most = 0;  // percent; 0: no bound
};

std::string explanation() {
    std::string text = R"(
A world is a random tree of openings with known values. Its number is the seed of the tree, the
opponents, the results and the errors of the search. All rules play the same worlds. The regret of
a rule is the expected score of the best moves against the opponents, minus that of its own moves;
it is printed as a percentage of a random player's regret, with the distance from the first rule,
world by world.

Scenarios ("all" for all of them):
)";
    for (const ScenarioName& scenario : Scenarios)
        text += fmt::format("  {:<17}{}\n", scenario.name, scenario.what);
    text += "\nRules:\n";
    for (const RuleName& rule : rule_names())
        text += fmt::format("  {:<17}{}\n", rule.name, rule.what);
    return text + fmt::format(R"(
Constants for --set: {}

Examples:
  nutcracker-bookbench --scenario all --rule nutcracker,greedy,uct --worlds 0-19 --curves curves.tsv
  nutcracker-bookbench --scenario repeat,growing --against-set half-life=750

Exit status: 0; 1 with --at-most if a rule of this program has more regret; 2 for wrong use.
)",
                              fmt::join(setting_names(), " "));
}

void read_worlds(const std::string& text, Plan& plan) {
    const std::size_t dash = text.find('-');
    const auto first = tools::number<std::uint64_t>(text.substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : tools::number<std::uint64_t>(text.substr(dash + 1));
    if (!first || !last || *last < *first || *last > MaxWorld)
        throw Failure(fmt::format("\"{}\" is not a range of worlds such as 0-19", text));
    plan.first_world = *first;
    plan.last_world = *last;
}

void read_lists(Options& o) {
    Plan& plan = o.plan;
    for (const std::string& name : tools::split(o.scenarios, ',')) {
        const std::optional<Scenario> scenario = scenario_of(name);
        if (name == "all")
            for (const ScenarioName& each : Scenarios)
                plan.scenarios.push_back(each.scenario);
        else if (scenario)
            plan.scenarios.push_back(*scenario);
        else
            throw Failure(fmt::format("there is no scenario \"{}\"", name));
    }
    for (const std::string& name : tools::split(o.rules, ',')) {
        if (!is_rule(name))
            throw Failure(fmt::format("there is no rule \"{}\"", name));
        if (name != "random")
            plan.rules.push_back(name);
    }
    for (const std::string& text : o.settings)
        plan.settings.push_back(tools::value_or_throw(setting_from_text(text)));
    for (const std::string& text : o.against)
        plan.against.push_back(tools::value_or_throw(setting_from_text(text)));
    if (!plan.against.empty() && std::none_of(plan.rules.begin(), plan.rules.end(), is_own_rule))
        throw Failure("--against-set is for the rules of this program");
    if (plan.scenarios.empty())
        throw Failure("no scenario is named");
    read_worlds(o.worlds, plan);
}

Options parse(const tools::Words& words) {
    Options o;
    po::options_description options("Usage: nutcracker-bookbench [OPTION...]\n\n"
                                    "Measures how fast the book of this program, and the rules of "
                                    "others, learn to play openings\n"
                                    "that are invented and whose values are known.\n\nOptions");
    auto option = options.add_options();
    option("scenario", bound(o.scenarios), "scenarios, separated by commas");
    option("rule", bound(o.rules), "rules, separated by commas");
    option("worlds", bound(o.worlds), "first and last world, or a single one");
    option("games", bound(o.plan.games, 1, 1'000'000), "games in each world");
    option("threads", bound(o.plan.threads, 1, 256), "worlds at the same time");
    option("set", po::value(&o.settings), "NAME=NUMBER, another value of a constant of the book");
    option("against-set",
           po::value(&o.against),
           "NAME=NUMBER, play also with this value, and print the difference by world");
    option("curves", po::value(&o.curves), "write the curves to this table, for tools/lab/plot");
    option("at-most", bound(o.at_most, 0), "largest regret in percent of random; 0: no limit");
    tools::parse_options(
        {.who = "nutcracker-bookbench", .words = words, .explanation = explanation()}, options);
    read_lists(o);
    return o;
}

int run_bench(const tools::Words& words) {
    Options o = parse(words);
    if (!o.curves.empty())  // tested now rather than after hours
        tools::value_or_throw(tools::replace_file(o.curves, ""));
    auto next_progress = Clock::now() + ProgressInterval;
    const auto progress = [&next_progress](double part) {
        if (Clock::now() < next_progress)
            return;
        std::cerr << static_cast<int>(100 * part) << " % done" << std::endl;
        next_progress = Clock::now() + ProgressInterval;
    };
    const std::vector<Table> tables = tools::value_or_throw(run(o.plan, progress));
    bool exceeded = false;
    for (const Table& table : tables) {
        std::cout << (&table == tables.data() ? "" : "\n") << to_text(o.plan, table);
        for (const Line& line : table.lines)
            exceeded = exceeded || (o.at_most > 0 && line.rule.starts_with("nutcracker") &&
                                    line.percent.mean > o.at_most);
    }
    if (!o.curves.empty())
        tools::value_or_throw(tools::replace_file(o.curves, to_curves(o.plan, tables)));
    return exceeded ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-bookbench", argc, argv, run_bench);
}
