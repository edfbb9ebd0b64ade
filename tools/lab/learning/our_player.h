// Our engine in a learning match: it takes its moves from a book, else from a search, and keeps the
// record that the book learns from.
#pragma once

#include "book/book.h"
#include "book/model/choice.h"
#include "engine/engine.h"

namespace tools::learning {

inline constexpr unsigned NodesVariation = 20;  // per cent

// A move from the book (`from_book`) or from a search.
struct Played {
    engine::Move move;
    bool from_book = false;
    engine::Score score = 0;
    int depth = 0;
};

// A search with `nodes` nodes, give or take `variation` per cent, so that no two games are equal;
// not among the `excluded` moves, unless these are all.
Played search_varied(engine::Searcher& searcher,
                     const engine::Game& game,
                     std::uint64_t nodes,
                     unsigned variation,
                     book::Random& random,
                     const std::vector<engine::Move>& excluded = {});

// Plays one game after the other. The book (null: none) and the searcher must outlive it.
class OurPlayer {
  public:
    OurPlayer(book::Book* book, engine::Searcher& searcher, std::uint64_t nodes, unsigned variation)
        : book_(book), searcher_(searcher), nodes_(nodes), variation_(variation) {}

    // A new game number `number`, from 1, against `opponent`; equal seeds give equal searches.
    void begin(const std::string& uid,
               int number,
               engine::Color side,
               const book::Opponent& opponent,
               std::uint64_t seed);
    // Our move; throws Failure if the book cannot be read.
    Played move(const engine::Game& game);
    // Teaches the book the finished game; `score` is ours. Throws Failure if it cannot be written.
    void learn(const engine::Game& game, double score);

    [[nodiscard]] int book_moves() const { return static_cast<int>(record_.draws.size()); }
    // Where we left the book; nothing if we did not.
    [[nodiscard]] std::optional<int> exit_ply() const { return record_.exit_ply; }
    [[nodiscard]] int exit_cp() const { return record_.exit_cp; }  // by the first search
    [[nodiscard]] const engine::Position& exit() const { return exit_; }

  private:
    book::Book* book_;
    engine::Searcher& searcher_;
    std::uint64_t nodes_;
    unsigned variation_;
    book::Random random_{0};
    book::GameRecord record_;
    engine::Position exit_;
};

}  // namespace tools::learning
