#include "tools/lab/learning/foreign_report.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace tools::learning {
namespace {

constexpr std::array<const char*, 5> KindNames{
    "cold-learning", "cold-control", "base-learning", "base-control", "nobook"};
constexpr int LastGames = 100;
// The requirements.
constexpr double MinGainCold = 25, MinGainBase = 10, MinGainNoBook = 35, MinGainRepeat = 150;
constexpr double MaxRepeated = 0.05, MinOpenings = 8;
constexpr int RepeatGames = 300;

// Calls `visit` with every game that the filter lets through, and whether it was played before.
template <typename Visit>
void each_game(const ForeignRuns& runs, const ForeignFilter& filter, const Visit& visit) {
    for (const ForeignSeries* s : runs) {
        std::set<std::pair<std::size_t, std::uint64_t>> seen;
        for (const ForeignRow& row : s->games) {
            if (!row.fault.empty())
                continue;
            const bool repeated = !seen.emplace(row.opponent, row.moves).second;
            if (filter.first <= row.number && row.number <= filter.last &&
                (!filter.opponent || *filter.opponent == row.opponent) &&
                (!filter.without_repeats || !repeated))
                visit(row, repeated);
        }
    }
}

int games_of(const ForeignRuns& runs) {
    int games = 0;
    for (const ForeignSeries* s : runs)
        games = std::max(games, static_cast<int>(s->games.size()));
    return games;
}

struct Third {
    int first, last;
};
// The games 1 to `games` in three parts; `index` 0 to 2.
Third third(int games, int index) {
    return {games * index / 3 + 1, games * (index + 1) / 3};
}
ForeignFilter last_third(int games) {
    return {.first = third(games, 2).first, .last = games};
}

std::string percent(const Measured& m) {
    return fmt::format("{:.1f} ± {:.1f} %", 100 * m.mean, 100 * m.error);
}
std::string centipawns(const Measured& m) {
    return fmt::format("{:.1f} ± {:.1f} cp", m.mean, m.error);
}
std::string elo_text(const Measured& m) {
    return fmt::format("{:+.0f} ± {:.0f} Elo", m.mean, m.error);
}

Measured difference(const ForeignRuns& a, const ForeignRuns& b, const ForeignFilter& filter) {
    return elo_of(score_of(a, filter)) - elo_of(score_of(b, filter));
}

int count(const ForeignRuns& runs, const ForeignFilter& filter) {
    int games = 0;
    each_game(runs, filter, [&](const ForeignRow&, bool) { ++games; });
    return games;
}

int faults(const ForeignRuns& runs, std::optional<std::size_t> opponent) {
    std::ptrdiff_t sum = 0;
    for (const ForeignSeries* s : runs)
        sum += std::count_if(s->games.begin(), s->games.end(), [&](const ForeignRow& row) {
            return !row.fault.empty() && (!opponent || *opponent == row.opponent);
        });
    return static_cast<int>(sum);
}

// Centipawns where we left the book, limited so that single games do not decide.
Measured exit_score(const ForeignRuns& runs, const Third& part) {
    constexpr int MaxCentipawns = 200;
    std::vector<double> scores;
    each_game(runs, {.first = part.first, .last = part.last}, [&](const ForeignRow& row, bool) {
        if (row.exit_ply)
            scores.push_back(std::clamp(row.exit_cp, -MaxCentipawns, MaxCentipawns));
    });
    return mean_of(scores);
}

double mean_exit_ply(const ForeignRuns& runs) {
    double sum = 0, exits = 0;
    each_game(runs, {}, [&](const ForeignRow& row, bool) {
        sum += row.exit_ply.value_or(0);
        exits += row.exit_ply ? 1 : 0;
    });
    return exits > 0 ? sum / exits : 0;
}

// The cells that all tables have: games, faults, score by thirds and over all, repeats.
std::string cells(const ForeignRuns& runs, std::optional<std::size_t> opponent) {
    const int games = games_of(runs);
    const ForeignFilter all{.opponent = opponent};
    std::string text = fmt::format(" {} | {} |", count(runs, all), faults(runs, opponent));
    for (int i = 0; i < 3; ++i) {
        const Third part = third(games, i);
        text +=
            fmt::format(" {} |",
                        percent(score_of(
                            runs, {.first = part.first, .last = part.last, .opponent = opponent})));
    }
    return text +
           fmt::format(" {} | {} | {:.1f} % |",
                       percent(score_of(runs, all)),
                       percent(score_of(runs, {.opponent = opponent, .without_repeats = true})),
                       100 * share_repeated(runs, all));
}
constexpr const char* CellNames =
    " games | faults | first third | middle | last third | all | repeats left out | repeated |";
constexpr const char* CellRule = " --- | --- | --- | --- | --- | --- | --- | --- |";

std::string kinds_table(const std::vector<ForeignSeries>& all, bool repeat) {
    std::string text = fmt::format("\n| kind | runs |{} openings in the last {} | exit ply | exit "
                                   "score, first third | last third "
                                   "|\n| --- | --- |{} --- | --- | --- | --- |\n",
                                   CellNames,
                                   LastGames,
                                   CellRule);
    for (const char* const kind : KindNames)
        if (const ForeignRuns runs = runs_of(all, kind, repeat); !runs.empty())
            text += fmt::format("| {} | {} |{} {:.1f} | {:.1f} | {} | {} |\n",
                                kind,
                                runs.size(),
                                cells(runs, std::nullopt),
                                openings_in_last_hundred(runs),
                                mean_exit_ply(runs),
                                centipawns(exit_score(runs, third(games_of(runs), 0))),
                                centipawns(exit_score(runs, third(games_of(runs), 2))));
    return text;
}

std::string opponents_table(const std::vector<ForeignSeries>& all, bool repeat) {
    std::string text =
        fmt::format("\n| kind | opponent |{}\n| --- | --- |{}\n", CellNames, CellRule);
    for (const char* const kind : KindNames) {
        const ForeignRuns runs = runs_of(all, kind, repeat);
        for (std::size_t i = 0; !runs.empty() && i < runs[0]->rules.against.size(); ++i)
            text +=
                fmt::format("| {} | `{}` |{}\n", kind, runs[0]->rules.against[i], cells(runs, i));
    }
    return text;
}

// "learning less control" in Elo, of all and of each opponent.
std::string gains_table(const std::vector<ForeignSeries>& all, bool repeat) {
    std::string text = "\n| last third | all games | repeats left out | by opponent |\n| --- | --- "
                       "| --- | --- |\n";
    for (const auto& [name, a, b] :
         {std::array{"cold: learning less control", KindNames[0], KindNames[1]},
          std::array{"base: learning less control", KindNames[2], KindNames[3]},
          std::array{"base and learning less no book", KindNames[2], KindNames[4]}}) {
        const ForeignRuns first = runs_of(all, a, repeat), second = runs_of(all, b, repeat);
        if (first.empty() || second.empty())
            continue;
        ForeignFilter filter = last_third(std::min(games_of(first), games_of(second)));
        const Measured plain = difference(first, second, filter);
        std::string by_opponent;
        for (std::size_t i = 0; i < first[0]->rules.against.size(); ++i) {
            filter.opponent = i;
            by_opponent += (i > 0 ? ", " : "") + elo_text(difference(first, second, filter));
        }
        filter.opponent.reset();
        filter.without_repeats = true;
        text += fmt::format("| {} | {} | {} | {} |\n",
                            name,
                            elo_text(plain),
                            elo_text(difference(first, second, filter)),
                            by_opponent);
    }
    return text;
}

void check_gain(const std::vector<ForeignSeries>& all,
                const char* first_kind,
                const char* second_kind,
                double required,
                std::vector<Check>& rows) {
    const ForeignRuns first = runs_of(all, first_kind, false);
    const ForeignRuns second = runs_of(all, second_kind, false);
    if (first.empty() || second.empty())
        return;
    ForeignFilter filter = last_third(std::min(games_of(first), games_of(second)));
    filter.without_repeats = true;
    const Measured gain = difference(first, second, filter);
    rows.push_back({fmt::format("foreign engines, last third, {} less {}", first_kind, second_kind),
                    elo_text(gain),
                    fmt::format("at least {:+.0f} Elo", required),
                    gain.mean >= required});
}

void check_repeating(const std::vector<ForeignSeries>& all, std::vector<Check>& rows) {
    for (const auto& [learning, control] :
         {std::pair(KindNames[0], KindNames[1]), std::pair(KindNames[2], KindNames[3])}) {
        const ForeignRuns first = runs_of(all, learning, true);
        const ForeignRuns second = runs_of(all, control, true);
        if (first.empty())
            continue;
        const double openings = openings_in_last_hundred(first);
        rows.push_back({fmt::format("openings in the last {} games, {}", LastGames, learning),
                        fmt::format("{:.1f}", openings),
                        fmt::format("at least {:.0f}", MinOpenings),
                        openings >= MinOpenings});
        if (second.empty())
            continue;
        const int games = std::min({RepeatGames, games_of(first), games_of(second)});
        const Measured gain = difference(first, second, last_third(games));
        rows.push_back({fmt::format("opponents who repeat themselves, {} less {}, games {} to {}",
                                    learning,
                                    control,
                                    last_third(games).first,
                                    games),
                        elo_text(gain),
                        fmt::format("at least {:+.0f} Elo", MinGainRepeat),
                        gain.mean >= MinGainRepeat});
    }
}

}  // namespace

