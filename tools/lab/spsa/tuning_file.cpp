#include "tools/lab/spsa/tuning_file.h"

#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/common/strings.h"
#include "tools/match/time_control.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

namespace tools::spsa {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view Title = "nutcracker-spsa 3", End = "end";
constexpr double MaxGain = 1e6;

bool is_gain(double x) {
    return x > 0 && x <= MaxGain;
}

// Takes the first line off `text`; empty if it has no line end.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = end == std::string_view::npos ? "" : text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

Parameter parse_choice(std::string_view line, const std::vector<Parameter>& known) {
    const std::vector<std::string_view> words = fields(line);
    const auto found = std::find_if(
        known.begin(), known.end(), [&](const Parameter& p) { return p.name == words[0]; });
    if (found == known.end())
        throw Failure(fmt::format("no such parameter or file: \"{}\"", words[0]));
    Parameter p = *found;
    const std::optional<double> c = words.size() > 1 ? number<double>(words[1]) : p.c_end;
    const std::optional<double> r = words.size() > 2 ? number<double>(words[2]) : p.r_end;
    if (words.size() > 3 || !is_gain(c.value_or(0)) || !is_gain(r.value_or(0)))
        throw Failure(fmt::format("bad C_END or R_END: \"{}\"", line));
    p.c_end = *c;
    p.r_end = *r;
    return p;
}

std::vector<Parameter> parse_choices(std::string_view text, const std::vector<Parameter>& known) {
    std::vector<Parameter> chosen;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const std::string_view words = trimmed(line.substr(0, line.find('#')));
        if (words.empty())
            continue;
        const Parameter p = parse_choice(words, known);
        if (std::any_of(
                chosen.begin(), chosen.end(), [&](const auto& q) { return q.name == p.name; }))
            throw Failure(fmt::format("named twice: \"{}\"", p.name));
        chosen.push_back(p);
    }
    if (chosen.empty())
        throw Failure("no parameters to tune");
    return chosen;
}

bool take_clock(std::string_view& text, std::string& clock) {
    const std::vector<std::string_view> words = fields(take_line(text));
    if (words.size() != 2 || words[0] != "clock")
        return false;
    clock = words[1];
    return match::parse_time_control(clock).has_value();
}

template <typename T>
bool take_named(std::string_view& text, std::string_view name, T& value) {
    const std::vector<std::string_view> words = fields(take_line(text));
    const std::optional<T> read =
        words.size() == 2 && words[0] == name ? number<T>(words[1]) : std::nullopt;
    value = read.value_or(T{});
    return read.has_value();
}

bool add_parameter(std::string_view line, State& state) {
    const std::vector<std::string_view> words = fields(line);
    if (words.size() != 8)
        return false;
    std::array<double, 7> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = number<double>(words[i + 1]).value_or(std::nan(""));
    const auto [start, min, max, c_end, r_end, value, higher_won] = values;
    const auto is_whole = [](double x) { return x == std::trunc(x) && std::abs(x) <= 1e9; };
    if (!is_whole(start) || !is_whole(min) || !is_whole(max) || !is_gain(c_end) ||
        !is_gain(r_end) || !(value >= min && value <= max) || !is_whole(higher_won))
        return false;
    state.plan.parameters.push_back({.name = std::string(words[0]),
                                     .start = static_cast<int>(start),
                                     .min = static_cast<int>(min),
                                     .max = static_cast<int>(max),
                                     .c_end = c_end,
                                     .r_end = r_end});
    state.values.push_back(value);
    state.higher_won.push_back(static_cast<long>(higher_won));
    return true;
}

// With digit separators, as in C++: 15'000.
std::string grouped(long n) {
    std::string digits = std::to_string(std::abs(n));
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, 1, '\'');
    return n < 0 ? '-' + digits : digits;
}

}  // namespace

double default_c_end(int min, int max) {
    return std::max((max - min) / 20.0, 0.5);
}

