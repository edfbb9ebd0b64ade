#include "book/model/choice.h"

#include "book/types.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

double deviation(const ChoiceRule& rule, const Candidate& c) {
    return rule.deviation / std::sqrt(c.evidence);
}

// What of a choice does not depend on the seed.
struct Field {
    std::vector<std::size_t> eligible{};  // the candidates that may be drawn
    double best_mean = -std::numeric_limits<double>::infinity();
    std::string left_because{};  // why none may
};

Field field_of(const ChoiceRule& rule, std::span<const Candidate> candidates) {
    Field field;
    const auto leave = [&field](const char* because) {
        field.eligible.clear();
        field.left_because = because;
        return field;
    };
    if (candidates.empty())
        return leave("no move is known here");
    const bool forced = std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) {
        return (c.flags & Always) != 0;
    });
    bool wanted = forced;
    double best_preferred = field.best_mean, best_pessimistic = field.best_mean;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const bool allowed =
            forced ? (c.flags & Always) != 0
                   : (c.flags & Never) == 0 && (c.evidence >= rule.min_evidence || asked_for(c));
        if (!allowed)
            continue;
        field.eligible.push_back(i);
        wanted = wanted || asked_for(c);
        best_preferred = std::max(best_preferred, preferred_mean(rule, c));
        field.best_mean = std::max(field.best_mean, c.mean);
        best_pessimistic =
            std::max(best_pessimistic, c.mean - rule.pessimism / std::sqrt(c.evidence));
    }
    if (field.eligible.empty())
        return leave("too little is known of any move");
    if (best_pessimistic < rule.leave_below && !wanted)
        return leave("no move here has done well");
    std::erase_if(field.eligible, [&](std::size_t i) {
        return preferred_mean(rule, candidates[i]) < best_preferred - rule.slack;
    });
    return field;
}

std::vector<double> normal_draws(std::size_t count) {
    Random random(1);
    std::vector<double> draws(count);
    std::generate(draws.begin(), draws.end(), [&random] { return random.normal(); });
    return draws;
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
    const Field field = field_of(rule, candidates);
    Choice choice{.chosen = {}, .left_because = field.left_because, .draws = {}, .loss = 0};
    choice.draws.assign(candidates.size(), 0);
    if (field.eligible.empty())
        return choice;
    // Thompson sampling among the moves within the slack of the best.
    Random random(seed);
    for (std::size_t i = 0; i < candidates.size(); ++i)  // an excluded move changes no other draw
        choice.draws[i] =
            preferred_mean(rule, candidates[i]) + deviation(rule, candidates[i]) * random.normal();
    choice.chosen = *std::max_element(
        field.eligible.begin(), field.eligible.end(), [&](std::size_t a, std::size_t b) {
            return choice.draws[a] < choice.draws[b];
        });
    choice.loss = field.best_mean - candidates[*choice.chosen].mean;
    return choice;
}

std::vector<double> play_probabilities(const ChoiceRule& rule,
                                       std::span<const Candidate> candidates) {
    constexpr std::size_t Draws = 4096;
    static const std::vector<double> Normals = normal_draws(Draws * 16);
    std::vector<double> probabilities(candidates.size(), 0);
    const std::vector<std::size_t> eligible = field_of(rule, candidates).eligible;
    if (eligible.size() == 1)
        probabilities[eligible[0]] = 1;
    if (eligible.size() <= 1)
        return probabilities;
    std::size_t next = 0;
    for (std::size_t draw = 0; draw < Draws; ++draw) {
        std::size_t best = eligible[0];
        double highest = -std::numeric_limits<double>::infinity();
        for (const std::size_t i : eligible) {
            const double drawn = preferred_mean(rule, candidates[i]) +
                                 deviation(rule, candidates[i]) * Normals[next++ % Normals.size()];
            if (drawn > highest)
                best = i;
            highest = std::max(highest, drawn);
        }
        probabilities[best] += 1.0 / Draws;
    }
    return probabilities;
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
