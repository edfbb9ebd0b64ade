#include "book/model/choice.h"

#include "book/types.h"
#include "engine/board/zobrist.h"

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

// The value of playing the move: its expected score, and what the game teaches.
double worth(const Candidate& c) {
    return c.mean + c.lesson;
}

double preferred_mean(const ChoiceRule& rule, const Candidate& c) {
    double mean = worth(c) - c.opponent_penalty;
    if ((c.flags & Prefer) != 0)
        mean += rule.preference;
    if ((c.flags & Avoid) != 0)
        mean -= rule.preference;
    return mean;
}

bool asked_for(const Candidate& c) {
    return (c.flags & (Always | Prefer)) != 0;
}

// The centre of a candidate's draw: its mean, and a bonus for popularity.
double centre(const ChoiceRule& rule, const Candidate& c) {
    return preferred_mean(rule, c) + rule.temperature * 0.5 * std::log(c.popularity);
}

double deviation(const ChoiceRule& rule, const Candidate& c) {
    return rule.deviation / std::sqrt(c.evidence);
}

// The part of a choice that does not depend on the seed.
struct Field {
    std::vector<std::size_t> eligible{};  // the candidates that may be drawn
    std::string left_because{};           // why there are none
};

// Removes the indices whose value is more than `slack` below the highest.
template <typename Value>
void keep_best(std::vector<std::size_t>& indices, double slack, Value value) {
    double highest = -std::numeric_limits<double>::infinity();
    for (const std::size_t i : indices)
        highest = std::max(highest, value(i));
    std::erase_if(indices, [&](std::size_t i) { return value(i) < highest - slack; });
}

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
    double best_pessimistic = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& c = candidates[i];
        const bool allowed =
            forced ? (c.flags & Always) != 0
                   : (c.flags & Never) == 0 && (c.evidence >= rule.min_evidence || asked_for(c));
        if (!allowed)
            continue;
        field.eligible.push_back(i);
        wanted = wanted || asked_for(c);
        best_pessimistic =
            std::max(best_pessimistic, c.mean - rule.pessimism / std::sqrt(c.evidence));
    }
    if (field.eligible.empty())
        return leave("too little is known about every move");
    if (best_pessimistic < rule.leave_below && !wanted)
        return leave("no move here has done well");
    keep_best(field.eligible, rule.slack, [&](std::size_t i) {
        return preferred_mean(rule, candidates[i]);
    });
    if (rule.temperature > 0)  // then also by popularity: nothing is drawn by exploration alone
        keep_best(
            field.eligible, rule.slack, [&](std::size_t i) { return centre(rule, candidates[i]); });
    return field;
}

// Replaces each draw by the probability that it is the highest after adding gumbel().
void softmax(std::vector<double>& drawn, double temperature) {
    const double highest = *std::max_element(drawn.begin(), drawn.end());
    double sum = 0;
    for (double& x : drawn) {
        x = temperature > 0 ? std::exp((x - highest) / temperature) : x == highest ? 1.0 : 0.0;
        sum += x;
    }
    for (double& x : drawn)
        x /= sum;
}

std::vector<double> normal_draws(std::size_t count) {
    Random random(1);
    std::vector<double> draws(count);
    std::generate(draws.begin(), draws.end(), [&random] { return random.normal(); });
    return draws;
}

}  // namespace

