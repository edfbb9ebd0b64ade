#include "tools/lab/thermometer/position_draw.h"

#include "tools/common/adjudicator.h"
#include "tools/common/checksum.h"
#include "tools/common/errors.h"
#include "tools/lab/datagen/training_game.h"
#include "tools/lab/train/trainer.h"

#include <map>
#include <random>

namespace tools::thermometer {

using datagen::ScoredMove;
using datagen::TrainingGame;

namespace {

// The usable positions of a game, by its own scores and moves.
std::vector<engine::Position> usable_positions(const TrainingGame& game) {
    std::vector<engine::Position> positions;
    engine::Position pos = game.start;
    for (const ScoredMove& ply : game.plies) {
        if (datagen::is_usable(pos, ply, game_ply(pos)))
            positions.push_back(pos);
        pos.make(ply.move);
    }
    return positions;
}

}  // namespace

std::vector<TrainingGame> draw_games(const std::vector<std::string>& paths,
                                     const Conditions& conditions) {
    const std::uint64_t wanted = 2 * conditions.positions / conditions.per_game + 16;
    std::map<std::uint64_t, TrainingGame> drawn;  // the games with the lowest random numbers
    std::uint64_t number = 0;
    for (const std::string& path : paths)
        value_or_throw(datagen::for_each_game(path, [&](TrainingGame game) {
            if (game.result == datagen::GameResult::Unknown)
                return;
            drawn.emplace(datagen::seed_of(conditions.seed, number++), std::move(game));
            if (drawn.size() > wanted)
                drawn.erase(std::prev(drawn.end()));
        }));
    if (drawn.empty())
        throw Failure("no games to take positions from");
    std::vector<TrainingGame> games;
    for (auto& [random, game] : drawn)
        games.push_back(std::move(game));
    return games;
}

std::uint64_t checksum(const std::vector<TrainingGame>& games) {
    std::uint64_t sum = tools::checksum("");
    for (const TrainingGame& game : games) {
        sum = tools::checksum(game.start.fen(), sum);
        for (const ScoredMove& ply : game.plies)
            sum = tools::checksum(std::to_string(ply.move.raw()) + ' ', sum);
    }
    return sum;
}

std::optional<double> fitted_scale(const std::vector<TrainingGame>& games) {
    train::SampleSet set;
    for (const TrainingGame& game : games) {
        engine::Position pos = game.start;
        for (const ScoredMove& ply : game.plies) {
            if (datagen::is_usable(pos, ply, game_ply(pos)))
                set.training.push_back(train::make_sample(pos, ply.score, game.result));
            pos.make(ply.move);
        }
    }
    return train::fitted_scale(set);
}

std::vector<ValuedPosition> value_game(engine::Searcher& searcher,
                                       const std::vector<TrainingGame>& games,
                                       std::uint64_t number,
                                       const Conditions& conditions) {
    std::mt19937_64 random(datagen::seed_of(conditions.seed, number));
    std::vector<engine::Position> left = usable_positions(games.at(number));
    std::vector<ValuedPosition> valued;
    while (!left.empty() && valued.size() < conditions.per_game) {
        std::swap(left[random() % left.size()], left.back());
        const engine::Position pos = left.back();
        left.pop_back();
        searcher.clear();
        if (const auto scored = datagen::search_score(searcher, pos, conditions.nodes))
            valued.push_back({number, scored->score, pos});
    }
    return valued;
}

}  // namespace tools::thermometer
