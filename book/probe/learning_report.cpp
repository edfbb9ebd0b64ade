#include "book/probe/learning_report.h"

#include "book/probe/lines.h"

#include <fmt/format.h>

namespace book {

std::vector<MoveValue>
values_along(const Layers& layers, const Model& model, const GameRecord& game) {
    std::vector<MoveValue> values;
    const std::optional<Track> track = track_of(game, true);
    if (!track)
        return values;
    engine::Position pos = game.game.start();
    for (std::size_t i = 0; i < track->steps.size(); ++i) {
        if (pos.side_to_move() == game.our_side) {
            const PositionView seen = view(layers, model, query_of(pos, game.our_side, game.time));
            MoveValue value{.plies = i + 1, .mean = seen.value, .games = 0};
            for (const BookMove& move : seen.moves)
                if (move.move == track->steps[i].move)
                    value = {.plies = i + 1, .mean = move.mean, .games = move.visits};
            values.push_back(value);
        }
        pos.make(game.game.moves()[i]);
    }
    return values;
}

std::vector<std::string> learning_report(const GameRecord& game,
                                         const std::vector<MoveValue>& before,
                                         const std::vector<MoveValue>& after) {
    const std::string result = by_outcome(game.score, "a win", "a draw", "a loss");
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < after.size() && i < before.size(); ++i) {
        const MoveValue& now = after[i];
        lines.push_back(fmt::format("{}: value {:.2f} -> {:.2f} after {} ({} {})",
                                    moves_text(game.game, now.plies),
                                    before[i].mean,
                                    now.mean,
                                    result,
                                    now.games,
                                    now.games == 1 ? "game" : "games"));
    }
    if (lines.empty())
        lines.push_back("the book was left at once: " + result + " counted for the first position");
    return lines;
}

}  // namespace book
