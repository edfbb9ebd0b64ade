#include "book/probe/probe.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace book {
namespace {

constexpr std::int64_t MinFindings = 2;  // searches that chose a move before the book plays it

// Own evidence at a position, summed over time classes: the query's in full, the others in part.
struct Pooled {
    Own own{};
    std::uint32_t bits = 0;
    bool visited = false;
};

Pooled pool(const Model& model,
            const Aging& aging,
            std::int64_t now,
            TimeClass time,
            const std::vector<std::pair<TimeClass, Node>>& nodes) {
    Pooled pooled;
    double value = 0;
    int best_depth = -1;
    for (const auto& [node_time, node] : nodes) {
        const Own own = own_of(node, aging, now);
        const double share = node_time == time ? 1 : model.other_class;
        pooled.visited = true;
        pooled.bits = node.bits;
        pooled.own.exits += share * own.exits;
        pooled.own.weight += share * own.weight;
        pooled.own.score += share * own.score;
        pooled.own.evidence += share * own.evidence;
        value += share * own.evidence * own.value;
        const int depth = node_time == time ? 1000 + node.cp_depth : node.cp_depth;
        if (own.exit_score && depth > best_depth) {
            pooled.own.exit_score = own.exit_score;
            best_depth = depth;
        }
    }
    if (pooled.own.evidence > 0)
        pooled.own.value = value / pooled.own.evidence;
    return pooled;
}

class ViewReader {
  public:
    ViewReader(const Layers& layers, const Model& model, const BookQuery& query)
        : layers_(layers), model_(model), query_(query) {}

    PositionView read() {
        for (Store* store : {layers_.base, layers_.original})
            if (store) {
                const ReadTransaction reading(store->db);
                read_layer(*store);
            }
        if (Store* own = layers_.experience) {
            const ReadTransaction reading(own->db);
            read_layer(*own);
            read_own_games(*own);
        }
        return make_view();
    }

  private:
    // The entry of a move; null if the move cannot be played.
    BookMove* find(StoredMove move) {
        const auto [known, is_new] = moves_.try_emplace(move);
        BookMove& entry = known->second;
        if (is_new) {
            entry.move = move;
            entry.child = query_.child(move).value_or(0);
        }
        return entry.child != 0 ? &entry : nullptr;
    }

    void read_layer(Store& store) {
        for (const Edge& edge : store.positions.edges(query_.key))
            if (BookMove* move = find(edge.move)) {
                const Results results = results_for(edge, query_.side);
                move->imported.wins += results.wins;
                move->imported.draws += results.draws;
                move->imported.losses += results.losses;
                move->imported_games += edge.games();
                move->rated += edge.rated;
                move->ratings += edge.ratings;
                move->last_year = std::max(move->last_year, edge.last);
            }
        for (const Analysis& analysis : store.positions.analyses(query_.key))
            if (BookMove* move = find(analysis.move);
                move && (!move->analysed || analysis.depth >= move->analysis.depth)) {
                move->analysed = true;
                move->analysis = analysis;
            }
        for (const auto& [stored, flags] : store.positions.flags(query_.key))
            if (BookMove* move = find(stored))
                move->flags = flags;
    }

    void read_own_games(Store& store) {
        const Aging aging = store.aging(model_);
        const std::int64_t now = store.clock();
        const auto pool_at = [&](Key key) {
            return pool(model_, aging, now, query_.time, store.positions.nodes(key, query_.side));
        };
        here_ = pool_at(query_.key);
        if (here_.visited && here_.bits != query_.bits) {
            view_.foreign = true;
            moves_.clear();
            return;
        }
        for (const auto& [time, visit] : store.positions.visits(query_.key, query_.side))
            if (BookMove* move = find(visit.move)) {
                move->visits += visit.visits;
                move->exits += visit.exits;
                move->wins += visit.wins;
                move->draws += visit.draws;
                move->losses += visit.losses;
            }
        const bool penalise = query_.opponent != 0 && opponent_is_suspicious(store);
        for (auto& [stored, move] : moves_) {
            if (move.child == 0)
                continue;
            children_[stored] = pool_at(move.child);
            if (penalise)
                move.opponent_penalty =
                    opponent_penalty(model_, store.opponents.losses(query_.opponent, move.child));
        }
    }

    bool opponent_is_suspicious(Store& store) const {
        const std::optional<OpponentRecord> opponent = store.opponents.get(query_.opponent);
        return opponent && is_suspicious(model_, *opponent);
    }

    // The prior of the moves: the backed-up value or, without own games, the imported results.
    double position_value() const {
        if (here_.own.evidence > 0)
            return here_.own.value;
        double games = 0, score = 0;
        for (const auto& [stored, move] : moves_) {
            games += move.imported.games();
            score += move.imported.wins + move.imported.draws / 2;
        }
        return (score + 10) / (games + 20);
    }

