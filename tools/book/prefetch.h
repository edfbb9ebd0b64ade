// Reads ahead on a thread of its own, so that unpacking a file costs its reader no time.
#pragma once

#include "book/import/pgn_source.h"

namespace tools {

book::PgnReader::Source prefetched(book::PgnReader::Source source);

}  // namespace tools
