// The spool file beside a book: games that could not be written because another process held the
// book. They are merged when the book is next opened for writing. Any process may append at any
// time.
#pragma once

#include "book/types.h"

#include <filesystem>
#include <functional>

namespace book {

// Where the spool of a book lies.
std::filesystem::path spool_of(const std::filesystem::path& book);

// Durable on return. Throws Failure if the game could not be written.
void append_to_spool(const std::filesystem::path& spool, const GameRecord& game);

// Passes every game to `take` and empties the file when all were taken. What `take` throws goes
// through, and the file stays as it is. Skips a damaged line, whose writer was killed. Returns the
// number of games; throws Failure if the file cannot be read or emptied.
int merge_spool(const std::filesystem::path& spool,
                const std::function<void(const GameRecord&)>& take);

}  // namespace book
