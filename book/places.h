// Where the files of a book are by default.
#pragma once

#include <filesystem>
#include <vector>

namespace book {

// The user's own book: XDG_DATA_HOME or ~/.local/share, then nutcracker/book.db; empty if there is
// no home.
std::filesystem::path default_experience();

// The book that came with the program: installed, or beside the program in its build folder; empty
// if there is none.
std::filesystem::path installed_base();

// True if the file can be written, or created in its folder.
bool can_write(const std::filesystem::path& file);

// An overlay is the file that learns while `book` cannot be written. The places where one may lie,
// whether or not it is there: beside the book, and in the folder of default_experience().
std::vector<std::filesystem::path> overlays_of(const std::filesystem::path& book);
// The first of these that is there, filled or not; empty if none is.
std::filesystem::path existing_overlay(const std::filesystem::path& book);
// The one to write now: beside the book, or the other if nothing can be written there; empty if
// there is no such folder.
std::filesystem::path overlay_of(const std::filesystem::path& book);

}  // namespace book
