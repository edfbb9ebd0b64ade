// Copies of a whole book, and their names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace book {

// The copy that is made once a week.
std::filesystem::path weekly_copy_of(const std::filesystem::path& book);
// A weekly copy that had twice as many games as the book: the book was lost, and a new one begun.
std::filesystem::path earlier_copy_of(const std::filesystem::path& book);
// The copy that is made before a book of this format is brought up to date.
std::filesystem::path copy_before(int format, const std::filesystem::path& book);
// All of these that exist.
std::vector<std::filesystem::path> copies_of(const std::filesystem::path& book);

// The file name for SQLite, which would read a relative name that begins with "file:" as a URI.
std::string sqlite_name(const std::filesystem::path& file);

// Replaces the target by a copy of the book, renamed into place once it is complete and on disk. If
// another process is making the copy, waits for that one instead. Throws Failure if it cannot be
// written.
void replace_by_copy(SQLite::Database& book, const std::filesystem::path& target);

}  // namespace book
