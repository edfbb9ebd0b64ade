#include "tools/lab/bookbench/opponent_memories.h"

#include "tools/common/statistics.h"

#include <algorithm>

namespace tools::bookbench {
namespace {

constexpr double Preparation = 150, MaxPreparation = 450;  // Elo, at an exit of a won game

}  // namespace

bool OpponentMemories::learns(std::size_t player) const {
    return world_.scenario() == Scenario::Learners ||
           (world_.scenario() == Scenario::Exploit && player == Exploiter);
}

std::optional<std::size_t> OpponentMemories::prepared_reply(std::size_t player,
                                                            std::size_t position) const {
    const auto& repeated = minds_[player].repeated;
    const auto known = repeated.find(position);
    return known == repeated.end() ? std::nullopt : std::optional(known->second);
}

double OpponentMemories::prepared(std::size_t player, std::size_t exit) const {
    const auto& prepared = minds_[player].prepared;
    const auto known = prepared.find(exit);
    return known == prepared.end() ? 0 : known->second;
}

const std::vector<double>& OpponentMemories::worth(std::size_t player, book::TimeClass time) {
    if (world_.scenario() != Scenario::Learners)
        return world_.worth(player, time);
    std::vector<double>& worth = minds_[player].worth;
    if (worth.empty())
        worth = worth_against(player);
    return worth;
}

std::vector<double> OpponentMemories::worth_against(std::size_t player) const {
    return world_.solve(
        [&](std::size_t exit) {
            return expected_score(world_.positions()[exit].strength - prepared(player, exit));
        },
        [&](std::size_t position) {
            std::vector<double> replies = world_.players()[player].replies[position];
            if (const auto reply = prepared_reply(player, position)) {
                std::fill(replies.begin(), replies.end(), 0.0);
                replies[*reply] = 1;
            }
            return replies;
        });
}

void OpponentMemories::learn(const PlayedGame& game) {
    if (!learns(game.player))
        return;
    Mind& mind = minds_[game.player];
    if (game.score > 0.75)
        mind.repeated.clear();
    if (game.score <= 0.25) {
        double& prepared = mind.prepared[game.exit];
        prepared = std::min(MaxPreparation, prepared + Preparation);
        mind.repeated.clear();
        for (const PlayedMove& played : game.moves)
            if (!world_.positions()[played.position].ours())
                mind.repeated[played.position] = played.move;
    }
    mind.worth.clear();
}

}  // namespace tools::bookbench
