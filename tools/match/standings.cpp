#include "tools/match/standings.h"

#include <algorithm>
#include <cstdio>

namespace tools {
namespace {

template <typename... Values>
std::string format(const char* pattern, Values... values) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), pattern, values...);
    return text.data();
}

std::string test_text(const Tally& tally, const Sprt& test) {
    std::string text = format("LLR %.2f (%.2f, %.2f) [%g, %g]",
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
    : names_(std::move(names)), tallies_(names_.size() - 1), conduct_(names_.size()) {}

void Standings::add(const GameNumber& number, const GameRecord& record) {
    const auto opponent = static_cast<std::size_t>(number.opponent);
    const engine::Color first = number.reversed ? engine::Black : engine::White;
    for (const engine::Color c : {engine::White, engine::Black})
        if (record.broke_down[c])
            ++conduct_[c == first ? 0 : opponent + 1].breakdowns;
    if (record.outcome == Outcome::Unfinished)
        return;
    ++endings_[record.ending];
    if (is_misconduct(record.ending))
        count_fault(record.outcome == win_for(first) ? opponent + 1 : 0, record.ending);
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

void Standings::count_fault(std::size_t engine, Ending ending) {
    Conduct& conduct = conduct_[engine];
    if (ending == Ending::Crash)
        ++conduct.crashes;
    else if (ending == Ending::Stall)
        ++conduct.stalls;
    else if (ending == Ending::IllegalMove)
        ++conduct.illegal_moves;
    else if (ending == Ending::TimeForfeit)
        ++conduct.time_forfeits;
    else
        ++conduct.false_claims;
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
    const Estimate e = estimate(t);
    std::string line = format("games %d: +%d =%d -%d  %.1f %%  Elo %+.1f +- %.1f  LOS %.1f %%",
                              t.games(),
                              t.wins,
                              t.draws,
                              t.losses,
                              100 * e.score,
                              e.elo,
                              e.error(),
                              100 * e.superiority);
    if (test)
        line += "  " + test_text(t, *test);
    return line;
}

std::string Standings::row(const std::string& name, const Tally& t) const {
    const Estimate e = estimate(t);
    return format("%-24.24s %6d %5d %5d %5d %7.1f %8.1f %7.1f %6.1f   %d/%d/%d/%d/%d\n",
                  name.c_str(),
                  t.games(),
                  t.wins,
                  t.draws,
                  t.losses,
                  100 * e.score,
                  e.elo,
                  e.error(),
                  100 * e.superiority,
                  t.pairs[0],
                  t.pairs[1],
                  t.pairs[2],
                  t.pairs[3],
                  t.pairs[4]);
}

std::string Standings::table(const Sprt* test) const {
    std::string text = format("%-24.24s %6s %5s %5s %5s %7s %8s %7s %6s   %s\n",
                              (names_[0] + " against").c_str(),
                              "games",
                              "won",
                              "drawn",
                              "lost",
                              "score%",
                              "Elo",
                              "+-95%",
                              "LOS%",
                              "pairs 0/.5/1/1.5/2");
    for (std::size_t i = 0; i < tallies_.size(); ++i)
        if (tallies_[i].games() > 0 || tallies_.size() == 1)
            text += row(names_[i + 1], tallies_[i]);
    if (tallies_.size() > 1)
        text += row("all", total());
    if (test)
        text += test_text(total(), *test) + '\n';
    text += endings_.empty() ? "endings: none," : "endings:";
    for (const auto& [ending, count] : endings_)
        text += ' ' + std::string(ending_name(ending)) + ' ' + std::to_string(count) + ',';
    text.back() = '\n';
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const Conduct& c = conduct_[i];
        text +=
            names_[i] +
            format(": crashes %d, stalls %d, illegal moves %d, time forfeits %d, false claims %d, "
                   "breakdowns after a game %d\n",
                   c.crashes,
                   c.stalls,
                   c.illegal_moves,
                   c.time_forfeits,
                   c.false_claims,
                   c.breakdowns);
    }
    return text;
}

}  // namespace tools
