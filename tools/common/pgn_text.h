// Writing PGN.
#pragma once

#include <string>
#include <string_view>

namespace tools {

// [Name "value"] and a line end; characters that may not stand in a value are left out.
void add_tag(std::string& pgn, std::string_view name, std::string_view value);

// Words of moves, in lines of less than 80 characters.
class Movetext {
  public:
    void add(std::string_view word);
    // All words, with an empty line behind them.
    [[nodiscard]] std::string text() const { return text_ + "\n\n"; }

  private:
    std::string text_;
    std::size_t column_ = 0;
};

// White's score 1, 0.5 or 0 as "1-0" and so on.
const char* result_text(double white_score);

}  // namespace tools
