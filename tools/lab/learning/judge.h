// An engine that thinks for a fixed number of nodes: equal positions and histories give equal
// moves.
#pragma once

#include "engine/engine.h"
#include "tools/common/referee.h"

#include <memory>
#include <unordered_map>

namespace tools::learning {

class Thinker {
  public:
    // Fails if this processor runs no engine or there is no memory for `hash_mib`.
    static Result<Thinker> make(int hash_mib);

    [[nodiscard]] engine::Searcher& searcher() { return *searcher_; }
    void forget() { searcher_->clear(); }
    // The choice in a game that goes on.
    engine::SearchResult think(const engine::Game& game, std::uint64_t nodes);

  private:
    explicit Thinker(std::unique_ptr<engine::Searcher> searcher) : searcher_(std::move(searcher)) {}
    std::unique_ptr<engine::Searcher> searcher_;
};

// Scores of positions, each searched once, from an empty memory.
class Judge {
  public:
    Judge(Thinker thinker, std::uint64_t nodes) : thinker_(std::move(thinker)), nodes_(nodes) {}
    // The side to move's, in centipawns, within +-MostCentipawns.
    int score(const engine::Position& pos);

  private:
    Thinker thinker_;
    std::uint64_t nodes_;
    std::unordered_map<engine::Key, int> known_;
};
inline constexpr int MostCentipawns = 1'000;
int to_centipawns(engine::Score score);

// When a game is over: by the rules, or because both sides agree on its result.
class GameEnd {
  public:
    GameEnd();
    // After each move, with the game as it stands and the mover's score of the move. White's points
    // if it is over.
    std::optional<double> judge(const engine::Game& game, engine::Score score);

  private:
    Referee referee_;
};

}  // namespace tools::learning