ForeignRuns runs_of(const std::vector<ForeignSeries>& all, const std::string& kind, bool repeat) {
    ForeignRuns runs;
    for (const ForeignSeries& s : all)
        if (s.complete && kind_of(s.rules) == kind && (s.rules.variation == 0) == repeat)
            runs.push_back(&s);
    return runs;
}

Measured score_of(const ForeignRuns& runs, const ForeignFilter& filter) {
    std::vector<double> scores;
    each_game(runs, filter, [&](const ForeignRow& row, bool) { scores.push_back(row.score); });
    return mean_of(scores);
}

double share_repeated(const ForeignRuns& runs, const ForeignFilter& filter) {
    int games = 0, repeats = 0;
    each_game(runs, filter, [&](const ForeignRow&, bool repeated) {
        ++games;
        repeats += repeated ? 1 : 0;
    });
    return games > 0 ? static_cast<double>(repeats) / games : 0;
}

double openings_in_last_hundred(const ForeignRuns& runs) {
    std::vector<double> counts;
    for (const ForeignSeries* s : runs) {
        std::set<std::pair<engine::Color, std::string>> openings;
        const int from = static_cast<int>(s->games.size()) - LastGames + 1;
        each_game({s}, {.first = from}, [&](const ForeignRow& row, bool) {
            openings.emplace(row.side, row.opening);
        });
        counts.push_back(static_cast<double>(openings.size()));
    }
    return mean_of(counts).mean;
}

