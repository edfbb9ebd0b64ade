// Where finished games wait until they can be learned.
#pragma once

#include <filesystem>
#include <vector>

namespace book {

// The spools of a book, whether or not they are there, the best place first: beside the book and
// its overlays.
std::vector<std::filesystem::path> spools_of(const std::filesystem::path& book);

// True if a game can be kept in one of them. Creates the folder of the last one, as keeping does.
bool can_keep_games(const std::filesystem::path& book);

}  // namespace book
