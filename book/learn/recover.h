// Makes a new book of what can be read of a damaged one.
#pragma once

#include "book/store/damaged/salvage.h"

namespace book {

// Reads the damaged book row by row and computes everything derived from own games anew. The games
// in its spool stay there. The target must not exist; it is created completely or not at all.
// Throws Failure if nothing can be read or the target cannot be written, or an exception of SQLite.
Salvaged recover(const std::filesystem::path& damaged, const std::filesystem::path& target);

}  // namespace book
