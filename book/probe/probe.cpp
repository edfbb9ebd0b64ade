#include "book/probe/probe.h"

#include "book/model/exploration.h"

#include <algorithm>
#include <cmath>

namespace book {
namespace {

// `moves` without those that rest in some games at our first move, so that other openings are
// learned, too: moves that repeat games against this opponent, or were played in nearly all games.
// Nothing if no move rests or no other one is good enough.
std::optional<std::vector<std::size_t>> without_resting(const Model& model,
                                                        const PositionView& seen,
                                                        const ChoiceTerms& terms,
                                                        std::vector<std::size_t> moves) {
    constexpr int FirstMove = 2;  // plies
    constexpr double NearlyAll = 0.8;
    constexpr std::int64_t FewGames = 10;
    std::int64_t games = 0;
    for (const BookMove& move : seen.moves)
        games += move.visits;
    const auto rests = [&](std::size_t i) {
        const BookMove& move = seen.moves[i];
        const bool usual = games > FewGames && static_cast<double>(move.visits) >
                                                   NearlyAll * static_cast<double>(games);
        return (move.repeated >= 1 || usual) && (move.flags & (Always | Prefer)) == 0;
    };
    const auto is_better_left = [&](std::size_t i) {
        const BookMove& move = seen.moves[i];
        return rests(i) || (move.flags & Never) != 0 || move.mean < model.leave_below;
    };
    if (terms.match || terms.ply >= FirstMove || std::none_of(moves.begin(), moves.end(), rests) ||
        std::all_of(moves.begin(), moves.end(), is_better_left))
        return std::nullopt;
    std::erase_if(moves, rests);
    return moves;
}

// The moves that may be played this time.
std::vector<std::size_t>
moves_to_draw(const Model& model, const PositionView& seen, const ChoiceTerms& terms) {
    constexpr std::uint64_t Mask = 0x5EED'0F0F'2ECE'A7ED;  // separate from the draw's stream
    const std::vector<std::size_t> moves = candidate_indices(seen, terms.min_games);
    const std::optional<std::vector<std::size_t>> others =
        without_resting(model, seen, terms, moves);
    return others && Random(terms.seed ^ Mask).uniform() < model.repeat_rest ? *others : moves;
}

// True if the book's moves were played often enough, and searches asked seldom enough, that a
// search may look for a better move than `best`. If `best` was never played, it may itself be the
// better move.
bool is_look_due(const Model& model, const PositionView& view, const BookMove& best) {
    if (best.visits == 0)
        return false;
    std::int64_t visits = 0, exits = 0;
    for (const BookMove& move : view.moves) {
        visits += move.visits;
        exits += move.exits;
    }
    return visits >= std::max<std::int64_t>(model.look_after, exits + 1) * (exits + 1);
}

// The value below which the search may look for a better move.
double look_below(const Model& model, const PositionView& view) {
    return view.analysed ? *view.analysed - model.look_margin : model.look_below;
}

// True if the search instead of the book has over twice the nodes of all analyses here.
bool is_search_longer(const PositionView& view, const ChoiceTerms& terms) {
    std::int64_t nodes = 0;
    for (const BookMove& move : view.moves)
        nodes += move.analysed ? move.analysis.nodes : 0;
    return terms.may_leave && 2 * nodes < terms.expected_nodes;
}

bool yields_to_search(const BookMove& move, const ChoiceTerms& terms) {
    return move.untested && stored_move(move.move).to() != terms.moved_last;
}

// Popularity relative to the most played move; it fades as own results come in.
double popularity(const BookMove& move, std::int64_t most_games) {
    constexpr double HalfGames = 10;  // own finished games that halve the logarithm
    const auto own = static_cast<double>(move.finished());
    return std::exp(-rarity(move.imported_games, most_games) * HalfGames / (HalfGames + own));
}

Candidate to_candidate(const BookMove& move) {
    return {.move = move.move,
            .mean = move.mean,
            .evidence = move.belief.evidence,
            .opponent_penalty = move.opponent_penalty,
            .flags = move.flags};
}

// Exploration, except against an opponent who repeats games here: there winning lines are repeated,
// and moves_to_draw() varies the openings.
void explore(const Model& model,
             const PositionView& view,
             const std::vector<std::size_t>& moves,
             std::vector<Candidate>& candidates) {
    double games = 0;
    for (const BookMove& move : view.moves) {
        if ((move.flags & Never) != 0)
            continue;
        if (move.repeated > 0)
            return;
        games += static_cast<double>(move.visits);
    }
    std::vector<double> tried;
    for (const std::size_t i : moves)
        tried.push_back(static_cast<double>(view.moves[i].visits));
    add_lessons(model, games, tried, candidates);
}

// The rule and the candidates, as choose() gets them. `moves` are indices of the view's moves.
DrawRecord record_of(const Model& model,
                     const ChoiceTerms& terms,
                     const PositionView& view,
                     const std::vector<std::size_t>& moves) {
    DrawRecord record{.ply = terms.ply,
                      .seed = terms.seed,
                      .rule = choice_rule(model,
                                          {.match = terms.match,
                                           .spent = terms.spent,
                                           .own_move = terms.ply / 2 + 1,
                                           .variety = terms.variety}),
                      .candidates = {}};
    if (!terms.may_leave) {
        record.rule.leave_below = -1;
        record.rule.min_evidence = 0;
    } else if (!terms.match && !moves.empty() &&
               is_look_due(model, view, view.moves[moves.front()])) {
        record.rule.leave_below = look_below(model, view);
        record.rule.pessimism = 0;
    }
    std::int64_t most = 0;
    for (const std::size_t i : moves)
        if ((view.moves[i].flags & Never) == 0)
            most = std::max(most, view.moves[i].imported_games);
    for (const std::size_t i : moves) {
        record.candidates.push_back(to_candidate(view.moves[i]));
        record.candidates.back().popularity = popularity(view.moves[i], most);
    }
    if (!terms.match && terms.variety > 0)
        explore(model, view, moves, record.candidates);
    round_for_record(record.candidates);
    return record;
}

}  // namespace

std::vector<std::size_t> candidate_indices(const PositionView& view, std::int64_t min_games) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < view.moves.size(); ++i) {
        const BookMove& move = view.moves[i];
        if (move.imported_games + move.visits >= std::max<std::int64_t>(1, min_games) ||
            move.analysed || (move.flags & (Always | Prefer)) != 0 || move.exits >= MinFindings)
            found.push_back(i);
    }
    return found;
}

