// What the opponents of a World learn in the games of one rule: some repeat and improve the lines
// that beat us.
#pragma once

#include "tools/lab/bookbench/rules.h"

#include <map>

namespace tools::bookbench {

class OpponentMemories {
  public:
    static constexpr std::size_t Exploiter = 0;  // the player that learns in Exploit

    // The world must outlive this and may change.
    explicit OpponentMemories(const World& world) : world_(world), minds_(world.players().size()) {}

    [[nodiscard]] bool learns(std::size_t player) const;
    // The move that a player has prepared; nothing: any, by habit.
    [[nodiscard]] std::optional<std::size_t> prepared_reply(std::size_t player,
                                                            std::size_t position) const;
    // Elo that a player has gained by preparing an exit.
    [[nodiscard]] double prepared(std::size_t player, std::size_t exit) const;
    // By position: expected score of our best moves against the player. In Learners it counts what
    // they have prepared, in Exploit it does not.
    const std::vector<double>& worth(std::size_t player, book::TimeClass time);
    // A finished game. The player repeats a win and prepares its exit, until it loses.
    void learn(const PlayedGame& game);

  private:
    struct Mind {
        std::map<std::size_t, std::size_t> repeated{};  // replies in the last win, by position
        std::map<std::size_t, double> prepared{};       // Elo, by exit
        std::vector<double> worth{};                    // empty: not known
    };
    [[nodiscard]] std::vector<double> worth_against(std::size_t player) const;

    const World& world_;
    std::vector<Mind> minds_;
};

}  // namespace tools::bookbench