std::vector<Check> foreign_checks(const std::vector<ForeignSeries>& all) {
    std::vector<Check> rows;
    for (const char* const kind : KindNames)
        if (const ForeignRuns runs = runs_of(all, kind, false); !runs.empty()) {
            const double share = share_repeated(runs, {});
            rows.push_back({fmt::format("foreign engines, repeated games, {}", kind),
                            fmt::format("{:.1f} %", 100 * share),
                            "less than 5 %",
                            share < MaxRepeated});
        }
    check_gain(all, KindNames[0], KindNames[1], MinGainCold, rows);
    check_gain(all, KindNames[2], KindNames[3], MinGainBase, rows);
    check_gain(all, KindNames[2], KindNames[4], MinGainNoBook, rows);
    check_repeating(all, rows);
    return rows;
}

std::string foreign_report(const std::vector<ForeignSeries>& all, const std::string& note) {
    std::string text;
    for (const bool repeat : {false, true}) {
        const auto series = std::find_if(all.begin(), all.end(), [repeat](const ForeignSeries& s) {
            return s.complete && (s.rules.variation == 0) == repeat;
        });
        if (series == all.end())
            continue;
        const ForeignRules& rules = series->rules;
        text += repeat ? "\n## Against foreign engines, games may repeat\n\n"
                       : "\n## Against foreign engines\n\n";
        text += fmt::format(
            "Runs of {} games against engines with books of their own, which are met in turn, two "
            "games each with\nreversed colours. We search {} nodes a move{}. Cold: our book holds "
            "imported games only; base: the\ninstalled base only; control: the same without "
            "learning. A repeated game was played before, move by\nmove, against the same opponent "
            "in the same run. Errors are standard errors over the games; a learning\nrun is one "
            "history, so between runs they are larger. Made by `{}`.\n",
            rules.games,
            rules.nodes,
            repeat ? "" : fmt::format(", give or take {} %", rules.variation),
            note);
        text += kinds_table(all, repeat) + gains_table(all, repeat) + opponents_table(all, repeat);
    }
    return text;
}

}  // namespace tools::learning
