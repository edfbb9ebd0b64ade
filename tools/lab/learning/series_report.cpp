#include "tools/lab/learning/series_report.h"

#include "tools/common/curve_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace tools::learning {
namespace {

constexpr int Window = 100;           // games
constexpr int UnlearningGames = 300;  // after which little of the poison may be left
// The requirements.
constexpr double MinExitGain = 40, MaxControlDrift = 10;  // centipawns
constexpr double MinEloGain = 40, MaxCleanLoss = 5;
constexpr double MaxPoisonLeft = 0.25;

struct Kind {
    const char* name;
    bool poisoned, learn;
};
constexpr std::array Kinds{Kind{"poisoned, learning", true, true},
                           Kind{"poisoned, control", true, false},
                           Kind{"clean, learning", false, true},
                           Kind{"clean, control", false, false}};

using Runs = std::vector<const Series*>;

Runs of_kind(const std::vector<Series>& all, const Kind& kind) {
    Runs runs;
    for (const Series& s : all)
        if (s.complete && s.rules.poisoned == kind.poisoned && s.rules.learn == kind.learn)
            runs.push_back(&s);
    return runs;
}

int games_of(const std::vector<Series>& all) {
    int games = 0;
    for (const Series& s : all)
        games = std::max(games, static_cast<int>(s.games.size()));
    return games;
}

// Sum of the quantity over a game, and what it is divided by.
std::pair<double, double> parts(const GameRow& row, Quantity quantity) {
    switch (quantity) {
    case Quantity::Score:
        return {row.score, 1};
    case Quantity::ExitScore:
        return {row.exit_ply ? row.exit_cp : 0, row.exit_ply ? 1 : 0};
    case Quantity::PoisonedMoves:
        return {row.poisoned, row.book_moves};
    case Quantity::PoisonedGames:
        return {row.poisoned > 0 ? 1 : 0, 1};
    }
    return {0, 0};
}

std::string with_error(const Measured& m, int digits, const char* unit) {
    return fmt::format("{:+.{}f} ± {:.{}f}{}", m.mean, digits, m.error, digits, unit);
}

std::string percent(const Measured& m) {
    return fmt::format("{:.1f} ± {:.1f} %", 100 * m.mean, 100 * m.error);
}

// Last minus first games, run by run, so that differences between runs cancel out.
Measured gain(const Runs& runs, Quantity quantity, int games) {
    std::vector<double> gains;
    for (const Series* s : runs)
        gains.push_back(measure({s}, quantity, games - Window + 1, games).mean -
                        measure({s}, quantity, 1, Window).mean);
    return mean_of(gains);
}

void check_poisoned(const std::vector<Series>& all, int games, std::vector<Check>& rows) {
    const Runs learning = of_kind(all, Kinds[0]), control = of_kind(all, Kinds[1]);
    if (learning.empty() || control.empty())
        return;
    const Measured risen = gain(learning, Quantity::ExitScore, games);
    const Measured drift = gain(control, Quantity::ExitScore, games);
    rows.push_back({"exit score, last hundred games less first hundred, learning",
                    with_error(risen, 1, " cp"),
                    "at least +40 cp",
                    risen.mean >= MinExitGain});
    rows.push_back({"the same, control",
                    with_error(drift, 1, " cp"),
                    "within ±10 cp",
                    std::abs(drift.mean) <= MaxControlDrift});
    const int tenth = games / 10;
    const Measured elo = elo_of(measure(learning, Quantity::Score, games - tenth + 1, games)) -
                         elo_of(measure(control, Quantity::Score, games - tenth + 1, games));
    rows.push_back({"strength in the last tenth, learning less control",
                    with_error(elo, 0, " Elo"),
                    "at least +40 Elo",
                    elo.mean >= MinEloGain});
    if (games <= UnlearningGames)
        return;
    for (const auto& [quantity, what] :
         {std::pair(Quantity::PoisonedMoves, "share of poisoned moves after 300 games"),
          std::pair(Quantity::PoisonedGames, "share of games with one after 300 games")}) {
        const Measured before = measure(control, quantity, 1, games);
        const Measured after = measure(learning, quantity, UnlearningGames + 1, games);
        const double left = before.mean > 0 ? after.mean / before.mean : 0;
        rows.push_back(
            {what,
             fmt::format(
                 "{}, control {}: {:.0f} % left", percent(after), percent(before), 100 * left),
             "at most 25 % left",
             left <= MaxPoisonLeft});
    }
}

void check_clean(const std::vector<Series>& all, int games, std::vector<Check>& rows) {
    const Runs learning = of_kind(all, Kinds[2]), control = of_kind(all, Kinds[3]);
    if (learning.empty() || control.empty())
        return;
    const Measured elo = elo_of(measure(learning, Quantity::Score, 1, games)) -
                         elo_of(measure(control, Quantity::Score, 1, games));
    rows.push_back({"strength with the clean book, learning less control, all games",
                    with_error(elo, 0, " Elo"),
                    "at least -5 Elo",
                    elo.mean >= -MaxCleanLoss});
}

}  // namespace

