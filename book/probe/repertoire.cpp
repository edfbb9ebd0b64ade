#include "book/probe/repertoire.h"

#include "engine/board/movegen.h"

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>
#include <unordered_set>

namespace book {
namespace {

constexpr double MinProbability = 0.005;  // the error of play_probabilities() is larger

class RepertoireWalk {
  public:
    RepertoireWalk(const Layers& layers, const Model& model, const RepertoireOptions& options)
        : layers_(layers), model_(model), options_(options) {}

    void run(Color side, std::vector<RepertoireMove>& found) {
        const engine::Position start;
        waiting_.push(start);
        seen_ = {start.key()};
        while (!waiting_.empty()) {
            const engine::Position pos = waiting_.front();
            waiting_.pop();
            if (ply_of(pos) < options_.max_ply)
                visit(pos, side, found);
        }
    }

  private:
    void visit(const engine::Position& pos, Color side, std::vector<RepertoireMove>& found) {
        if (pos.side_to_move() != side)
            return follow_replies(pos);
        PositionView seen = view(layers_, model_, query_of(pos, side, options_.time));
        add_probabilities(
            model_, true, {.ply = ply_of(pos), .min_games = options_.min_games}, seen);
        for (const BookMove& move : seen.moves) {
            if (move.probability < MinProbability)
                continue;
            found.push_back({.key = pos.key(), .move = move.move, .probability = move.probability});
            engine::Position after = pos;
            after.make(stored_move(move.move));
            if (seen_.insert(after.key()).second)
                waiting_.push(after);
        }
    }

    // Any legal reply may lead to a position that is known from other games.
    void follow_replies(const engine::Position& pos) {
        for (const engine::Move reply : engine::legal_moves(pos)) {
            engine::Position after = pos;
            after.make(reply);
            if (!seen_.contains(after.key()) && has_moves(after)) {
                seen_.insert(after.key());
                waiting_.push(after);
            }
        }
    }

    // False only if the book knows no move of ours there.
    [[nodiscard]] bool has_moves(const engine::Position& pos) const {
        const Key key = pos.key();
        const auto knows = [&](Store* store) {
            return store && (!store->positions.edges(key).empty() ||
                             !store->positions.analyses(key).empty() ||
                             !store->positions.flags(key).empty());
        };
        const auto has_games = [&](Store* store) {
            return store && !store->positions.visits(key, pos.side_to_move()).empty();
        };
        const auto any = [](const auto& stores, const auto& test) {
            return std::any_of(stores.begin(), stores.end(), test);
        };
        return any(std::array{layers_.experience, layers_.original, layers_.base}, knows) ||
               any(layers_.further, knows) || has_games(layers_.experience) ||
               any(layers_.further_games, has_games) || !layers_.polyglot.empty();
    }

    const Layers& layers_;
    const Model& model_;
    const RepertoireOptions& options_;
    std::queue<engine::Position> waiting_;  // the nearest to the start first
    std::unordered_set<Key> seen_;
};

}  // namespace

std::vector<RepertoireMove>
repertoire(const Layers& layers, const Model& model, const RepertoireOptions& options) {
    const std::vector<ReadTransaction> reading = begin_reading(layers);
    std::vector<RepertoireMove> found;
    RepertoireWalk walk(layers, model, options);
    if (options.white)
        walk.run(engine::White, found);
    if (options.black)
        walk.run(engine::Black, found);
    std::sort(found.begin(), found.end(), [](const RepertoireMove& a, const RepertoireMove& b) {
        return std::tuple(a.key, -a.probability, a.move) <
               std::tuple(b.key, -b.probability, b.move);
    });
    return found;
}

}  // namespace book
