#include "book/model/choice.h"

#include "book/types.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sstream>

namespace book {
namespace {

constexpr double Pessimism =
    0.5;  // deviations below the mean at which a line is judged for leaving
constexpr std::uint64_t MeanSteps = 1'000'000, EvidenceSteps = 1'000;  // of a unit, in records

double rounded(double x, std::uint64_t steps) {
    return std::round(x * static_cast<double>(steps)) / static_cast<double>(steps);
}

double preferred(const ChoiceRule& rule, const Candidate& c) {
    double mean = c.mean - c.guard;
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
    state_ += 0x9E37'79B9'7F4A'7C15;
    std::uint64_t x = state_;
    x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9;
    x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EB;
    return x ^ x >> 31;
}

double Random::uniform() {
    return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Random::normal() {
    // Source: G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

ChoiceRule rule_of(const Model& model, bool match, double spent) {
    const bool greedy = spent >= model.budget;
    return {.deviation = greedy ? 0 : model.width * model.sigma,
            .slack = greedy ? 0 : (match ? model.match_slack : model.slack),
            .leave_below = model.leave_below,
            .pessimism = Pessimism * model.sigma,
            .least_evidence = model.least_evidence,
            .preference = model.preference};
}

Decision decide(const ChoiceRule& rule, std::span<const Candidate> candidates, std::uint64_t seed) {
    Decision decision;
    decision.draws.assign(candidates.size(), 0);
    if (candidates.empty()) {
        decision.left_because = "no move is known here";
        return decision;
    }
    const bool forced = std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) {
        return (c.flags & Always) != 0;
    });
    const auto eligible = [&](const Candidate& c) {
        if (forced)
            return (c.flags & Always) != 0;
        return (c.flags & Never) == 0 && (c.evidence >= rule.least_evidence || asked_for(c));
    };
    double top = -1e9, safest = -1e9, best_mean = -1e9;
    bool wanted = forced;
    for (const Candidate& c : candidates) {
        if (!eligible(c))
            continue;
        top = std::max(top, preferred(rule, c));
        best_mean = std::max(best_mean, c.mean);
        safest = std::max(safest, c.mean - rule.pessimism / std::sqrt(c.evidence));
        wanted = wanted || asked_for(c);
    }
    if (top < -1e8) {
        decision.left_because = "too little is known of any move";
        return decision;
    }
    if (safest < rule.leave_below && !wanted) {
        decision.left_because = "no move here has done well";
        return decision;
    }
    Random random(seed);
    double highest = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const double noise =
            random.normal();  // drawn for all, so that one more row changes no other
        decision.draws[i] = preferred(rule, c) + rule.deviation / std::sqrt(c.evidence) * noise;
        if (!eligible(c) || preferred(rule, c) < top - rule.slack)
            continue;
        if (!decision.chosen || decision.draws[i] > highest) {
            decision.chosen = i;
            highest = decision.draws[i];
        }
    }
    decision.loss = best_mean - candidates[*decision.chosen].mean;
    return decision;
}

void round_for_record(std::vector<Candidate>& candidates) {
    for (Candidate& c : candidates) {
        c.mean = rounded(c.mean, MeanSteps);
        c.guard = rounded(c.guard, MeanSteps);
        c.evidence = std::max(rounded(c.evidence, EvidenceSteps), 0.001);
    }
}

std::string to_text(const DrawRecord& r) {
    std::array<char, 200> line{};
    std::snprintf(line.data(),
                  line.size(),
                  "%d %llu %.6f %.6f %.6f %.6f %.6f %.6f",
                  r.ply,
                  static_cast<unsigned long long>(r.seed),
                  r.rule.deviation,
                  r.rule.slack,
                  r.rule.leave_below,
                  r.rule.pessimism,
                  r.rule.least_evidence,
                  r.rule.preference);
    std::string text = line.data();
    for (const Candidate& c : r.candidates) {
        std::snprintf(line.data(),
                      line.size(),
                      " | %d %.6f %.3f %.6f %d",
                      c.move,
                      c.mean,
                      c.evidence,
                      c.guard,
                      c.flags);
        text += line.data();
    }
    return text;
}

std::optional<DrawRecord> draw_from_text(std::string_view text) {
    std::istringstream in{std::string(text)};
    DrawRecord r;
    ChoiceRule& rule = r.rule;
    if (!(in >> r.ply >> r.seed >> rule.deviation >> rule.slack >> rule.leave_below >>
          rule.pessimism >> rule.least_evidence >> rule.preference))
        return std::nullopt;
    for (std::string bar; in >> bar;) {
        Candidate c;
        if (bar != "|" || !(in >> c.move >> c.mean >> c.evidence >> c.guard >> c.flags))
            return std::nullopt;
        r.candidates.push_back(c);
    }
    return r;
}

}  // namespace book
