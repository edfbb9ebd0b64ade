// nutcracker-bookbench: how fast the book learns, in made-up openings whose values are known.
#include "tools/common/command_line.h"
#include "tools/lab/bookbench/experiment_report.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

namespace po = boost::program_options;
using namespace tools::bookbench;
using Clock = std::chrono::steady_clock;

constexpr auto ReportEvery = std::chrono::seconds(10);
constexpr std::uint64_t LastWorld = 1'000'000'000;

struct Options {
    Plan plan;
    std::string svg;
    double at_most = 0;  // percent; 0: no bound
};

std::string explanation() {
    std::string text = R"(
Every rule plays the same worlds. Its regret is what the best moves promised against each opponent,
minus what its moves did, and is printed as a part of a random player's. Opponents, results and errors
of the search are drawn anew for each world, always alike.

Scenarios: base; poison: the most popular moves are secretly bad; cold: no games by others; badeval:
the search errs twice as much; switch: at half time much changes; exploit: one opponent repeats what
beat us and prepares it further. "all": each of them.

Rules:
)";
    for (const RuleName& rule : rule_names())
        text += std::string("  ") + rule.name +
                std::string(17 - std::string(rule.name).size(), ' ') + rule.what + "\n";
    text += "\nConstants for --set:";
    for (const std::string& name : setting_names())
        text += " " + name;
    return text + R"(

  nutcracker-bookbench --scenario all --rule nutcracker,greedy,uct --worlds 0-19 --svg learning.svg

Exit status: 0; 1 with --at-most if a rule of this program kept more; 2 for wrong use.
)";
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> words;
    std::istringstream in(list);
    for (std::string word; std::getline(in, word, ',');)
        words.push_back(word);
    return words;
}

// A whole number without anything around it.
std::optional<std::uint64_t> number(const std::string& text) {
    if (text.empty() || text.size() > 10 ||
        text.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return std::stoull(text);
}

Result<void> read_worlds(const std::string& text, Plan& plan) {
    const std::size_t dash = text.find('-');
    const auto first = number(text.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number(text.substr(dash + 1));
    if (!first || !last || *last < *first || *last > LastWorld)
        return fail("\"" + text + "\" are no worlds, which look like 0-19");
    plan.first_world = *first;
    plan.last_world = *last;
    return {};
}

Result<Setting> setting_of(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::vector<std::string> names = setting_names();
    Setting setting{.name = text.substr(0, equals)};
    std::istringstream in(equals == std::string::npos ? "" : text.substr(equals + 1));
    if (std::find(names.begin(), names.end(), setting.name) == names.end() ||
        !(in >> setting.value) || !in.eof())
        return fail("\"" + text + "\" sets nothing: it has to be NAME=NUMBER, see --help");
    return setting;
}

Result<void> read_lists(const po::variables_map& values, Plan& plan) {
    for (const std::string& name : split(values["scenario"].as<std::string>())) {
        if (name == "all") {
            for (const auto& [scenario, known] : Scenarios)
                plan.scenarios.push_back(scenario);
            continue;
        }
        const std::optional<Scenario> scenario = scenario_of(name);
        if (!scenario)
            return fail("there is no scenario \"" + name + "\"");
        plan.scenarios.push_back(*scenario);
    }
    for (const std::string& name : split(values["rule"].as<std::string>())) {
        if (!is_rule(name))
            return fail("there is no rule \"" + name + "\"");
        if (name != "random")
            plan.rules.push_back(name);
    }
    if (values.count("set") != 0)
        for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
            const Result<Setting> setting = setting_of(text);
            if (!setting)
                return tl::unexpected<Error>(setting.error());
            plan.settings.push_back(*setting);
        }
    if (plan.scenarios.empty())
        return fail("no scenario is named");
    return read_worlds(values["worlds"].as<std::string>(), plan);
}

int complain(const std::string& what) {
    std::cerr << "nutcracker-bookbench: " << what << '\n';
    return 2;
}

// Reads the options; an exit code if there is nothing more to do.
std::optional<int> parse(const std::vector<std::string>& arguments, Options& o) {
    po::options_description words("nutcracker-bookbench: how fast rules learn to play made-up "
                                  "openings whose values are known");
    auto option = words.add_options();
    const auto text = [](const char* standard) {
        return po::value<std::string>()->default_value(standard);
    };
    option("help,h", "this text");
    option("scenario", text("base"), "one or more, with commas between");
    option("rule", text("nutcracker"), "one or more, with commas between");
    option("worlds", text("0-19"), "first and last, or a single one");
    option("games", po::value(&o.plan.games)->default_value(1500), "in each world");
    option("threads", po::value(&o.plan.threads)->default_value(1), "worlds at the same time");
    option(
        "set", po::value<std::vector<std::string>>(), "NAME=NUMBER: another constant of the book");
    option("svg", po::value(&o.svg), "draw the curves into this file");
    option("at-most", po::value(&o.at_most)->default_value(0), "percent of random that may remain");
    po::variables_map given;
    if (const auto code = tools::read_options(
            {.who = "nutcracker-bookbench", .words = arguments, .explanation = explanation()},
            words,
            given))
        return code;
    if (const Result<void> lists = read_lists(given, o.plan); !lists)
        return complain(lists.error().what);
    if (o.plan.games < 1 || o.plan.games > 1'000'000 || o.plan.threads < 1 ||
        o.plan.threads > 256 || o.at_most < 0)
        return complain("a number is out of range");
    return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    if (const auto code = parse({argv + 1, argv + argc}, o))
        return *code;
    std::ofstream svg;
    if (!o.svg.empty()) {
        svg.open(o.svg);
        if (!svg)
            return complain("cannot write \"" + o.svg + "\"");
    }
    auto next_report = Clock::now() + ReportEvery;
    const auto progress = [&next_report](double part) {
        if (Clock::now() < next_report)
            return;
        std::cerr << static_cast<int>(100 * part) << " % done" << std::endl;
        next_report = Clock::now() + ReportEvery;
    };
    const Result<std::vector<Table>> tables = run(o.plan, progress);
    if (!tables)
        return complain(tables.error().what);
    bool kept_too_much = false;
    for (const Table& table : *tables) {
        std::cout << (&table == tables->data() ? "" : "\n") << to_text(o.plan, table);
        for (const Line& line : table.lines)
            kept_too_much =
                kept_too_much || (o.at_most > 0 && line.rule.starts_with("nutcracker") &&
                                  line.percent.mean > o.at_most);
    }
    if (svg.is_open() && !(svg << to_svg(o.plan, *tables) << std::flush))
        return complain("cannot write \"" + o.svg + "\"");
    return kept_too_much ? 1 : 0;
}
