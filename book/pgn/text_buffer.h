// Buffers a stream of PGN text so that a whole word is always readable. Counts lines and bytes.
#pragma once

#include "book/pgn/fingerprint.h"
#include "book/pgn/words.h"

#include <functional>
#include <span>
#include <vector>

namespace book {

// Fills the buffer with up to its size of bytes and returns how many; 0 at the end.
using TextSource = std::function<std::size_t(std::span<char>)>;
// Why a source ended before the text did. Set before the source returns 0.
struct SourceTrouble {
    std::string what;   // "": none
    bool lost = false;  // text is missing
};

class TextBuffer {
  public:
    static constexpr std::ptrdiff_t MinAhead = MaxWord + 8;

    explicit TextBuffer(TextSource source);

    // The next character. The one before it is readable, too, and the text ends with 0.
    [[nodiscard]] const char* at() const { return at_; }
    [[nodiscard]] std::ptrdiff_t size() const { return end_ - at_; }  // read, but not passed yet
    void move_to(const char* place) { at_ += place - at_; }
    void pass() { ++at_; }

    // Both return false at the end of the text, and may move the text in memory.
    bool has_more() { return at_ != end_ || fill(); }
    bool has_word() {  // reads on until MinAhead characters are readable, or all that are left
        while (size() < MinAhead && fill()) {
        }
        return at_ != end_;
    }

    [[nodiscard]] bool has_ended() const { return at_end_; }  // the source has nothing more

    void skip(std::int64_t bytes);  // fewer at the end of the text
    // True if the skipped text ends with a result, as after the moves of a game.
    [[nodiscard]] bool skipped_result() const { return skipped_result_; }
    void skip_kind(int kinds) {
        while (has_more() && is_kind(*at_, kinds))
            ++at_;
    }
    void skip_line();  // to its end
    // Past the closing brace. A comment that was never closed ends before the next game: at a line
    // that begins with [Event " and follows an empty line, or at the end of the text. Returns the
    // line in which it began then, else 0. Its text, cut to `max` characters, is added to `copy`.
    std::int64_t skip_comment(std::string* copy = nullptr, std::size_t max = 0);
    void skip_markup();  // <b> and the like, in pages saved as text

    // Number of the line with the next character, from 1.
    std::int64_t line();
    // Marks this place: the next two functions cover the text before it.
    void mark() { marked_ = at_; }
    [[nodiscard]] std::int64_t marked_bytes() const {
        return marked_ != nullptr ? consumed_ + (marked_ - begin_) : marked_bytes_;
    }
    [[nodiscard]] std::string marked_fingerprint() const;

  private:
    bool fill();  // appends more text to what is left; false if there is none
    void consume();
    char* find(char c, char* stop) const;
    std::int64_t skip_long_comment(std::string* copy, std::size_t max);  // of several lines
    [[nodiscard]] bool at_blank_line() const;

    TextSource source_;
    Fingerprint consumed_print_, marked_print_;
    std::vector<char> buffer_;
    char *begin_, *at_, *end_;
    char* next_line_end_;           // the first from at_ on, or end_; unknown if it is before at_
    const char* counted_;           // lines are counted up to here
    const char* marked_ = nullptr;  // null if this text was consumed: its length and hash are kept
    std::int64_t lines_ = 0, consumed_ = 0, marked_bytes_ = 0;
    char line_end_ = '\n';  // '\r' in files of old Macintoshes
    bool at_end_ = false, started_ = false, skipped_result_ = false;
};

}  // namespace book
