// The choice of a move from what the book knows about a position. May throw Failure
// or an exception of SQLite.
#pragma once

#include "book/model/choice.h"
#include "book/probe/view.h"

namespace book {

// The moves of a view that may be played, as indices: with `min_games` games (at least 1),
// analysed, preferred by a flag, or chosen by two searches at the exit.
std::vector<std::size_t> candidate_indices(const PositionView& view, std::int64_t min_games);

struct ChoiceTerms {
    int ply = 0;  // of the game, for the record
    std::uint64_t seed = 0;
    double spent = 0;       // sum of MoveChoice::loss over earlier choices of the game
    int min_games = 1;      // see candidate_indices()
    bool match = false;     // narrow choice: the best lines only
    double variety = 50;    // see ChoiceMode
    bool may_leave = true;  // false: without time to search, any known move is better than none
    // Nodes of the search that would choose the move instead; 0: unknown. If all analyses of the
    // moves here have fewer than half as many in sum, an untested move is not played unless it
    // recaptures on `moved_last`: the book does not end in the middle of an exchange.
    std::int64_t expected_nodes = 0;
    std::optional<engine::Square> moved_last{};
};
struct MoveChoice {
    std::optional<BookMove> chosen;  // nothing: leave the book
    double loss = 0;                 // see Choice
    DrawRecord record;               // repeats the choice
    std::string left_because;        // why nothing was chosen
    TriedMoves tried{};              // if nothing was chosen: for the search
};
// Fills BookMove::probability and sorts the moves by it, then by mean. With us to move (`ours`) it
// is how often choose_move() plays the move under these terms, whatever their seed; the rest to 1
// is how often it leaves the book. With the opponent to move it is how often to expect the reply:
// by own games and, with a low weight, imported ones.
void add_probabilities(const Model& model, bool ours, const ChoiceTerms& terms, PositionView& view);
// The mean of the moves' values, weighted by these probabilities; without moves the view's value.
double expected_score(const PositionView& view);

MoveChoice choose_move(const Layers& layers,
                       const Model& model,
                       const BookQuery& query,
                       const ChoiceTerms& terms);

}  // namespace book
