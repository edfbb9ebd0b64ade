#include "book/probe/view.h"

#include <algorithm>
#include <map>

namespace book {
namespace {

constexpr std::int64_t FoundTwice = 2;  // searches that chose a move before the book takes it over

// Own evidence at a position over the time classes: the asked one in full, others in part.
struct Pooled {
    Own own{};
    std::uint32_t bits = 0;
    bool any = false;
};

Pooled pool(const Model& model,
            const Aging& aging,
            std::int64_t now,
            TimeClass time,
            const std::vector<std::pair<TimeClass, Node>>& nodes) {
    Pooled pooled;
    double value = 0;
    int depth = -1;
    for (const auto& [node_time, node] : nodes) {
        const Own own = own_of(node, aging, now);
        const double share = node_time == time ? 1 : model.other_class;
        pooled.any = true;
        pooled.bits = node.bits;
        pooled.own.exits += share * own.exits;
        pooled.own.weight += share * own.weight;
        pooled.own.score += share * own.score;
        pooled.own.evidence += share * own.evidence;
        value += share * own.evidence * own.value;
        const int worth = node_time == time ? 1000 + node.cp_depth : node.cp_depth;
        if (own.exit_score && worth > depth) {
            pooled.own.exit_score = own.exit_score;
            depth = worth;
        }
    }
    if (pooled.own.evidence > 0)
        pooled.own.value = value / pooled.own.evidence;
    return pooled;
}

// Reads one thing after another and stops at the first error.
class Reader {
  public:
    Reader(const Layers& layers, const Model& model, const BookQuery& asked)
        : layers_(layers), model_(model), asked_(asked) {}

    Result<PositionView> read() {
        read_layer(layers_.base);
        read_layer(layers_.original);
        if (Store* own = layers_.experience) {
            const Reading reading = take(Reading::begin(*own->db));
            read_layer(own);
            read_own(*own);
        }
        if (error_)
            return tl::unexpected<Error>(*error_);
        finish();
        return std::move(view_);
    }

  private:
    template <typename T>
    T take(Result<T> result) {
        if (result)
            return std::move(*result);
        if (!error_)
            error_ = result.error();
        return T();
    }

    BookMove* seen(StoredMove move) {
        const auto known = moves_.find(move);
        if (known != moves_.end())
            return known->second.child != 0 ? &known->second : nullptr;
        const std::optional<Key> child = asked_.child(move);
        BookMove& s = moves_[move];
        s.move = move;
        s.child = child.value_or(0);  // 0 stays as the mark of a move that cannot be played
        return child ? &s : nullptr;
    }

    void read_layer(Store* store) {
        if (!store)
            return;
        const Reading reading = take(Reading::begin(*store->db));
        for (const Edge& e : take(store->positions->edges(asked_.key)))
            if (BookMove* s = seen(e.move)) {
                const Results results = results_for(e, asked_.side);
                s->imported.wins += results.wins;
                s->imported.draws += results.draws;
                s->imported.losses += results.losses;
                s->imported_games += e.games();
                s->rated += e.rated;
                s->ratings += e.ratings;
                s->last_year = std::max(s->last_year, e.last);
            }
        for (const Analysis& a : take(store->positions->analyses(asked_.key)))
            if (BookMove* s = seen(a.move); s && (!s->analysed || a.depth >= s->analysis.depth)) {
                s->analysed = true;
                s->analysis = a;
            }
        for (const auto& [move, flags] : take(store->positions->flags(asked_.key)))
            if (BookMove* s = seen(move))
                s->flags = flags;
    }

    void read_own(Store& store) {
        aging_ = take(store.aging(model_));
        now_ = take(store.clock());
        here_ = pool(model_,
                     aging_,
                     now_,
                     asked_.time,
                     take(store.positions->nodes(asked_.key, asked_.side)));
        if (here_.any && here_.bits != asked_.bits) {
            view_.foreign = true;
            moves_.clear();
            return;
        }
        for (const auto& [time, v] : take(store.positions->all_visits(asked_.key, asked_.side)))
            if (BookMove* s = seen(v.move)) {
                s->visits += v.n;
                s->exits += v.exits;
                s->wins += v.wins;
                s->draws += v.draws;
                s->losses += v.losses;
            }
        const bool guarded = asked_.opponent != 0 && is_guarded(store);
        for (auto& [move, s] : moves_)
            if (s.child != 0) {
                children_[move] = pool(model_,
                                       aging_,
                                       now_,
                                       asked_.time,
                                       take(store.positions->nodes(s.child, asked_.side)));
                if (guarded)
                    s.guard =
                        guard(model_, take(store.opponents->losses(asked_.opponent, s.child)));
            }
    }

    bool is_guarded(Store& store) {
        const std::optional<OpponentRecord> o = take(store.opponents->get(asked_.opponent));
        return o && is_suspicious(model_, *o);
    }

    // The position's own value, as the prior of its moves: backed up, or else what imported games
    // say.
    double parent_value() const {
        if (here_.own.evidence > 0)
            return here_.own.value;
        double games = 0, sum = 0;
        for (const auto& [move, s] : moves_) {
            games += s.imported.games();
            sum += s.imported.wins + s.imported.draws / 2;
        }
        return (sum + 10) / (games + 20);
    }

    void finish() {
        view_.value = parent_value();
        view_.visited = here_.any;
        for (auto& [move, s] : moves_) {
            if (s.child == 0)
                continue;
            std::optional<double> analysed;
            if (s.analysed)
                analysed = analysed_score(s.analysis, asked_.side);
            // A move that only searches at the exit have found has the exit's results so far.
            const bool only_found = s.visits == 0 && s.exits > 0;
            const Own& own = only_found ? here_.own : children_[move].own;
            const Belief before = prior(model_, s.imported, analysed, own);
            s.belief =
                only_found ? with_exits(model_, before, own) : posterior(model_, before, own);
            s.mean = s.belief.mean(model_, view_.value);
            view_.moves.push_back(s);
        }
        std::stable_sort(view_.moves.begin(),
                         view_.moves.end(),
                         [](const BookMove& a, const BookMove& b) { return a.mean > b.mean; });
    }

    const Layers& layers_;
    const Model& model_;
    const BookQuery& asked_;
    std::optional<Error> error_;
    std::map<StoredMove, BookMove> moves_;
    std::map<StoredMove, Pooled> children_;
    Pooled here_;
    Aging aging_;
    std::int64_t now_ = 0;
    PositionView view_;
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

BookQuery query_of(const engine::Position& pos, Color side, TimeClass time) {
    return {.key = pos.key(),
            .bits = check_bits(pos),
            .side = side,
            .time = time,
            .opponent = 0,
            .child = children_of(pos)};
}

Result<PositionView> view(const Layers& layers, const Model& model, const BookQuery& asked) {
    return Reader(layers, model, asked).read();
}

std::vector<const BookMove*> candidates(const PositionView& view, std::int64_t min_games) {
    std::vector<const BookMove*> found;
    for (const BookMove& s : view.moves) {
        const bool known = s.imported_games + s.visits >= std::max<std::int64_t>(1, min_games);
        if (known || s.analysed || (s.flags & (Always | Prefer)) != 0 || s.exits >= FoundTwice)
            found.push_back(&s);
    }
    return found;
}

}  // namespace book