Measured measure(const std::vector<const Series*>& runs, Quantity quantity, int first, int last) {
    std::vector<double> means;
    for (const Series* s : runs) {
        double sum = 0, count = 0;
        for (const GameRow& row : s->games)
            if (first <= row.number && row.number <= last) {
                const auto [part, weight] = parts(row, quantity);
                sum += part;
                count += weight;
            }
        if (count > 0)
            means.push_back(sum / count);
    }
    return mean_of(means);
}

std::vector<Check> checks(const std::vector<Series>& all) {
    std::vector<Check> rows;
    const int games = games_of(all);
    check_poisoned(all, games, rows);
    check_clean(all, games, rows);
    return rows;
}

std::string
report_text(const std::vector<Series>& all, const std::string& note, const std::string& picture) {
    if (all.empty())
        return "# The learning match\n";
    const int games = games_of(all);
    std::string out =
        fmt::format("# The learning match\n\n"
                    "Our engine plays the same engine, which draws its moves from a fixed book. In "
                    "the poisoned "
                    "book, 30 % of the\npositions recommend a move that loses 0.8 to 1.5 pawns. "
                    "`tools/lab/learning-match --help` describes how it is played.\n\nMade by `{}`",
                    note);
    out += fmt::format(": {} nodes a move, {} for the\nscore of an exit",
                       all[0].rules.nodes,
                       all[0].rules.exit_nodes);
    out += fmt::format(". Errors are standard errors, from the differences between runs.\n\n"
                       "| runs of {} games | |\n| --- | --- |\n",
                       games);
    for (const Kind& kind : Kinds)
        if (const std::size_t runs = of_kind(all, kind).size(); runs > 0)
            out += fmt::format("| {} | {} |\n", kind.name, runs);
    out += "\n## What must hold\n\n| measure | found | must be | |\n| --- | --- | --- | --- |\n";
    for (const Check& c : checks(all))
        out += fmt::format("| {} | {} | {} | {} |\n",
                           c.what,
                           c.found,
                           c.required,
                           c.passed ? "passed" : "**failed**");
    out += fmt::format(
        "\n## Over time\n\n![Exit score, score and share of poisoned moves over the games]({})\n",
        picture);
    for (const Kind& kind : Kinds) {
        const Runs runs = of_kind(all, kind);
        if (runs.empty())
            continue;
        out +=
            fmt::format("\n### {}\n\n| games | score | Elo | exit score, cp | poisoned book moves "
                        "| games with one |\n| --- | --- | --- | --- | --- | --- |\n",
                        kind.name);
        for (int first = 1; first + Window - 1 <= games; first += Window) {
            const int last = first + Window - 1;
            const Measured score = measure(runs, Quantity::Score, first, last);
            out += fmt::format("| {}-{} | {} | {} | {} | {} | {} |\n",
                               first,
                               last,
                               percent(score),
                               with_error(elo_of(score), 0, ""),
                               with_error(measure(runs, Quantity::ExitScore, first, last), 1, ""),
                               percent(measure(runs, Quantity::PoisonedMoves, first, last)),
                               percent(measure(runs, Quantity::PoisonedGames, first, last)));
        }
    }
    return out;
}

std::string report_curves(const std::vector<Series>& all) {
    const int games = games_of(all);
    CurveTable table("The learning match", "games played, by hundreds, with standard errors");
    for (const Kind& kind : Kinds)
        for (int last = Window; last <= games; last += Window) {
            const Runs runs = of_kind(all, kind);
            if (runs.empty())
                break;
            const auto add = [&](const char* panel, const Measured& m, double scale) {
                table.add(panel, kind.name, last, scale * m.mean, scale * m.error);
            };
            const int first = last - Window + 1;
            add("Exit score, centipawns", measure(runs, Quantity::ExitScore, first, last), 1);
            add("Score, Elo against the fixed opponent",
                elo_of(measure(runs, Quantity::Score, first, last)),
                1);
            add("Games with a poisoned move, per cent",
                measure(runs, Quantity::PoisonedGames, first, last),
                100);
        }
    return table.text();
}

}  // namespace tools::learning
