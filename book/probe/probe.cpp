#include "book/probe/probe.h"

#include "book/probe/polyglot_book.h"

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

std::int64_t finished_games(const BookMove& move) {
    return move.wins + move.draws + move.losses;
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
        for (Store* store : layers_.further) {
            const ReadTransaction reading(store->db);
            read_layer(*store);
        }
        for (PolyglotBook* other : layers_.polyglot)
            read_polyglot(*other);
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
                move->untested = move->untested && &store == layers_.base;
            }
        for (const Analysis& analysis : store.positions.analyses(query_.key))
            if (BookMove* move = find(analysis.move);
                move && (!move->analysed || analysis.depth >= move->analysis.depth)) {
                move->analysed = true;
                move->analysis = analysis;
            }
        for (const auto& [stored, flags] : store.positions.flags(query_.key))
            if (BookMove* move = find(stored)) {
                move->flags = flags;
                move->untested = move->untested && flags == 0;
            }
    }

    // As the importer takes them: a weight says how often a move was played, but not how it scored.
    void read_polyglot(PolyglotBook& other) {
        const auto is_legal = [this](StoredMove move) { return query_.child(move).has_value(); };
        for (const PolyglotBook::Entry& entry : other.moves(query_.key, is_legal))
            if (BookMove* move = find(entry.move)) {
                const int games = std::max(1, entry.weight / 2);
                move->imported.draws += games;
                move->imported_games += games;
                move->untested = false;
            }
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
                move->untested =
                    move->untested && move->exits < MinFindings && finished_games(*move) == 0;
            }
        const bool penalise = query_.opponent != 0 && opponent_is_suspicious(store);
        for (auto& [stored, move] : moves_) {
            if (move.child == 0)
                continue;
            children_[stored] = pool_at(move.child);
            if (mover(stored) == query_.side)
                repeats_[stored] = repeats_at(store, move.child, aging.growth(now));
            if (penalise)
                move.opponent_penalty =
                    opponent_penalty(model_, store.opponents.losses(query_.opponent, move.child));
        }
    }

    // What was won or lost by repetition against this opponent after one of our moves.
    ResultSums repeats_at(Store& store, Key child, double growth) const {
        ResultSums sums;
        for (const OpponentRepeat& r :
             store.opponents.repeats(query_.opponent, child, query_.side)) {
            const double share = (r.position.time == query_.time ? 1 : model_.other_class) / growth;
            sums.weight += model_.repeat_weight * share * r.sums.weight;
            sums.score += model_.repeat_weight * share * r.sums.score;
        }
        const double part = sums.weight > model_.repeat_cap ? model_.repeat_cap / sums.weight : 1;
        return {.weight = part * sums.weight, .score = part * sums.score};
    }

    bool opponent_is_suspicious(Store& store) const {
        const std::optional<OpponentRecord> opponent = store.opponents.get(query_.opponent);
        return opponent && is_suspicious(model_, *opponent);
    }

    // The prior of the moves: the backed-up value or, without own games, the imported results; with
    // neither, the best analysed move of the side to move.
    [[nodiscard]] double position_value() const {
        if (here_.own.evidence > 0)
            return here_.own.value;
        double games = 0, score = 0;
        for (const auto& [stored, move] : moves_) {
            games += move.imported.games();
            score += move.imported.wins + move.imported.draws / 2;
        }
        if (games == 0)
            if (const std::optional<double> best = best_analysed())
                return *best;
        return (score + 10) / (games + 20);
    }

    // The value of the best analysed move, by the view of its mover; ours, 0..1.
    [[nodiscard]] std::optional<double> best_analysed() const {
        std::optional<double> best;
        for (const auto& [stored, move] : moves_) {
            if (move.child == 0 || !move.analysed)
                continue;
            const double score = analysed_score(move.analysis, query_.side).score;
            const bool ours = mover(stored) == query_.side;
            if (!best || (ours ? score > *best : score < *best))
                best = score;
        }
        return best;
    }

    Belief belief_of(const BookMove& move) {
        std::optional<SearchScore> analysed;
        if (move.analysed)
            analysed = analysed_score(move.analysis, query_.side);
        // A move that only searches at the exit have chosen has the results of the exit so far.
        const bool only_at_exit = move.visits == 0 && move.exits > 0;
        const Own& own = only_at_exit ? here_.own : children_[move.move].own;
        const Belief before = prior(model_, move.imported, analysed, own);
        Belief belief =
            only_at_exit ? with_exits(model_, before, own) : posterior(model_, before, own);
        return belief;
    }

    // What repeats itself is better evidence than all other games.
    void add_repeats(BookMove& move, const ResultSums& repeats) const {
        move.repeated = repeats.weight;
        if (repeats.weight <= 0)
            return;
        const double others = std::min(move.belief.evidence, model_.repeat_prior);
        move.belief.evidence = others + repeats.weight;
        move.mean = (others * move.mean + repeats.score) / move.belief.evidence;
    }

    PositionView make_view() {
        view_.value = position_value();
        view_.visited = here_.visited;
        view_.analysed = best_analysed();
        for (auto& [stored, move] : moves_) {
            if (move.child == 0)
                continue;
            move.belief = belief_of(move);
            move.mean = move.belief.mean(model_, view_.value);
            add_repeats(move, repeats_[stored]);
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
    std::map<StoredMove, ResultSums> repeats_;
    Pooled here_;
    PositionView view_;
};

// The moves that may be played this time. In some games what was won by repeating games against
// this opponent is set aside at our first move: so another opening is learned and kept.
std::vector<std::size_t>
moves_to_draw(const Model& model, const PositionView& seen, const ChoiceTerms& terms) {
    std::vector<std::size_t> moves = candidate_indices(seen, terms.min_games);
    constexpr std::uint64_t Mask = 0x5EED'0F0F'2ECE'A7ED;  // a stream apart from the draw's
    constexpr int FirstMove = 2;                           // plies
    const auto is_set_aside = [&seen](std::size_t i) {
        return seen.moves[i].repeated >= 1 && (seen.moves[i].flags & (Always | Prefer)) == 0;
    };
    const auto is_better_left = [&](std::size_t i) {
        const BookMove& move = seen.moves[i];
        return is_set_aside(i) || (move.flags & Never) != 0 || move.mean < model.leave_below;
    };
    if (!terms.match && terms.ply < FirstMove &&
        Random(terms.seed ^ Mask).uniform() < model.repeat_rest &&
        !std::all_of(moves.begin(), moves.end(), is_better_left))
        std::erase_if(moves, is_set_aside);
    return moves;
}

// True if the book's moves were played often enough, and searches asked seldom enough, that a
// search may look for a better move than `best`. If that was never played, it may be the one.
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

// True if a search instead of the book is more than twice as long as all those behind the moves.
bool is_search_longer(const PositionView& view, const ChoiceTerms& terms) {
    std::int64_t nodes = 0;
    for (const BookMove& move : view.moves)
        nodes += move.analysed ? move.analysis.nodes : 0;
    return terms.may_leave && 2 * nodes < terms.expected_nodes;
}

bool yields_to_search(const BookMove& move, const ChoiceTerms& terms) {
    return move.untested && stored_move(move.move).to() != terms.moved_last;
}

// Compared with the most played move; as own results come in, these count instead.
double popularity(const BookMove& move, std::int64_t most_games) {
    constexpr double HalfGames = 10;  // own finished games that halve the logarithm
    const auto own = static_cast<double>(finished_games(move));
    const double share =
        static_cast<double>(move.imported_games + 1) / static_cast<double>(most_games + 1);
    return std::pow(share, HalfGames / (HalfGames + own));
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
        most = std::max(most, view.moves[i].imported_games);
    for (const std::size_t i : moves) {
        record.candidates.push_back(to_candidate(view.moves[i]));
        record.candidates.back().popularity = popularity(view.moves[i], most);
    }
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
        const bool longer = is_search_longer(view, terms);
        for (std::size_t i = 0; i < moves.size(); ++i)
            if (BookMove& move = view.moves[moves[i]]; !longer || !yields_to_search(move, terms))
                move.probability = found[i];
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

namespace {

// Of the candidates, which own games have tried, those below what a search may look for.
TriedMoves tried_moves(const Model& model,
                       const PositionView& view,
                       const std::vector<std::size_t>& candidates,
                       const ChoiceRule& rule) {
    TriedMoves tried;
    double best = 0;
    for (const std::size_t i : candidates) {
        const BookMove& move = view.moves[i];
        const double mean = move.mean - move.opponent_penalty;
        if ((move.flags & (Always | Prefer | Never)) != 0 || finished_games(move) == 0 ||
            move.belief.evidence < rule.min_evidence ||
            mean >= std::max(rule.leave_below, model.look_below))
            continue;
        tried.moves.push_back(stored_move(move.move));
        if (!tried.best || mean > best) {
            tried.best = tried.moves.back();
            best = mean;
        }
    }
    // An unknown move is worth the mean of its search score and of this position's value.
    if (tried.best)
        tried.to_beat = best + model.parent / model.exit * (best - view.value);
    for (const BookMove& move : view.moves)
        if ((move.flags & Never) != 0)
            tried.moves.push_back(stored_move(move.move));
    return tried;
}

}  // namespace

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
        result.left_because = "the clock allows a longer search than the book's";
        result.tried = tried_moves(model, seen, {}, result.record.rule);
    } else {
        result.chosen = chosen;
    }
    return result;
}

}  // namespace book
