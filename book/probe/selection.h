// One move chosen out of one position of the book, and the record that repeats the choice. Works on
// keys alone.
#pragma once

#include "book/model/choice.h"
#include "book/probe/view.h"

namespace book {

struct Terms {
    int ply = 0;  // moves of the game so far, for the record
    std::uint64_t seed = 0;
    double spent = 0;       // expected loss that earlier choices of the game gave away
    int min_games = 1;      // imported and own, for a move to be a candidate
    bool match = false;     // narrow: the best lines only
    bool may_leave = true;  // false: any known move is better than none, as without time to search
};

struct Selection {
    std::optional<BookMove> chosen;  // nothing: the book is left
    double loss = 0;                 // best mean minus the chosen one's
    DrawRecord record;               // decides the same again
    std::string left_because;        // if so
};
Result<Selection>
select(const Layers& layers, const Model& model, const BookQuery& asked, const Terms& terms);

}  // namespace book