std::uint64_t Random::next() {
    const std::uint64_t number = engine::splitmix64(state_);
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

double Random::gumbel() {
    return -std::log(-std::log(1 - uniform()) + 1e-300);
}

ChoiceRule choice_rule(const Model& model, const ChoiceMode& mode) {
    constexpr int NarrowMoves = 3;
    constexpr double MinSlack = 0.004;
    const double variety = mode.variety / 50;
    const bool greedy =
        variety <= 0 || mode.spent >= variety * (mode.match ? model.match_budget : model.budget);
    const double narrowed =
        std::pow(model.narrowing, std::clamp(mode.own_move - 1, 0, NarrowMoves));
    const double share = greedy ? 0 : variety * narrowed * (mode.match ? model.match_share : 1);
    // Rounded as in a record, which then repeats the choice.
    const double temperature = rounded(model.temperature * share, MeanSteps);
    return {.deviation = rounded(share * model.width * model.sigma, MeanSteps),
            .slack = greedy ? 0 : std::max(MinSlack, rounded(model.slack * temperature, MeanSteps)),
            .leave_below = model.leave_below,
            .pessimism = rounded(Pessimism * model.sigma, MeanSteps),
            .min_evidence = model.min_evidence,
            .preference = model.preference,
            .temperature = temperature};
}

Choice choose(const ChoiceRule& rule, std::span<const Candidate> candidates, std::uint64_t seed) {
    const Field field = field_of(rule, candidates);
    Choice choice{.chosen = {}, .left_because = field.left_because, .draws = {}, .loss = 0};
    choice.draws.assign(candidates.size(), 0);
    if (field.eligible.empty())
        return choice;
    // Softmax and Thompson sampling among the moves within the slack of the best.
    Random random(seed);
    for (std::size_t i = 0; i < candidates.size(); ++i) {  // an excluded move changes no other draw
        choice.draws[i] =
            centre(rule, candidates[i]) + deviation(rule, candidates[i]) * random.normal();
        if (rule.temperature > 0)
            choice.draws[i] += rule.temperature * random.gumbel();
    }
    choice.chosen = *std::max_element(
        field.eligible.begin(), field.eligible.end(), [&](std::size_t a, std::size_t b) {
            return choice.draws[a] < choice.draws[b];
        });
    for (const std::size_t i : field.eligible)
        choice.loss = std::max(choice.loss,
                               preferred_mean(rule, candidates[i]) -
                                   preferred_mean(rule, candidates[*choice.chosen]));
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
    std::vector<double> drawn(eligible.size());
    for (std::size_t draw = 0; draw < Draws; ++draw) {
        for (std::size_t i = 0; i < eligible.size(); ++i) {
            const Candidate& c = candidates[eligible[i]];
            drawn[i] = centre(rule, c) + deviation(rule, c) * Normals[next++ % Normals.size()];
        }
        softmax(drawn, rule.temperature);
        for (std::size_t i = 0; i < eligible.size(); ++i)
            probabilities[eligible[i]] += drawn[i] / Draws;
    }
    return probabilities;
}

void round_for_record(std::vector<Candidate>& candidates) {
    for (Candidate& c : candidates) {
        c.mean = rounded(c.mean, MeanSteps);
        c.opponent_penalty = rounded(c.opponent_penalty, MeanSteps);
        c.evidence = std::max(rounded(c.evidence, EvidenceSteps), 0.001);
        c.popularity = std::max(rounded(c.popularity, MeanSteps), 1.0 / MeanSteps);
        c.lesson = rounded(c.lesson, MeanSteps);
    }
}

std::string to_text(const DrawRecord& r) {
    std::string text = fmt::format("{} {} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f}",
                                   r.ply,
                                   r.seed,
                                   r.rule.deviation,
                                   r.rule.slack,
                                   r.rule.leave_below,
                                   r.rule.pessimism,
                                   r.rule.min_evidence,
                                   r.rule.preference,
                                   r.rule.temperature);
    for (const Candidate& c : r.candidates)
        text += fmt::format(" | {} {:.6f} {:.3f} {:.6f} {} {:.6f} {:.6f}",
                            c.move,
                            c.mean,
                            c.evidence,
                            c.opponent_penalty,
                            c.flags,
                            c.popularity,
                            c.lesson);
    return text;
}

// Records of before 0.4.0 have neither temperature nor popularity, and later ones may lack the
// lessons.
std::optional<DrawRecord> draw_from_text(std::string_view text) {
    const auto part = [&text] {
        const std::string one(text.substr(0, text.find('|')));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        return std::istringstream(one);
    };
    const auto at_end = [](std::istringstream& in) { return (in >> std::ws).eof(); };
    DrawRecord r;
    ChoiceRule& rule = r.rule;
    std::istringstream head = part();
    if (!(head >> r.ply >> r.seed >> rule.deviation >> rule.slack >> rule.leave_below >>
          rule.pessimism >> rule.min_evidence >> rule.preference))
        return std::nullopt;
    if (!at_end(head) && (!(head >> rule.temperature) || !at_end(head)))
        return std::nullopt;
    while (!text.empty()) {
        Candidate c;
        std::istringstream in = part();
        if (!(in >> c.move >> c.mean >> c.evidence >> c.opponent_penalty >> c.flags))
            return std::nullopt;
        if (!at_end(in) && (!(in >> c.popularity) || c.popularity <= 0))
            return std::nullopt;
        if (!at_end(in) && (!(in >> c.lesson) || !at_end(in)))
            return std::nullopt;
        r.candidates.push_back(c);
    }
    return r;
}

}  // namespace book
