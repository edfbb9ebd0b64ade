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
// The copy that is made before a book of this format is brought up to date.
std::filesystem::path copy_before(int format, const std::filesystem::path& book);
// All of these that exist.
std::vector<std::filesystem::path> copies_of(const std::filesystem::path& book);

// The file for SQLite, which takes a relative name that begins with "file:" for a URI.
std::string sqlite_name(const std::filesystem::path& file);

// Replaces the target by a copy of the book, which gets its name when it is whole and on the disk.
// If another process is making it, waits for that one and makes none. Throws Failure if it cannot
// be written.
void replace_by_copy(SQLite::Database& book, const std::filesystem::path& target);

}  // namespace book
