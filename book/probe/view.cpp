#include "book/probe/view.h"

#include "book/probe/polyglot_book.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace book {
namespace {

// Own evidence at a position, summed over books and time classes.
struct Pooled {
    Own own{};
    bool visited = false;
    double value_sum = 0;  // of evidence * value
    int exit_depth = -1;   // of the exit's score
};

// Own games of one book.
struct OwnBook {
    Store* store = nullptr;
    Aging aging{};
    std::int64_t now = 0;     // its clock
    std::int64_t latest = 0;  // that of the latest game through the position
};

// Adds what one book knows at a position: of the query's time class in full, of others in part.
void add_nodes(const Model& model,
               const OwnBook& book,
               TimeClass time,
               const std::vector<std::pair<TimeClass, Node>>& nodes,
               Pooled& pooled) {
    for (const auto& [node_time, node] : nodes) {
        const Own own = own_of(node, book.aging, book.now);
        const double share = node_time == time ? 1 : model.other_class;
        pooled.visited = true;
        pooled.own.exits += share * own.exits;
        pooled.own.weight += share * own.weight;
        pooled.own.score += share * own.score;
        pooled.own.evidence += share * own.evidence;
        pooled.value_sum += share * own.evidence * own.value;
        const int depth = node_time == time ? 1000 + node.cp_depth : node.cp_depth;
        if (own.exit_score && depth > pooled.exit_depth) {
            pooled.own.exit_score = own.exit_score;
            pooled.exit_depth = depth;
        }
    }
    if (pooled.own.evidence > 0)
        pooled.own.value = pooled.value_sum / pooled.own.evidence;
}

class ViewReader {
  public:
    ViewReader(const Layers& layers, const Model& model, const BookQuery& query)
        : layers_(layers), model_(model), query_(query) {}

