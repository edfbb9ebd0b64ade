// Reads games from a stream of PGN text, tolerantly: whatever real files contain is read, skipped
// or reported with its line, and the rest goes on. Memory is bounded whatever the input. Source: S.
// Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.
#pragma once

#include "book/pgn/fingerprint.h"
#include "book/pgn/replay.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace book {

enum class Outcome : std::uint8_t { White, Draw, Black, Unknown };

struct PgnGame {
    std::int64_t number = 0;  // in its stream, from 1; games that are left out count
    std::int64_t line = 0;    // where it begins, from 1
    std::string event, date, round, white, black, eco, variant, fen, utc_date, utc_time;
    int white_rating = 0, black_rating = 0;  // 0: not given
    Outcome outcome = Outcome::Unknown;
    engine::Position start;
    std::vector<Move> moves;
    std::vector<Key> keys;  // before each move

    // Why the game is to be left out, and where; "" if it is clean.
    std::string trouble;
    std::int64_t trouble_line = 0;
    // What was odd but did no harm, or ""; what follows a null move is left out, for example.
    std::string note;
};

class PgnReader {
  public:
    // Fills the buffer with up to its size of bytes and returns how many; 0 at the end.
    using Source = std::function<std::size_t(std::span<char>)>;
    explicit PgnReader(Source source);

    // Before the first game: leaves out so many bytes of the text; fewer, if there are no more.
    void skip(std::int64_t bytes);
    // The next game; false at the end. `game` keeps its memory from call to call.
    bool next(PgnGame& game);

    // Of the text up to behind the last game, what was skipped included.
    [[nodiscard]] std::int64_t bytes_read() const { return consumed_ + (at_ - begin_); }
    [[nodiscard]] std::string fingerprint() const;
    [[nodiscard]] std::int64_t lines_read() { return line() - 1; }
    [[nodiscard]] std::int64_t games() const { return games_; }
    [[nodiscard]] std::int64_t other_lines() const { return other_lines_; }  // text that is no game

  private:
    static constexpr std::ptrdiff_t LongestWord = 255;  // of what is looked at before it is passed
    static constexpr std::ptrdiff_t Ahead = LongestWord + 8;  // always there, but at the end
    static_assert(Replay::LongestMove < Ahead);

    bool fill();  // more text behind what is left; false if there is none
    // A whole word's worth of text, as far as there is any.
    bool ensure() {
        while (end_ - at_ < Ahead && fill()) {
        }
        return at_ != end_;
    }
    std::int64_t line();  // of the character at at_
    bool find_game();
    [[nodiscard]] bool at_tag() const;
    [[nodiscard]] bool at_first_move() const;
    void read_tags(PgnGame& game);
    void read_tag(PgnGame& game);
    std::string_view read_value();
    void set_up(PgnGame& game);
    bool skip_aside(PgnGame& game);
    void read_moves(PgnGame& game);
    bool skip_number();
    bool play_plain(PgnGame& game);
    bool read_word(PgnGame& game);
    bool understand(PgnGame& game, std::string_view word);
    void play(PgnGame& game, std::string_view word);
    const engine::Position& position(const PgnGame& game);
    void skip_line();
    bool skip_comment();
    void skip_markup();
    void trouble(PgnGame& game, std::string text, std::int64_t where = 0);

    Source source_;
    Fingerprint consumed_print_;
    std::vector<char> buffer_;
    char *begin_, *at_, *end_;  // buffer, what is read, what is there; *end_ is 0
    const char* counted_;       // lines are counted up to here
    std::int64_t lines_ = 0, consumed_ = 0, games_ = 0, other_lines_ = 0;
    char line_end_ = '\n';  // '\r' in files of old Macintoshes
    bool at_end_ = false, started_ = false;
    int depth_ = 0;            // of variations
    std::int64_t opened_ = 0;  // the line where the outermost began
    bool playing_ = false;     // words outside variations are moves that count
    bool chess960_ = false;
    Replay board_;          // before the next move, unless chess960_
    engine::Position pos_;  // for what board_ cannot read: behind it in the game,
    std::size_t made_ = 0;  // with so many moves made
    std::string value_;
};

}  // namespace book
