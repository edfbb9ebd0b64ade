// Reads games from a stream of PGN text, tolerantly: faults are reported with their line, and
// reading goes on with the next game. Memory is bounded whatever the input.
// Source: S. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.
#pragma once

#include "book/pgn/pgn_game.h"
#include "book/pgn/text_buffer.h"

namespace book {

class PgnReader {
  public:
    using Source = TextSource;
    explicit PgnReader(Source source) : text_(std::move(source)) {}

    // Skips bytes of the text, all if there are fewer. Only before the first game.
    void skip(std::int64_t bytes) { text_.skip(bytes); }
    // The next game; false at the end. `game` keeps its memory from call to call.
    bool next(PgnGame& game);

    // Of the text up to the end of the last game, with what was skipped.
    [[nodiscard]] std::int64_t bytes_read() const { return text_.bytes_passed(); }
    [[nodiscard]] std::string fingerprint() const { return text_.fingerprint(); }
    [[nodiscard]] std::int64_t lines_read() { return text_.line() - 1; }
    [[nodiscard]] std::int64_t games() const { return games_; }
    [[nodiscard]] std::int64_t other_lines() const { return other_lines_; }  // text that is no game

  private:
    bool find_game();
    [[nodiscard]] bool is_first_move() const;
    void read_tags(PgnGame& game);
    void read_tag(PgnGame& game);
    std::string_view read_value();

    TextBuffer text_;
    std::string value_;  // of a tag with escapes
    std::int64_t games_ = 0, other_lines_ = 0;
};

}  // namespace book
