// The spool file beside a book: games that could not be written because another process held the
// book. They are merged when the book is opened for writing and after each game it learns. Any
// process may append at any time; a line that this version does not know is left to a newer one.
#pragma once

#include "book/types.h"

#include <filesystem>
#include <functional>

namespace book {

// A game as a line of text, with the line end; and back, or nothing if the line is not whole or not
// of this program.
std::string to_line(const GameRecord& game);
std::optional<GameRecord> from_line(std::string_view line);

// Where the spool of a book lies.
std::filesystem::path spool_of(const std::filesystem::path& book);

// Durable on return. Throws Failure if the game could not be written.
void append_to_spool(const std::filesystem::path& spool, const GameRecord& game);

// If games wait, calls `begin`, then passes every game to `take` and removes those lines, and lines
// whose writer was killed, when all were taken. What either throws goes through, and the file stays
// as it is. The file is locked only while it is read and while lines are removed, since `begin` and
// `take` may take long and others must be able to keep a game there meanwhile. A process killed
// here loses no line, but its games may be passed again, as they are to two processes that merge at
// the same time. Returns the number of games; throws Failure if the file cannot be read to its end
// or not be written. One stat(2) if nothing waits.
int merge_spool(const std::filesystem::path& spool,
                const std::function<void()>& begin,
                const std::function<void(const GameRecord&)>& take);

// Only reads, without waiting for a lock. Throws Failure if the file cannot be read to its end.
WaitingGames count_spool(const std::filesystem::path& spool);

}  // namespace book