    Belief belief_of(const BookMove& move) {
        std::optional<double> analysed;
        if (move.analysed)
            analysed = analysed_score(move.analysis, query_.side);
        // A move that only searches at the exit have chosen has the results of the exit so far.
        const bool only_at_exit = move.visits == 0 && move.exits > 0;
        const Own& own = only_at_exit ? here_.own : children_[move.move].own;
        const Belief before = prior(model_, move.imported, analysed, own);
        return only_at_exit ? with_exits(model_, before, own) : posterior(model_, before, own);
    }

    PositionView make_view() {
        view_.value = position_value();
        view_.visited = here_.visited;
        for (auto& [stored, move] : moves_) {
            if (move.child == 0)
                continue;
            move.belief = belief_of(move);
            move.mean = move.belief.mean(model_, view_.value);
            view_.moves.push_back(move);
        }
        std::stable_sort(view_.moves.begin(),
                         view_.moves.end(),
                         [](const BookMove& a, const BookMove& b) { return a.mean > b.mean; });
        return std::move(view_);
    }

    const Layers& layers_;
    const Model& model_;
    const BookQuery& query_;
    std::map<StoredMove, BookMove> moves_;  // child 0: illegal here
    std::map<StoredMove, Pooled> children_;
    Pooled here_;
    PositionView view_;
};

// True if the book's moves were played often enough, and searches asked seldom enough, that a
// search may look for a better move.
bool is_look_due(const Model& model, const PositionView& view) {
    std::int64_t visits = 0, exits = 0;
    for (const BookMove& move : view.moves) {
        visits += move.visits;
        exits += move.exits;
    }
    return exits < model.looks && visits >= model.look_after * (exits + 1);
}

Candidate to_candidate(const BookMove& move) {
    return {.move = move.move,
            .mean = move.mean,
            .evidence = move.belief.evidence,
            .opponent_penalty = move.opponent_penalty,
            .flags = move.flags};
}

// The rule and the candidates, as choose() gets them. `moves` are indices of the view's moves.
DrawRecord record_of(const Model& model,
                     const ChoiceTerms& terms,
                     const PositionView& view,
                     const std::vector<std::size_t>& moves) {
    DrawRecord record{.ply = terms.ply,
                      .seed = terms.seed,
                      .rule = choice_rule(model, terms.match, terms.spent),
                      .candidates = {}};
    if (!terms.may_leave) {
        record.rule.leave_below = -1;
        record.rule.min_evidence = 0;
    } else if (!terms.match && is_look_due(model, view)) {
        record.rule.leave_below = model.look_below;
        record.rule.pessimism = 0;
    }
    for (const std::size_t i : moves)
        record.candidates.push_back(to_candidate(view.moves[i]));
    round_for_record(record.candidates);
    return record;
}

}  // namespace

std::function<std::optional<Key>(StoredMove)> children_of(const engine::Position& pos) {
    return [pos](StoredMove stored) -> std::optional<Key> {
        const Move m = stored_move(stored);
        if (mover(stored) != pos.side_to_move() || !pos.is_legal(m))
            return std::nullopt;
        engine::Position after = pos;
        after.make(m);
        return after.key();
    };
}

int ply_of(const engine::Position& pos) {
    return 2 * (pos.fullmove_number() - 1) + (pos.side_to_move() == engine::Black ? 1 : 0);
}

BookQuery query_of(const engine::Position& pos, Color side, TimeClass time) {
    return {.key = pos.key(),
            .bits = check_bits(pos),
            .side = side,
            .time = time,
            .opponent = 0,
            .child = children_of(pos)};
}

PositionView view(const Layers& layers, const Model& model, const BookQuery& query) {
    return ViewReader(layers, model, query).read();
}

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
        const DrawRecord record = record_of(model, terms, view, moves);
        const std::vector<double> found = play_probabilities(record.rule, record.candidates);
        for (std::size_t i = 0; i < moves.size(); ++i)
            view.moves[moves[i]].probability = found[i];
    } else {
        double sum = 0;
        for (BookMove& move : view.moves) {
            move.probability =
                static_cast<double>(move.visits) +
                model.imported_replies * std::sqrt(static_cast<double>(move.imported_games));
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

MoveChoice choose_move(const Layers& layers,
                       const Model& model,
                       const BookQuery& query,
                       const ChoiceTerms& terms) {
    const PositionView seen = view(layers, model, query);
    const std::vector<std::size_t> moves = candidate_indices(seen, terms.min_games);
    DrawRecord record = record_of(model, terms, seen, moves);
    Choice choice = choose(record.rule, record.candidates, record.seed);
    MoveChoice result{.chosen = {},
                      .loss = choice.loss,
                      .record = std::move(record),
                      .left_because = std::move(choice.left_because)};
    if (choice.chosen)
        result.chosen = seen.moves[moves[*choice.chosen]];
    return result;
}

}  // namespace book
