// What the book knows about one position, combined from its layers and time classes, and the choice
// of a move from that. Works on keys. Functions may throw an exception of SQLite.
#pragma once

#include "book/learn/backup.h"
#include "book/model/choice.h"

namespace book {

struct BookQuery {
    Key key = 0;
    std::uint32_t bits = 0;      // see check_bits
    Color side = engine::White;  // our colour in own games; values are for this side
    TimeClass time = TimeClass::Blitz;
    std::int64_t opponent = 0;  // in the book; 0: unknown
    // The key after a move; nothing if the move is illegal.
    std::function<std::optional<Key>(StoredMove)> child;
};
// The query for a position on a board.
BookQuery query_of(const engine::Position& pos, Color side, TimeClass time);
std::function<std::optional<Key>(StoredMove)> children_of(const engine::Position& pos);
int ply_of(const engine::Position& pos);  // by its number of full moves

struct BookMove {
    StoredMove move = 0;
    Key child = 0;
    Results imported{};                                       // of the query's side
    std::int64_t imported_games = 0, rated = 0, ratings = 0;  // see Edge
    int last_year = 0;
    std::int64_t visits = 0, exits = 0;            // own games inside and at the end of the book
    std::int64_t wins = 0, draws = 0, losses = 0;  // ours
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
    std::optional<double> analysed{};  // value of the best analysed move, as of no own game
    bool foreign = false;           // own games have the key of another position: nothing is known
    std::vector<BookMove> moves{};  // highest mean first
};
PositionView view(const Layers& layers, const Model& model, const BookQuery& query);

// The moves of a view that may be played, as indices: with `min_games` games (at least 1),
// analysed, preferred by a flag, or chosen by two searches at the exit.
std::vector<std::size_t> candidate_indices(const PositionView& view, std::int64_t min_games);

struct ChoiceTerms {
    int ply = 0;  // of the game, for the record
    std::uint64_t seed = 0;
    double spent = 0;       // sum of MoveChoice::loss over earlier choices of the game
    int min_games = 1;      // see candidate_moves
    bool match = false;     // narrow choice: the best lines only
    double variety = 50;    // see ChoiceMode
    bool may_leave = true;  // false: without time to search, any known move is better than none
    // Nodes of the search that would choose the move instead; 0: unknown. If those of all searches
    // behind the moves here are fewer than half as many, an untested move is not played, unless it
    // takes what moved last: the book does not end in the middle of an exchange.
    std::int64_t expected_nodes = 0;
    std::optional<engine::Square> moved_last{};
};
struct MoveChoice {
    std::optional<BookMove> chosen;  // nothing: leave the book
    double loss = 0;                 // mean of the best candidate minus that of the chosen one
    DrawRecord record;               // repeats the choice
    std::string left_because;        // why nothing was chosen
    TriedMoves tried{};              // then: for the search
};
// Fills BookMove::probability and sorts the moves by it, then by mean. With us to move (`ours`) it
// is how often choose_move() plays the move under these terms, whatever their seed; the rest to 1
// is how often it leaves the book. With the opponent to move it is how often to expect the reply:
// by own games and, with a low weight, imported ones.
void add_probabilities(const Model& model, bool ours, const ChoiceTerms& terms, PositionView& view);

MoveChoice choose_move(const Layers& layers,
                       const Model& model,
                       const BookQuery& query,
                       const ChoiceTerms& terms);

}  // namespace book