Result<std::vector<Parameter>> choose_parameters(const std::string& wanted,
                                                 const std::vector<Parameter>& known) {
    if (wanted == "all")
        return known;
    std::error_code none;
    const bool is_file = fs::exists(wanted, none);
    const Result<std::string> text = is_file ? read_bytes(wanted) : wanted;
    if (!text)
        return fail(text.error().what);
    std::string lines = *text + '\n';
    if (!is_file)
        std::replace(lines.begin(), lines.end(), ',', '\n');
    const auto chosen = to_result([&] { return parse_choices(lines, known); });
    return chosen || !is_file ? chosen : fail(wanted + ": " + chosen.error().what);
}

std::string to_text(const State& state) {
    const Plan& plan = state.plan;
    std::string text =
        fmt::format("{}\nseed {}\nnodes {}\nclock {}\npairs {}\ndone {}\nsquares {}\n",
                    Title,
                    plan.seed,
                    plan.nodes,
                    plan.clock,
                    plan.pairs,
                    state.done,
                    state.squares);
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const Parameter& p = plan.parameters[i];
        text += fmt::format("{} {} {} {} {:.17g} {:.17g} {:.17g} {}\n",
                            p.name,
                            p.start,
                            p.min,
                            p.max,
                            p.c_end,
                            p.r_end,
                            state.values[i],
                            state.higher_won[i]);
    }
    return text + std::string(End) + '\n';
}

Result<State> state_from_text(std::string_view text) {
    State state;
    if (take_line(text) != Title)
        return fail("not a tuning of nutcracker-spsa");
    Plan& plan = state.plan;
    if (!take_named(text, "seed", plan.seed) || !take_named(text, "nodes", plan.nodes) ||
        !take_clock(text, plan.clock) || !take_named(text, "pairs", plan.pairs) ||
        !take_named(text, "done", state.done) || !take_named(text, "squares", state.squares) ||
        plan.nodes < 1 || plan.pairs < 1 || state.done < 0 || state.done > plan.pairs ||
        state.squares < 0)
        return fail("damaged before its parameters");
    std::string_view line = take_line(text);
    for (; line != End; line = take_line(text))
        if (!add_parameter(line, state))
            return fail(text.empty() ? "cut off" : "damaged: \"" + std::string(line) + "\"");
    if (plan.parameters.empty() || !text.empty())
        return fail("damaged at its end");
    return state;
}

Result<void> save(const State& state, const std::string& file) {
    return replace_file(file, to_text(state));
}

std::string results(const State& state) {
    std::string text;
    for (std::size_t i = 0; i < state.values.size(); ++i) {
        const Parameter& p = state.plan.parameters[i];
        const Measured up = effect(state, i);
        text += fmt::format("TUNABLE({}, {}, {}, {})  // {}; up: {:+.1f} +- {:.1f} Elo\n",
                            p.name,
                            grouped(std::lround(state.values[i])),
                            grouped(p.min),
                            grouped(p.max),
                            grouped(p.start),
                            up.mean,
                            1.96 * up.error);
    }
    return text;
}

std::string largest_changes(const State& state, std::size_t count) {
    const std::vector<Parameter>& parameters = state.plan.parameters;
    std::vector<std::size_t> order(parameters.size());
    std::iota(order.begin(), order.end(), 0);
    const auto change = [&](std::size_t i) {
        return std::abs(state.values[i] - parameters[i].start) / parameters[i].c_end;
    };
    std::stable_sort(
        order.begin(), order.end(), [&](auto a, auto b) { return change(a) > change(b); });
    order.resize(std::min(count, order.size()));
    std::string text;
    for (const std::size_t i : order)
        text += fmt::format("{}{} {} -> {:.1f}",
                            text.empty() ? "" : ", ",
                            parameters[i].name,
                            parameters[i].start,
                            state.values[i]);
    return text;
}

}  // namespace tools::spsa
