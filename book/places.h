// Where the files of a book are by default.
#pragma once

#include <filesystem>

namespace book {

// The user's own book: XDG_DATA_HOME or ~/.local/share, then nutcracker/book.db; empty if there is
// no home.
std::filesystem::path default_experience();

// The book that came with the program: installed, or beside the program in its build folder; empty
// if there is none.
std::filesystem::path installed_base();

// The overlay: the file that learns while `book` cannot be written. It lies beside the book, or in
// the folder of default_experience() if nothing can be written there; empty if there is no such
// folder.
std::filesystem::path overlay_of(const std::filesystem::path& book);

}  // namespace book
