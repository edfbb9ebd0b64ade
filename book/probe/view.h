// What the book knows in one position, put together from its layers and time classes.
#pragma once

#include "book/learn/backup.h"

namespace book {

// Where stored moves lead in a position; nothing for those that are not legal there.
std::function<std::optional<Key>(StoredMove)> children_of(const engine::Position& pos);

struct BookQuery {
    Key key = 0;
    std::uint32_t bits = 0;
    Color side = engine::White;  // whose games to look at; values are for this side
    TimeClass time = TimeClass::Blitz;
    std::int64_t opponent = 0;  // the guarded one, 0: nobody
    // Where a move leads; nothing if it cannot be played.
    std::function<std::optional<Key>(StoredMove)> child;
};

// A position on the board. Only legal moves lead anywhere.
BookQuery query_of(const engine::Position& pos, Color side, TimeClass time);

struct BookMove {  // one known move
    StoredMove move = 0;
    Key child = 0;
    Results imported{};  // of the asked side
    std::int64_t imported_games = 0, rated = 0, ratings = 0;
    int last_year = 0;
    std::int64_t visits = 0, exits = 0;            // own games, in and at the end of the book
    std::int64_t wins = 0, draws = 0, losses = 0;  // ours
    bool analysed = false;
    Analysis analysis{};
    int flags = 0;
    Belief belief{};
    double mean = 0.5, guard = 0;
};

struct PositionView {
    double value = 0.5;             // of the position
    bool visited = false;           // by own games
    bool foreign = false;           // the key belongs to another position: nothing is known
    std::vector<BookMove> moves{};  // best first
};
Result<PositionView> view(const Layers& layers, const Model& model, const BookQuery& asked);

// What may be played of it: known by enough games, analysed, wished for, or repeatedly found by
// search.
std::vector<const BookMove*> candidates(const PositionView& view, std::int64_t min_games);

}  // namespace book
