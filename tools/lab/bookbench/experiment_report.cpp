#include "tools/lab/bookbench/experiment_report.h"

#include "tools/common/curve_table.h"

namespace tools::bookbench {

std::string to_text(const Plan& plan, const Table& table) {
    const bool exploit = table.scenario == Scenario::Exploit;
    std::string text = fmt::format("{}: worlds {}-{}, {} games\n"
                                   "rule             % of random    +-   regret   last 300{}\n",
                                   name_of(table.scenario),
                                   plan.first_world,
                                   plan.last_world,
                                   plan.games,
                                   exploit ? "   against the exploiter    +-" : "");
    for (const Line& line : table.lines) {
        text += fmt::format("{:<16} {:11.1f} {:5.1f} {:8.1f} {:10.4f}",
                            line.rule,
                            line.percent.mean,
                            line.percent.error,
                            line.regret.mean,
                            line.final_regret());
        if (exploit)
            text += fmt::format(" {:23.3f} {:5.3f}", line.exploiter.mean, line.exploiter.error);
        text += '\n';
    }
    text += "\npoints lost a game in each hundred games\n  games";
    for (const Line& line : table.lines)
        text += fmt::format(" {:>15}", line.rule);
    for (std::size_t h = 0; h < table.lines.front().per_hundred.size(); ++h) {
        text += fmt::format("\n{:7}", 100 * (h + 1));
        for (const Line& line : table.lines)
            text += fmt::format(" {:15.4f}", line.per_hundred[h]);
    }
    return text + "\n";
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
