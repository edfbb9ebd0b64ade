#include "book/probe/learning_report.h"

#include "engine/board/notation.h"

#include <array>
#include <cstdio>

namespace book {
namespace {

using engine::Game;
using engine::Position;

// "1.e4 e5 2.Nf3", the first `plies` moves.
std::string line_text(const Game& game, std::size_t plies) {
    Position pos = game.start();
    std::string text;
    for (std::size_t i = 0; i < plies; ++i) {
        if (i > 0)
            text += ' ';
        if (pos.side_to_move() == engine::White)
            text += std::to_string(pos.fullmove_number()) + ".";
        else if (i == 0)
            text += std::to_string(pos.fullmove_number()) + "...";
        text += to_san(pos, game.moves()[i]);
        pos.make(game.moves()[i]);
    }
    return text;
}

}  // namespace

Result<std::vector<MoveValue>>
values_along(const Layers& layers, const Model& model, const GameRecord& game) {
    std::vector<MoveValue> values;
    const std::optional<Track> track = track_of(game, true);
    if (!track)
        return values;
    Position pos = game.game.start();
    for (std::size_t i = 0; i < track->steps.size(); ++i) {
        if (pos.side_to_move() == game.our_side) {
            const Result<PositionView> seen =
                view(layers, model, query_of(pos, game.our_side, game.time));
            if (!seen)
                return tl::unexpected<Error>(seen.error());
            MoveValue value{.plies = i + 1, .mean = seen->value, .games = 0};
            for (const BookMove& s : seen->moves)
                if (s.move == track->steps[i].move)
                    value = {.plies = i + 1, .mean = s.mean, .games = s.visits};
            values.push_back(value);
        }
        pos.make(game.game.moves()[i]);
    }
    return values;
}

std::vector<std::string> learning_report(const GameRecord& game,
                                         const std::vector<MoveValue>& before,
                                         const std::vector<MoveValue>& after) {
    const std::string result = game.score > 0.75   ? "a win"
                               : game.score < 0.25 ? "a loss"
                                                   : "a draw";
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < after.size() && i < before.size(); ++i) {
        const MoveValue& now = after[i];
        std::array<char, 60> change{};
        std::snprintf(
            change.data(), change.size(), ": value %.2f -> %.2f after ", before[i].mean, now.mean);
        lines.push_back(line_text(game.game, now.plies) + change.data() + result + " (" +
                        std::to_string(now.games) + (now.games == 1 ? " game)" : " games)"));
    }
    if (lines.empty())
        lines.push_back("the book was left at once: " + result + " counted for the first position");
    return lines;
}

}  // namespace book
