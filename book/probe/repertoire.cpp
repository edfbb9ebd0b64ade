#include "book/probe/repertoire.h"

#include <algorithm>
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
        const bool ours = pos.side_to_move() == side;
        PositionView seen = view(layers_, model_, query_of(pos, side, options_.time));
        if (ours)
            add_probabilities(
                model_, true, {.ply = ply_of(pos), .min_games = options_.min_games}, seen);
        for (const BookMove& move : seen.moves) {
            if (ours && move.probability < MinProbability)
                continue;
            if (!ours && !move.analysed &&
                move.imported_games + move.visits + move.exits < options_.min_games)
                continue;
            if (ours)
                found.push_back(
                    {.key = pos.key(), .move = move.move, .probability = move.probability});
            engine::Position after = pos;
            after.make(stored_move(move.move));
            if (seen_.insert(after.key()).second)
                waiting_.push(after);
        }
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
