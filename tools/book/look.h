// Looking into a book: what the commands that show something share.
#pragma once

#include "book/book_files.h"
#include "book/probe/opening_names.h"
#include "tools/book/book_command.h"

namespace tools::book_command {

// The user's book, whatever it consists of, for reading only.
Result<book::BookFiles> open_for_looking(const Place& place);
// What is known of a position; own games and values are those of `side`.
Result<book::PositionView> look(book::BookFiles& files,
                                const engine::Position& pos,
                                book::Color side,
                                book::TimeClass time = book::TimeClass::Blitz);

// "always,avoid"; "" without a mark.
std::string flags_text(int flags);
// The flag of "always", "prefer", "avoid" and "never", 0 of "none"; nothing if it is no mark.
std::optional<int> flag_from(const std::string& word);
std::optional<book::TimeClass> time_from(const std::string& name);
// A number of a C format, as std::snprintf would print it.
std::string formatted(const char* format, double a, double b = 0, double c = 0);
// Wins and draws in per cent of so many games; "-" if there were none.
std::string percent_text(std::int64_t wins, std::int64_t draws, std::int64_t losses);

}  // namespace tools::book_command
