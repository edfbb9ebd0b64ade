// The book that a run begins with: a new file, never one of the user's books.
#pragma once

#include <filesystem>
#include <vector>

namespace tools::learning {

// Throws Failure if `file` is one of `sources`, by this or another name.
void check_not_source(const std::filesystem::path& file,
                      const std::vector<std::filesystem::path>& sources);

// Makes room for a new book. Throws as check_not_source(), before anything is removed.
void remove_book(const std::filesystem::path& file,
                 const std::vector<std::filesystem::path>& sources);

}  // namespace tools::learning
