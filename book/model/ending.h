// How a game ended, from the comment that servers and clients write on its result. Pure text.
#pragma once

#include "book/types.h"

#include <string_view>

namespace book {

// Empty if the game was adjourned. `opponent`: a name that the comment may contain. A draw by a
// fallen flag is no draw on the board: the clock decided, as in a loss on time.
std::optional<Termination>
termination_of(std::string_view comment, std::string_view opponent, bool drawn);

}  // namespace book
