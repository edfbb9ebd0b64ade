// Parts of PGN text. Source: S. J. Edwards, "Portable Game Notation Specification" (1994).
#pragma once

#include "tools/common/adjudicator.h"

#include <string>
#include <string_view>

namespace tools {

// Appends [Name "value"] and a line end; control characters are left out of the value.
void add_tag(std::string& pgn, std::string_view name, std::string_view value);

// Movetext, in lines of less than 80 characters.
class Movetext {
  public:
    void add(std::string_view word);
    // All words, followed by an empty line.
    [[nodiscard]] std::string text() const { return text_ + "\n\n"; }

  private:
    std::string text_;
    std::size_t column_ = 0;
};

// "1-0", "0-1", "1/2-1/2", "*".
std::string_view result_text(Outcome outcome);
const char* result_text(double white_score);  // of White's points, 1, 0.5 or 0
std::optional<Outcome> parse_result(std::string_view text);

}  // namespace tools
