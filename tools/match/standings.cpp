#include "tools/match/standings.h"

#include <cmath>

#include <fmt/format.h>

namespace tools::match {
namespace {

// Rounded to tenths, without the sign of -0.
double in_tenths(double x) {
    return std::round(10 * x) / 10 + 0.0;
}

// Games, wins, draws, losses, score in percent, Elo, its error and the likelihood of superiority;
// the last two are texts, since they are unknown while all results are equal.
std::string figures(fmt::string_view format, const Tally& t) {
    const Estimate e = estimate(t);
    const auto if_known = [&e](double x) {
        return e.error_known ? fmt::format("{:.1f}", x) : std::string("?");
    };
    return fmt::format(fmt::runtime(format),
                       t.games(),
                       t.wins,
                       t.draws,
                       t.losses,
                       100 * e.score,
                       in_tenths(e.elo),
                       if_known(e.error()),
                       if_known(100 * e.superiority));
}

std::string test_text(const Tally& tally, const Sprt& test) {
    std::string text = fmt::format("LLR {:.2f} ({:.2f}, {:.2f}) [{:g}, {:g}]",
                                   log_likelihood_ratio(tally, test),
                                   lower_bound(test),
                                   upper_bound(test),
                                   test.elo0,
                                   test.elo1);
    switch (verdict(tally, test)) {
    case Verdict::AcceptElo0:
        return text + " elo0 accepted";
    case Verdict::AcceptElo1:
        return text + " elo1 accepted";
    case Verdict::Undecided:
        break;
    }
    return text;
}

}  // namespace

Standings::Standings(std::vector<std::string> names)
    : names_(std::move(names)), tallies_(names_.size() - 1), faults_(names_.size()) {}

void Standings::add(const GameNumber& number, const PlayedGame& record) {
    const auto opponent = static_cast<std::size_t>(number.opponent);
    const engine::Color first = number.reversed ? engine::Black : engine::White;
    for (const engine::Color c : {engine::White, engine::Black})
        if (record.broke_down[c])
            ++faults_[c == first ? 0 : opponent + 1].breakdowns;
    if (record.outcome == Outcome::Unfinished)
        return;
    ++endings_[record.ending];
    if (is_fault(record.ending))
        add_fault(record.outcome == win_for(first) ? opponent + 1 : 0, record.ending);
    Tally& tally = tallies_[opponent];
    int half_points = 1;
    if (record.outcome == Outcome::Draw) {
        ++tally.draws;
    } else {
        const bool won = record.outcome == win_for(first);
        ++(won ? tally.wins : tally.losses);
        half_points = won ? 2 : 0;
    }
    const auto [other, alone] = halves_.try_emplace({number.opponent, number.pair}, half_points);
    if (!alone) {
        const int together = other->second + half_points;
        ++tally.pairs[static_cast<std::size_t>(together)];
        halves_.erase(other);
    }
}

void Standings::add_fault(std::size_t engine, Ending ending) {
    Faults& faults = faults_[engine];
    if (ending == Ending::Crash)
        ++faults.crashes;
    else if (ending == Ending::Stall)
        ++faults.stalls;
    else if (ending == Ending::IllegalMove)
        ++faults.illegal_moves;
    else if (ending == Ending::TimeForfeit)
        ++faults.time_forfeits;
    else
        ++faults.false_claims;
}

const Tally& Standings::against(int opponent) const {
    return tallies_[static_cast<std::size_t>(opponent)];
}

Tally Standings::total() const {
    Tally sum;
    for (const Tally& t : tallies_) {
        sum.wins += t.wins;
        sum.draws += t.draws;
        sum.losses += t.losses;
        for (std::size_t i = 0; i < sum.pairs.size(); ++i)
            sum.pairs[i] += t.pairs[i];
    }
    return sum;
}

std::string Standings::progress_line(const Sprt* test) const {
    const Tally t = total();
    std::string line = figures("games {}: +{} ={} -{}  {:.1f} %  Elo {:+.1f} +- {}  LOS {} %", t);
    if (test)
        line += "  " + test_text(t, *test);
    return line;
}

std::string Standings::row(const std::string& name, const Tally& t) const {
    return fmt::format("{:<24.24} {}   {}\n",
                       name,
                       figures("{:6} {:5} {:5} {:5} {:7.1f} {:8.1f} {:>7} {:>6}", t),
                       fmt::join(t.pairs, "/"));
}

std::string Standings::table(const Sprt* test) const {
    std::string text =
        fmt::format("{:<24.24}  games   won drawn  lost  score%      Elo   +-95%   LOS%"
                    "   pairs 0/.5/1/1.5/2\n",
                    names_[0] + " against");
    for (std::size_t i = 0; i < tallies_.size(); ++i)
        if (tallies_[i].games() > 0 || tallies_.size() == 1)
            text += row(names_[i + 1], tallies_[i]);
    if (tallies_.size() > 1)
        text += row("all", total());
    if (test)
        text += test_text(total(), *test) + '\n';
    text += endings_.empty() ? "endings: none," : "endings:";
    for (const auto& [ending, count] : endings_)
        text += fmt::format(" {} {},", ending_name(ending), count);
    text.back() = '\n';
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const Faults& c = faults_[i];
        text += fmt::format("{}: crashes {}, stalls {}, illegal moves {}, time forfeits {}, false "
                            "claims {}, breakdowns after a game {}\n",
                            names_[i],
                            c.crashes,
                            c.stalls,
                            c.illegal_moves,
                            c.time_forfeits,
                            c.false_claims,
                            c.breakdowns);
    }
    return text;
}

}  // namespace tools::match
