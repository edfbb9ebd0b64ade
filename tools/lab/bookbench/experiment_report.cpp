#include "tools/lab/bookbench/experiment_report.h"

#include "tools/common/curve_table.h"

#include <algorithm>

namespace tools::bookbench {

namespace {

// A column of one scenario.
struct Column {
    const char* head;
    Measured Line::*value;
    double scale;  // 100: in percent
};
std::vector<Column> columns_of(Scenario scenario) {
    switch (scenario) {
    case Scenario::Exploit:
        return {{"against the exploiter", &Line::prepared, 1}};
    case Scenario::Learners:
        return {{"score", &Line::prepared, 1}};
    case Scenario::Repeat:
        return {{"repeated %", &Line::repeated, 100},
                {"openings in last 100", &Line::last_openings, 1},
                {"score in last 100", &Line::last_score, 1}};
    default:
        return {};
    }
}

std::string per_hundred(const Table& table, std::size_t width) {
    std::string text = "\npoints lost a game in each hundred games\n  games";
    for (const Line& line : table.lines)
        text += fmt::format(" {:>{}}", line.rule, width);
    for (std::size_t h = 0; h < table.lines.front().per_hundred.size(); ++h) {
        text += fmt::format("\n{:7}", 100 * (h + 1));
        for (const Line& line : table.lines)
            text += fmt::format(" {:{}.4f}", line.per_hundred[h], width);
    }
    return text + "\n";
}

}  // namespace

std::string to_text(const Plan& plan, const Table& table) {
    const std::vector<Column> columns = columns_of(table.scenario);
    std::size_t width = 16;
    for (const Line& line : table.lines)
        width = std::max(width, line.rule.size());
    const bool compares = table.lines.size() > 2;  // random is always there
    std::string text = fmt::format("{}: worlds {}-{}, {} games\n"
                                   "{:<{}} % of random    +-",
                                   name_of(table.scenario),
                                   plan.first_world,
                                   plan.last_world,
                                   plan.games,
                                   "rule",
                                   width);
    if (compares)
        text += fmt::format("   - {}    +-", table.lines[1].rule);
    text += "   regret   last 300";
    for (const Column& column : columns)
        text += fmt::format("   {}    +-", column.head);
    for (const Line& line : table.lines) {
        text += fmt::format(
            "\n{:<{}} {:11.1f} {:5.1f}", line.rule, width, line.percent.mean, line.percent.error);
        if (compares)
            text += fmt::format(" {:{}.1f} {:5.1f}",
                                line.distance.mean,
                                table.lines[1].rule.size() + 4,
                                line.distance.error);
        text += fmt::format(" {:8.1f} {:10.4f}", line.regret.mean, line.final_regret());
        for (const Column& column : columns) {
            const Measured& value = line.*column.value;
            text += fmt::format(" {:{}.{}f} {:5.3f}",
                                value.mean * column.scale,
                                std::string_view(column.head).size() + 2,
                                column.scale == 1 ? 3 : 1,
                                value.error * column.scale);
        }
    }
    return text + "\n" + per_hundred(table, width - 1);
}

std::string to_curves(const Plan& plan, const std::vector<Table>& tables) {
    CurveTable curves(fmt::format("Points lost a game against the best moves, worlds {}-{}",
                                  plan.first_world,
                                  plan.last_world),
                      "games");
    for (const Table& table : tables)
        for (const Line& line : table.lines)
            for (std::size_t h = 0; h < line.per_hundred.size(); ++h)
                curves.add(name_of(table.scenario),
                           line.rule,
                           100 * static_cast<double>(h) + 50,  // the middle of the hundred
                           line.per_hundred[h],
                           0);
    return curves.text();
}

}  // namespace tools::bookbench
