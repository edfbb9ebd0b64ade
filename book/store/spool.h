// Games that could not be written because another process held the book: kept beside it in a file
// of their own, until somebody opens the book and can write. Any process may append at any time.
#pragma once

#include "book/types.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace book {

std::filesystem::path spool_of(const std::filesystem::path& book);

// Durable on return.
Result<void> append_to_spool(const std::filesystem::path& spool, const GameRecord& game);

// Hands every game to `take` and empties the file when all were taken; if one fails nothing is
// removed. A damaged line (the writer was killed in it) is left out. Returns the number taken.
Result<int> merge_spool(const std::filesystem::path& spool,
                        const std::function<Result<void>(const GameRecord&)>& take);

}  // namespace book
