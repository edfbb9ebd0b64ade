// What the words of PGN tags and results mean.
#pragma once

#include "book/pgn/reader.h"

#include <optional>

namespace book {

// 1..9999, else 0.
int to_rating(std::string_view text);
// Names of chess and Chess960 as programs write them; anything else has other rules.
bool is_chess(std::string_view variant);
bool is_chess960(std::string_view variant);
// Of "1-0" and its like, "*" included; nothing for other words.
std::optional<Outcome> outcome_of(std::string_view word);
// "--" and other ways to pass.
bool is_null_move(std::string_view word);
// What annotators put between moves without braces: "ch", "mate", "N" for a novelty.
bool is_remark(std::string_view word);
// The word in quotation marks, cut short: for reports.
std::string quoted_word(std::string_view word);

}  // namespace book