void add_probabilities(const Model& model,
                       bool ours,
                       const ChoiceTerms& terms,
                       PositionView& view) {
    if (ours) {
        for (BookMove& move : view.moves)
            move.probability = 0;
        const std::vector<std::size_t> moves = candidate_indices(view, terms.min_games);
        const bool longer = is_search_longer(view, terms);
        const auto add = [&](const std::vector<std::size_t>& drawn, double share) {
            const DrawRecord record = record_of(model, terms, view, drawn);
            const std::vector<double> found = play_probabilities(record.rule, record.candidates);
            for (std::size_t i = 0; i < drawn.size(); ++i)
                if (BookMove& move = view.moves[drawn[i]];
                    !longer || !yields_to_search(move, terms))
                    move.probability += share * found[i];
        };
        const auto others = without_resting(model, view, terms, moves);
        add(moves, others ? 1 - model.repeat_rest : 1);
        if (others)
            add(*others, model.repeat_rest);
    } else {
        double sum = 0;
        for (BookMove& move : view.moves) {
            move.probability = reply_frequency(model, move);
            sum += move.probability;
        }
        for (BookMove& move : view.moves)
            move.probability /= sum > 0 ? sum : 1;
    }
    std::stable_sort(
        view.moves.begin(), view.moves.end(), [](const BookMove& a, const BookMove& b) {
            return a.probability != b.probability ? a.probability > b.probability : a.mean > b.mean;
        });
}

namespace {

// The candidates that own games have tried and that did badly: below the score at which a search
// may look for another move. And the moves marked never.
TriedMoves tried_moves(const Model& model,
                       const PositionView& view,
                       const std::vector<std::size_t>& candidates,
                       const ChoiceRule& rule) {
    TriedMoves tried;
    double best = 0;
    for (const std::size_t i : candidates) {
        const BookMove& move = view.moves[i];
        const double mean = move.mean - move.opponent_penalty;
        if ((move.flags & (Always | Prefer | Never)) != 0 || move.finished() == 0 ||
            move.belief.evidence < rule.min_evidence ||
            mean >= std::max(rule.leave_below, model.look_below))
            continue;
        tried.moves.push_back(stored_move(move.move));
        if (!tried.best || mean > best) {
            tried.best = tried.moves.back();
            best = mean;
        }
    }
    // An unknown move has the mean of its search score and this position's value, by evidence.
    if (tried.best)
        tried.to_beat = best + model.parent / model.exit * (best - view.value);
    for (const BookMove& move : view.moves)
        if ((move.flags & Never) != 0)
            tried.moves.push_back(stored_move(move.move));
    return tried;
}

}  // namespace

double expected_score(const PositionView& view) {
    double sum = 0, weights = 0;
    for (const BookMove& move : view.moves) {
        sum += move.probability * move.mean;
        weights += move.probability;
    }
    return weights > 0 ? sum / weights : view.value;
}

MoveChoice choose_move(const Layers& layers,
                       const Model& model,
                       const BookQuery& query,
                       const ChoiceTerms& terms) {
    const PositionView seen = view(layers, model, query);
    const std::vector<std::size_t> moves = moves_to_draw(model, seen, terms);
    DrawRecord record = record_of(model, terms, seen, moves);
    Choice choice = choose(record.rule, record.candidates, record.seed);
    MoveChoice result{.chosen = {},
                      .loss = choice.loss,
                      .record = std::move(record),
                      .left_because = std::move(choice.left_because),
                      .tried = {}};
    if (!choice.chosen) {
        result.tried = tried_moves(model, seen, moves, result.record.rule);
        return result;
    }
    const BookMove& chosen = seen.moves[moves[*choice.chosen]];
    if (is_search_longer(seen, terms) && yields_to_search(chosen, terms)) {
        result.loss = 0;
        result.left_because = "the clock allows a longer search than the one in the book";
        result.tried = tried_moves(model, seen, {}, result.record.rule);
    } else {
        result.chosen = chosen;
    }
    return result;
}

}  // namespace book
