#include "book/model/choice.h"

#include "book/types.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include <fmt/format.h>

namespace book {
namespace {

constexpr double Pessimism = 0.5;  // deviations subtracted from the mean, for leave_below
constexpr std::uint64_t MeanSteps = 1'000'000, EvidenceSteps = 1'000;  // of a unit, in records

double rounded(double x, std::uint64_t steps) {
    return std::round(x * static_cast<double>(steps)) / static_cast<double>(steps);
}

double preferred_mean(const ChoiceRule& rule, const Candidate& c) {
    double mean = c.mean - c.opponent_penalty;
    if ((c.flags & Prefer) != 0)
        mean += rule.preference;
    if ((c.flags & Avoid) != 0)
        mean -= rule.preference;
    return mean;
}

bool asked_for(const Candidate& c) {
    return (c.flags & (Always | Prefer)) != 0;
}

}  // namespace

std::uint64_t Random::next() {
    const std::uint64_t number = splitmix64(state_);
    state_ += 0x9E37'79B9'7F4A'7C15;
    return number;
}

double Random::uniform() {
    return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Random::normal() {
    // Source: G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

ChoiceRule choice_rule(const Model& model, bool match, double spent) {
    const bool greedy = spent >= model.budget;
    return {.deviation = greedy ? 0 : model.width * model.sigma,
            .slack = greedy ? 0 : (match ? model.match_slack : model.slack),
            .leave_below = model.leave_below,
            .pessimism = Pessimism * model.sigma,
            .min_evidence = model.min_evidence,
            .preference = model.preference};
}

Choice choose(const ChoiceRule& rule, std::span<const Candidate> candidates, std::uint64_t seed) {
    Choice choice;
    choice.draws.assign(candidates.size(), 0);
    if (candidates.empty()) {
        choice.left_because = "no move is known here";
        return choice;
    }
    const bool forced = std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) {
        return (c.flags & Always) != 0;
    });
    const auto eligible = [&](const Candidate& c) {
        if (forced)
            return (c.flags & Always) != 0;
        return (c.flags & Never) == 0 && (c.evidence >= rule.min_evidence || asked_for(c));
    };
    constexpr double None = -1e9;
    double best_preferred = None, best_pessimistic = None, best_mean = None;
    bool wanted = forced;
    for (const Candidate& c : candidates) {
        if (!eligible(c))
            continue;
        best_preferred = std::max(best_preferred, preferred_mean(rule, c));
        best_mean = std::max(best_mean, c.mean);
        best_pessimistic =
            std::max(best_pessimistic, c.mean - rule.pessimism / std::sqrt(c.evidence));
        wanted = wanted || asked_for(c);
    }
    if (best_preferred == None) {
        choice.left_because = "too little is known of any move";
        return choice;
    }
    if (best_pessimistic < rule.leave_below && !wanted) {
        choice.left_because = "no move here has done well";
        return choice;
    }
    // Thompson sampling among the moves within the slack of the best.
    Random random(seed);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const double noise =
            random.normal();  // also for excluded moves: excluding one changes no other draw
        choice.draws[i] = preferred_mean(rule, c) + rule.deviation / std::sqrt(c.evidence) * noise;
        if (eligible(c) && preferred_mean(rule, c) >= best_preferred - rule.slack &&
            (!choice.chosen || choice.draws[i] > choice.draws[*choice.chosen]))
            choice.chosen = i;
    }
    choice.loss = best_mean - candidates[*choice.chosen].mean;
    return choice;
}

void round_for_record(std::vector<Candidate>& candidates) {
    for (Candidate& c : candidates) {
        c.mean = rounded(c.mean, MeanSteps);
        c.opponent_penalty = rounded(c.opponent_penalty, MeanSteps);
        c.evidence = std::max(rounded(c.evidence, EvidenceSteps), 0.001);
    }
}

std::string to_text(const DrawRecord& r) {
    std::string text = fmt::format("{} {} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f}",
                                   r.ply,
                                   r.seed,
                                   r.rule.deviation,
                                   r.rule.slack,
                                   r.rule.leave_below,
                                   r.rule.pessimism,
                                   r.rule.min_evidence,
                                   r.rule.preference);
    for (const Candidate& c : r.candidates)
        text += fmt::format(" | {} {:.6f} {:.3f} {:.6f} {}",
                            c.move,
                            c.mean,
                            c.evidence,
                            c.opponent_penalty,
                            c.flags);
    return text;
}

std::optional<DrawRecord> draw_from_text(std::string_view text) {
    std::istringstream in{std::string(text)};
    DrawRecord r;
    ChoiceRule& rule = r.rule;
    if (!(in >> r.ply >> r.seed >> rule.deviation >> rule.slack >> rule.leave_below >>
          rule.pessimism >> rule.min_evidence >> rule.preference))
        return std::nullopt;
    for (std::string bar; in >> bar;) {
        Candidate c;
        if (bar != "|" || !(in >> c.move >> c.mean >> c.evidence >> c.opponent_penalty >> c.flags))
            return std::nullopt;
        r.candidates.push_back(c);
    }
    return r;
}

}  // namespace book
