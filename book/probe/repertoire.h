// The repertoire: every move that the book plays in positions that its own play allows.
#pragma once

#include "book/probe/probe.h"

namespace book {

struct RepertoireMove {
    Key key = 0;
    StoredMove move = 0;
    double probability = 0;  // that the book plays it there: more than 0
};
struct RepertoireOptions {
    bool white = true, black = true;  // moves of these sides
    int min_games = 1;                // of a move, imported and own; see ChooseOptions
    int max_ply = 60;
    TimeClass time = TimeClass::Blitz;
};
// From the start position on, by our moves of the book and every move of the opponent to a position
// that the book knows; in order of the unsigned key, then the most probable move first. May throw
// Failure or an exception of SQLite.
std::vector<RepertoireMove>
repertoire(const Layers& layers, const Model& model, const RepertoireOptions& options);

}  // namespace book
