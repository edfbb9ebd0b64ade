// What the book knows about one position, combined from its layers and time classes. Works on keys.
// Functions may throw Failure or an exception of SQLite.
#pragma once

#include "book/learn/backup.h"

namespace book {

struct BookQuery {
    Key key = 0;
    std::uint32_t bits = 0;      // see check_bits
    Color side = engine::White;  // our colour in own games; values are for this side
    TimeClass time = TimeClass::Blitz;
    std::int64_t opponent = 0;  // in the book; 0: unknown
    // The key after a move; nothing if the move is illegal.
    std::function<std::optional<Key>(StoredMove)> child;
    // The query after a move that `child` knows. Empty: view() does not look ahead.
    std::function<BookQuery(StoredMove)> after{};
};
// The query for a position on a board.
BookQuery query_of(const engine::Position& pos, Color side, TimeClass time);
std::function<std::optional<Key>(StoredMove)> children_of(const engine::Position& pos);
int ply_of(const engine::Position& pos);  // by its number of full moves

// Searches at the exit that must choose a move before the book plays it.
inline constexpr std::int64_t MinFindings = 2;

struct BookMove {
    StoredMove move = 0;
    Key child = 0;
    Results imported{};                                       // of the query's side
    std::int64_t imported_games = 0, rated = 0, ratings = 0;  // see Edge
    std::int64_t base_weight = 0;  // part of imported_games: the installed book's weight, not games
    int last_year = 0;
    std::int64_t visits = 0, exits = 0;            // own games inside and at the end of the book
    std::int64_t wins = 0, draws = 0, losses = 0;  // ours
    double visit_weight = 0;  // the visits: recent ones count more, repeated games less
    [[nodiscard]] std::int64_t finished() const { return wins + draws + losses; }
    bool analysed = false;
    Analysis analysis{};
    int flags = 0;  // see Flag
    Belief belief{};
    double mean = 0.5, opponent_penalty = 0;
    double probability = 0;  // see add_probabilities
    // Only searches and the games of the installed book are known: no finished own game, no mark,
    // no game of another book.
    bool untested = true;
    // Games' worth of repeated games against the query's opponent, which count for them only.
    double repeated = 0;
};

struct PositionView {
    double value = 0.5;                // expected score of the query's side
    bool visited = false;              // by own games of this side
    std::optional<double> analysed{};  // value of the best analysed move, as if without own games
    bool foreign = false;              // key collision with own games: nothing is known
    std::vector<BookMove> moves{};     // highest mean first
};
// The mean of a move of ours is partly that of the replies and of our best moves after them, see
// Model::look_ahead.
PositionView view(const Layers& layers, const Model& model, const BookQuery& query);
// How often to expect a reply, in games: by own games and, with a low weight, imported ones.
double reply_frequency(const Model& model, const BookMove& reply);

}  // namespace book
