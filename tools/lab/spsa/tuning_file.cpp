#include "tools/lab/spsa/tuning_file.h"

#include "tools/common/files.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <numeric>
#include <sstream>

namespace tools::spsa {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view Title = "nutcracker-spsa 1", End = "end";
constexpr double LargestGain = 1e6;

bool is_gain(double x) {
    return x > 0 && x <= LargestGain;
}

// The first line; `text` keeps what follows it. A line without its end is none.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = end == std::string_view::npos ? "" : text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

Result<Parameter> parse_choice(std::string_view line, const std::vector<Parameter>& known) {
    const std::vector<std::string_view> words = fields(line);
    const auto found = std::find_if(
        known.begin(), known.end(), [&](const Parameter& p) { return p.name == words[0]; });
    if (found == known.end())
        return fail("no such number or file: \"" + std::string(words[0]) + "\"");
    Parameter p = *found;
    const std::optional<double> c = words.size() > 1 ? number<double>(words[1]) : p.c_end;
    const std::optional<double> r = words.size() > 2 ? number<double>(words[2]) : p.r_end;
    if (words.size() > 3 || !is_gain(c.value_or(0)) || !is_gain(r.value_or(0)))
        return fail("bad gains: \"" + std::string(line) + "\"");
    p.c_end = *c;
    p.r_end = *r;
    return p;
}

Result<std::vector<Parameter>> parse_choices(std::string_view text,
                                             const std::vector<Parameter>& known) {
    std::vector<Parameter> chosen;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const std::string_view words = trimmed(line.substr(0, line.find('#')));
        if (words.empty())
            continue;
        const Result<Parameter> p = parse_choice(words, known);
        if (!p)
            return fail(p.error().what);
        if (std::any_of(
                chosen.begin(), chosen.end(), [&](const auto& q) { return q.name == p->name; }))
            return fail("named twice: \"" + p->name + "\"");
        chosen.push_back(*p);
    }
    if (chosen.empty())
        return fail("no numbers to tune");
    return chosen;
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
    if (words.size() != 7)
        return false;
    std::array<double, 6> n{};
    for (std::size_t i = 0; i < n.size(); ++i)
        n[i] = number<double>(words[i + 1]).value_or(std::nan(""));
    const auto [start, least, most, c_end, r_end, value] = n;
    const auto is_whole = [](double x) { return x == std::trunc(x) && std::abs(x) <= 1e9; };
    if (!is_whole(start) || !is_whole(least) || !is_whole(most) || !is_gain(c_end) ||
        !is_gain(r_end) || !(value >= least && value <= most))
        return false;
    state.plan.parameters.push_back({.name = std::string(words[0]),
                                     .start = static_cast<int>(start),
                                     .least = static_cast<int>(least),
                                     .most = static_cast<int>(most),
                                     .c_end = c_end,
                                     .r_end = r_end});
    state.values.push_back(value);
    return true;
}

// As C++ writes it: 15'000.
std::string grouped(long n) {
    std::string digits = std::to_string(std::abs(n));
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, 1, '\'');
    return n < 0 ? '-' + digits : digits;
}

}  // namespace

double usual_c_end(int least, int most) {
    return std::max((most - least) / 20.0, 0.5);
}

Result<std::vector<Parameter>> choose_parameters(const std::string& wanted,
                                                 const std::vector<Parameter>& known) {
    if (wanted == "all")
        return known;
    std::error_code unknown;
    if (!fs::exists(wanted, unknown)) {
        std::string lines = wanted + '\n';
        std::replace(lines.begin(), lines.end(), ',', '\n');
        return parse_choices(lines, known);
    }
    const Result<std::string> text = read_bytes(wanted);
    if (!text)
        return fail(text.error().what);
    Result<std::vector<Parameter>> chosen = parse_choices(*text + '\n', known);
    if (!chosen)
        return fail(wanted + ": " + chosen.error().what);
    return chosen;
}

std::string to_text(const State& state) {
    const Plan& plan = state.plan;
    std::ostringstream text;
    text << std::setprecision(17) << Title << "\nseed " << plan.seed << "\nnodes " << plan.nodes
         << "\npairs " << plan.pairs << "\ndone " << state.done << '\n';
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const Parameter& p = plan.parameters[i];
        text << p.name << ' ' << p.start << ' ' << p.least << ' ' << p.most << ' ' << p.c_end << ' '
             << p.r_end << ' ' << state.values[i] << '\n';
    }
    text << End << '\n';
    return text.str();
}

Result<State> state_from_text(std::string_view text) {
    State state;
    if (take_line(text) != Title)
        return fail("not a tuning of nutcracker-spsa");
    Plan& plan = state.plan;
    if (!take_named(text, "seed", plan.seed) || !take_named(text, "nodes", plan.nodes) ||
        !take_named(text, "pairs", plan.pairs) || !take_named(text, "done", state.done) ||
        plan.nodes < 1 || plan.pairs < 1 || state.done < 0 || state.done > plan.pairs)
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
    const std::string unfinished = file + ".new";
    std::ofstream out(unfinished);
    out << to_text(state);
    out.close();
    std::error_code error;
    if (out)
        fs::rename(unfinished, file, error);
    if (!out || error)
        return fail("cannot write " + file);
    return {};
}

std::string results(const State& state) {
    std::string text;
    for (std::size_t i = 0; i < state.values.size(); ++i) {
        const Parameter& p = state.plan.parameters[i];
        text += "TUNABLE(" + p.name + ", " + grouped(std::lround(state.values[i])) + ", " +
                grouped(p.least) + ", " + grouped(p.most) + ")  // " + grouped(p.start) + '\n';
    }
    return text;
}

std::string largest_moves(const State& state, std::size_t count) {
    const std::vector<Parameter>& parameters = state.plan.parameters;
    std::vector<std::size_t> order(parameters.size());
    std::iota(order.begin(), order.end(), 0);
    const auto move = [&](std::size_t i) {
        return std::abs(state.values[i] - parameters[i].start) / parameters[i].c_end;
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return move(a) > move(b); });
    order.resize(std::min(count, order.size()));
    std::ostringstream text;
    text << std::fixed << std::setprecision(1);
    for (const std::size_t i : order)
        text << (text.view().empty() ? "" : ", ") << parameters[i].name << ' '
             << parameters[i].start << " -> " << state.values[i];
    return text.str();
}

}  // namespace tools::spsa
