// Whole lines of own games, from the start of the game to where they part or leave the book, with
// what came of them. Counts are of games that took this very way, not of transpositions.
#pragma once

#include "book/probe/view.h"

namespace book {

struct OwnLine {
    Color side = engine::White;  // ours
    std::vector<Move> moves{};
    std::int64_t wins = 0, draws = 0, losses = 0;  // ours
    std::int64_t last = 0;                         // when it was last played, seconds since 1970
    double value = 0.5, width = 0.4;  // of the position it leads to, ours, and its deviation
    double evidence = 0;
    [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
    [[nodiscard]] double score() const;  // 0..1, of the results
};

struct LineOptions {
    std::int64_t min_games = 2;  // a line is followed as long as so many games did
    int max_ply = 40;
    std::optional<Color> side{};
    std::optional<std::int64_t> opponent{};
};

// All lines of games that count, those with the best value first; a line within another is not
// listed. Games that began elsewhere than at the start position of chess are left out.
Result<std::vector<OwnLine>>
own_lines(const Layers& layers, const Model& model, const LineOptions& options);

// The surely good lines first, or the surely bad ones: by the nearer end of what a value may be.
void sort_lines(std::vector<OwnLine>& lines, bool best);
// How many of so many lines to show as the best, or as the worst, so that none is both.
std::size_t lines_to_show(std::size_t lines, std::size_t most, bool best);

}  // namespace book
