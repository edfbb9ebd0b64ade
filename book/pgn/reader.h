// Reads games from a stream of PGN text, tolerantly: faults are reported with their line, and
// reading goes on with the next game. Memory is bounded whatever the input.
// Source: S. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.
#pragma once

#include "book/pgn/pgn_game.h"
#include "book/pgn/text_buffer.h"

#include <memory>

namespace book {

// A remark about a text as a whole.
struct TextRemark {
    std::int64_t line = 0;  // the first line concerned; 0: none
    std::string what;
    bool lost = false;  // games are missing, or may be
};

class PgnReader {
  public:
    using Source = TextSource;
    // If the source ends in trouble with text lost, the unfinished game is bad. So is a last game
    // without a result after its moves, if an earlier game has one or, for an only game, if its tag
    // has.
    explicit PgnReader(Source source, std::shared_ptr<const SourceTrouble> trouble = nullptr)
        : text_(std::move(source)), trouble_(std::move(trouble)) {}

    // Skips bytes of the text, all if there are fewer. Only before the first game.
    void skip(std::int64_t bytes) {
        text_.skip(bytes);
        skipped_ = skipped_ || bytes > 0;
    }
    // next() also returns comments from now on.
    void keep_comments() { keeps_comments_ = true; }
    // The next game; false at the end. `game` keeps its memory from call to call. Values of tags
    // are UTF-8; text that is not is read as Latin-1.
    bool next(PgnGame& game);

    // Cover the text up to the end of the last game, including what was skipped. At the end: all of
    // it or, if text was lost, up to the last whole game, so that reading can continue there later.
    [[nodiscard]] std::int64_t bytes_read() const { return text_.marked_bytes(); }
    [[nodiscard]] std::string fingerprint() const { return text_.marked_fingerprint(); }
    [[nodiscard]] std::int64_t lines_read() { return text_.line() - 1; }
    [[nodiscard]] std::int64_t other_lines() const { return other_lines_.count; }
    // True if the end was reached, and text is missing there.
    [[nodiscard]] bool lost_text() const;
    // About the text so far: lines outside games, unclosed comments between games, results that
    // contradict the tags. At the end also the trouble of the source, or that the text is cut off.
    [[nodiscard]] std::vector<TextRemark> remarks() const;

  private:
    struct Places {
        std::int64_t count = 0, first_line = 0;
    };
    void note(Places& places, std::int64_t line);
    bool find_game();
    [[nodiscard]] bool is_first_move() const;
    bool is_cut_off(const PgnGame& game, bool is_surely_game);
    void read_tags(PgnGame& game);
    void read_tag(PgnGame& game);
    std::string_view read_value();
    std::string_view as_utf8(std::string_view value);
    bool closes_value();

    TextBuffer text_;
    std::shared_ptr<const SourceTrouble> trouble_;
    std::string value_;  // of a tag with escapes, or in another encoding
    std::int64_t games_ = 0;
    Places other_lines_, open_comments_, contradictions_;
    bool open_to_end_ = false;  // the last of these comments
    bool keeps_comments_ = false;
    bool skipped_ = false;      // text before the first game
    bool has_results_ = false;  // a game had a result after its moves
    bool cut_off_ = false;      // the last game
};

}  // namespace book