    PositionView read() {
        const std::vector<ReadTransaction> reading = begin_reading(layers_);
        const auto read_if_any = [this](Store* store) {
            if (store)
                read_layer(*store);
        };
        read_if_any(layers_.base);
        for (Store* store : layers_.further)
            read_layer(*store);
        read_if_any(layers_.original);  // the user's own marks replace those before
        for (PolyglotBook* other : layers_.polyglot)
            read_polyglot(*other);
        read_if_any(layers_.experience);
        read_own_games();
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
                if (&store == layers_.base)
                    move->base_weight += edge.unknown;
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

    // Counted as by the importer: a weight says how often a move was played, not how it scored.
    void read_polyglot(PolyglotBook& other) {
        const auto is_legal = [this](StoredMove move) { return query_.child(move).has_value(); };
        for (const PolyglotBook::KnownMove& known : other.moves(query_.key, is_legal))
            if (BookMove* move = find(known.move)) {
                const int games = std::max(1, known.weight / 2);
                move->imported.draws += games;
                move->imported_games += games;
                move->untested = false;
            }
    }

    // Own games of further books count nearly as if merged into the user's book; but a search score
    // at the same exit counts once in each book.
    void read_own_games() {
        std::vector<OwnBook> books;
        for (Store* store : layers_.further_games)
            add_book(*store, books);
        if (layers_.experience && !add_book(*layers_.experience, books)) {
            view_.foreign = true;
            here_ = {};
            moves_.clear();
            return;
        }
        for (const OwnBook& book : books)
            read_visits(book);
        for (auto& [stored, move] : moves_)
            if (move.child != 0)
                for (const OwnBook& book : books)
                    add_nodes(model_,
                              book,
                              query_.time,
                              book.store->positions.nodes(move.child, query_.side),
                              children_[stored]);
        if (layers_.experience)
            read_opponent(books.back());
    }

    // Adds a book and what it knows here; false on a key collision.
    bool add_book(Store& store, std::vector<OwnBook>& books) {
        OwnBook book{.store = &store, .aging = store.aging(model_), .now = store.clock()};
        const auto nodes = store.positions.nodes(query_.key, query_.side);
        for (const auto& [time, node] : nodes) {
            if (node.bits != query_.bits)
                return false;
            book.latest = std::max(book.latest, node.clock);
        }
        add_nodes(model_, book, query_.time, nodes, here_);
        books.push_back(book);
        return true;
    }

    void read_visits(const OwnBook& book) {
        for (const auto& [time, visit] : book.store->positions.visits(query_.key, query_.side))
            if (BookMove* move = find(visit.move)) {
                move->visits += visit.visits;
                move->visit_weight += visit.weight / book.aging.growth(book.latest);
                move->exits += visit.exits;
                move->wins += visit.wins;
                move->draws += visit.draws;
                move->losses += visit.losses;
                move->untested =
                    move->untested && move->exits < MinFindings && move->finished() == 0;
            }
    }

    // Reads what the user's own games show of the query's opponent.
    void read_opponent(const OwnBook& book) {
        Store& store = *book.store;
        const bool penalise = query_.opponent != 0 && opponent_is_suspicious(store);
        for (auto& [stored, move] : moves_) {
            if (move.child == 0 || mover(stored) != query_.side)
                continue;
            repeats_[stored] = repeats_at(store, move.child, book.aging.growth(book.now));
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

    // The prior of the moves: the backed-up value or, without own games, the imported results and
    // the best analysed move of the side to move.
    [[nodiscard]] double position_value() const {
        if (here_.own.evidence > 0)
            return here_.own.value;
        double games = 0, score = 0;
        for (const auto& [stored, move] : moves_) {
            games += move.imported.games();
            score += move.imported.wins + move.imported.draws / 2;
        }
        const double mean = (score + 10) / (games + 20);
        const std::optional<SearchScore> best = best_analysed();
        if (!best)
            return mean;
        const double told = import_worth(model_, games), searched = best->worth(model_);
        return (told * mean + searched * best->score) / (told + searched);
    }

    // The score, ours, of the analysed move that is best for its mover.
    [[nodiscard]] std::optional<SearchScore> best_analysed() const {
        std::optional<SearchScore> best;
        for (const auto& [stored, move] : moves_) {
            if (move.child == 0 || !move.analysed)
                continue;
            const SearchScore found = analysed_score(move.analysis, query_.side);
            const bool ours = mover(stored) == query_.side;
            if (!best || (ours ? found.score > best->score : found.score < best->score))
                best = found;
        }
        return best;
    }

    Belief belief_of(const BookMove& move) {
        std::optional<SearchScore> analysed;
        if (move.analysed)
            analysed = analysed_score(move.analysis, query_.side);
        // A move that was only played at the exit, by a search, has the results of the exit so far.
        const bool only_at_exit = move.visits == 0 && move.exits > 0;
        const Own& own = only_at_exit ? here_.own : children_[move.move].own;
        const Belief before = prior(model_, move.imported, analysed, own);
        return only_at_exit ? with_exits(model_, before, own) : posterior(model_, before, own);
    }

    // Repeated games are better evidence than all other games.
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
        if (const std::optional<SearchScore> best = best_analysed())
            view_.analysed = best->score;
        std::int64_t most = 0;
        for (const auto& [stored, move] : moves_)
            most = std::max(most, move.child != 0 ? move.imported_games : 0);
        for (auto& [stored, move] : moves_) {
            if (move.child == 0)
                continue;
            if (mover(stored) == query_.side)
                move.imported.rarity = rarity(move.imported_games, most);
            move.belief = belief_of(move);
            move.mean = move.belief.mean(view_.value);
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

// What is known two plies further on. A value backed up is the mean over all games so far, also of
// those that went on worse than we would now, and misses what other moves have taught.
class LookAhead {
  public:
    LookAhead(const Layers& layers, const Model& model) : layers_(layers), model_(model) {}

    // Moves the means of our moves towards what we expect after the replies. Not where games
    // against this opponent were repeated, which say more, and not without imported games, where it
    // gained nothing in the worlds of the benchmark.
    void correct(const BookQuery& query, std::vector<BookMove>& moves) const {
        const auto any = [&moves](auto has) {
            return std::any_of(moves.begin(), moves.end(), has);
        };
        if (any([](const BookMove& m) { return m.repeated > 0; }) ||
            !any([](const BookMove& m) { return m.imported.games() > 0; }))
            return;
        for (BookMove& move : moves)
            if (mover(move.move) == query.side)
                if (const auto value = value_after_replies(after(query, move)))
                    move.mean += model_.look_ahead * (*value - move.mean);
        std::stable_sort(moves.begin(), moves.end(), [](const BookMove& a, const BookMove& b) {
            return a.mean > b.mean;
        });
    }

  private:
    [[nodiscard]] PositionView read(const BookQuery& query) const {
        return ViewReader(layers_, model_, query).read();
    }
    static BookQuery after(const BookQuery& query, const BookMove& move) {
        BookQuery next = query.after(move.move);
        next.opponent = query.opponent;
        return next;
    }

    // Nothing if the replies have no imported games.
    [[nodiscard]] std::optional<double> value_after_replies(const BookQuery& query) const {
        double frequency = 0, sum = 0, imported = 0;
        for (const BookMove& reply : read(query).moves) {
            const double games = reply_frequency(model_, reply);
            frequency += games;
            sum += games > 0 ? games * value_after(query, reply) : 0;
            imported += reply.imported.games();
        }
        return imported > 0 && frequency > 0 ? std::optional(sum / frequency) : std::nullopt;
    }

    // Our expected score with our best move after a reply.
    [[nodiscard]] double value_after(const BookQuery& query, const BookMove& reply) const {
        if (!was_visited(reply.child, query.side))
            return reply.mean;
        std::optional<double> best;
        for (const BookMove& move : read(after(query, reply)).moves)
            if ((move.flags & Never) == 0)
                best = std::max(best.value_or(0), move.mean - move.opponent_penalty);
        return best.value_or(reply.mean);
    }

    [[nodiscard]] bool was_visited(Key key, Color side) const {
        const auto knows = [&](Store* s) { return !s->positions.nodes(key, side).empty(); };
        return (layers_.experience && knows(layers_.experience)) ||
               std::any_of(layers_.further_games.begin(), layers_.further_games.end(), knows);
    }

    const Layers& layers_;
    const Model& model_;
};

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
    BookQuery query{.key = pos.key(),
                    .bits = check_bits(pos),
                    .side = side,
                    .time = time,
                    .opponent = 0,
                    .child = children_of(pos)};
    query.after = [pos, side, time](StoredMove stored) {
        engine::Position after = pos;
        after.make(stored_move(stored));
        return query_of(after, side, time);
    };
    return query;
}

PositionView view(const Layers& layers, const Model& model, const BookQuery& query) {
    PositionView seen = ViewReader(layers, model, query).read();
    if (query.after && model.look_ahead > 0)
        LookAhead(layers, model).correct(query, seen.moves);
    return seen;
}

double reply_frequency(const Model& model, const BookMove& reply) {
    return reply.visit_weight +
           model.imported_replies * std::sqrt(static_cast<double>(reply.imported_games));
}

}  // namespace book
