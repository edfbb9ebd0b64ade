// Lines of own games, from the start of the game to where they branch or leave the book, with their
// results. Counts are of games that begin with exactly these moves; transpositions are not added.
#pragma once

#include "book/probe/probe.h"

namespace book {

// "1.e4 e5 2.Nf3", the first `plies` moves of the game.
std::string moves_text(const engine::Game& game, std::size_t plies);

struct OwnLine {
    Color side = engine::White;  // ours
    std::vector<Move> moves{};
    std::int64_t wins = 0, draws = 0, losses = 0;  // ours
    std::int64_t last = 0;                         // latest game, seconds since 1970
    // Our expected score at its end, with the position before the last move taken as even: what is
    // known of that may come from the same few games. And its standard deviation.
    double value = 0.5, width = 0.4;
    double evidence = 0;
    [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
    [[nodiscard]] double score() const;  // mean of the results, 0..1
};

struct LineOptions {
    std::int64_t min_games = 2;  // of each move of a line
    int max_ply = 40;
    std::optional<Color> side{};
    std::optional<std::int64_t> opponent{};
};

// All lines of games that count, the highest value first. A line that is part of another is listed
// only if enough games, `min_games`, left the book at its end; games from other start positions are
// left out. May throw Failure or an exception of SQLite.
std::vector<OwnLine>
own_lines(const Layers& layers, const Model& model, const LineOptions& options);

// By a pessimistic bound: `best` sorts by value minus width, otherwise by 1 - value minus width.
void sort_lines(std::vector<OwnLine>& lines, bool best);
// The best or the worst `max` lines in that order. A line that shares more than half of its moves
// with a better one of the same side is taken only if there are not enough others. `half`: take
// only lines of the better (or worse) half by value, so that no line is in both.
std::vector<OwnLine>
choose_lines(std::vector<OwnLine> lines, bool best, std::size_t max, bool half);

}  // namespace book
