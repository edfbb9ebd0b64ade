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

// The file for what is learned while `book` cannot be written: beside it, or else in the folder of
// default_experience(); empty if there is none.
std::filesystem::path side_of(const std::filesystem::path& book);

}  // namespace book
