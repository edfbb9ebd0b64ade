#include "book/pgn/movetext.h"

#include "book/model/utf8.h"
#include "book/pgn/replay.h"
#include "engine/board/notation.h"

#include <algorithm>

#include <fmt/format.h>

namespace book {
namespace {

using engine::Position;

static_assert(Replay::MaxMoveText < TextBuffer::MinAhead);

const Replay& standard_board() {
    static const Replay board;
    return board;
}
const Position& standard_position() {
    static const Position position;
    return position;
}

class MovetextReader {
  public:
    MovetextReader(TextBuffer& text, PgnGame& game, bool keep_comments)
        : text_(text), game_(game), keeps_comments_(keep_comments) {
        set_up();
        game_.start = pos_;
    }
    void read();

  private:
    void set_up();
    [[nodiscard]] bool begins_next_game() const;
    bool skip_number();
    bool play_plain();
    bool skip_aside();
    void skip_comment();
    bool read_word();
    void end_with(Outcome outcome);
    bool interpret(std::string_view word);
    bool interpret_number(std::string_view word);
    void play(std::string_view word);
    const Position& position();
    void set_trouble(std::string text) { set_trouble(std::move(text), text_.line()); }
    void set_trouble(std::string text, std::int64_t line);

    TextBuffer& text_;
    PgnGame& game_;
    bool keeps_comments_;
    int depth_ = 0;                       // of variations
    std::int64_t variation_line_ = 0;     // where the outermost variation began
    bool playing_ = true;                 // words outside variations are moves that count
    bool chess960_ = false;               // board_ is not in use
    Replay board_ = standard_board();     // before the next move
    Position pos_ = standard_position();  // after made_ moves; reads what board_ cannot
    std::size_t made_ = 0;
};

void MovetextReader::set_up() {
    if (!is_chess(game_.variant) && !is_chess960(game_.variant))
        return set_trouble("a game of another chess variant: " + quoted_word(game_.variant));
    if (game_.fen.empty()) {
        if (is_chess960(game_.variant))
            set_trouble("a game of Chess960 without its start position");
        return;
    }
    const Result<Position> start = Position::from_fen(game_.fen);
    if (!start)
        return set_trouble("the start position: " + start.error().what);
    pos_ = *start;
    chess960_ = pos_.is_chess960();
    if (!chess960_)
        board_.set_up(pos_);
}

// Keeps the first one only.
void MovetextReader::set_trouble(std::string text, std::int64_t line) {
    playing_ = false;
    if (!game_.trouble.empty())
        return;
    game_.trouble = std::move(text);
    game_.trouble_line = line;
}

// Before the next move.
const Position& MovetextReader::position() {
    for (; made_ < game_.moves.size(); ++made_)
        pos_.make(game_.moves[made_]);
    return pos_;
}

// The fast path: plays a move as most are written; false if the text is anything else.
bool MovetextReader::play_plain() {
    const char* end = nullptr;
    const Move m = board_.read(text_.at(), end);
    if (!m)
        return false;
    game_.moves.push_back(m);
    game_.keys.push_back(board_.key());
    board_.make(m);
    text_.move_to(end);
    return true;
}

void MovetextReader::play(std::string_view word) {
    const Position& pos = position();
    if (const Move m = read_move(pos, word)) {
        game_.moves.push_back(m);
        game_.keys.push_back(pos.key());
        if (!chess960_)
            board_.make(m);
        return;
    }
    const auto parsed = engine::parse_move(pos, without_marks(word));
    const char* why = "is not a move";
    if (!parsed && parsed.error() == engine::NoMoveBecause::Illegal)
        why = "is not legal";
    else if (!parsed && parsed.error() == engine::NoMoveBecause::Ambiguous)
        why = "is ambiguous";
    set_trouble(fmt::format("{}{} {} {}",
                            pos.fullmove_number(),
                            pos.side_to_move() == engine::White ? "." : "...",
                            quoted_word(word),
                            why));
}

// The result after the moves was written last, so it counts more than the tag.
void MovetextReader::end_with(Outcome outcome) {
    game_.has_end = true;
    if (outcome == Outcome::Unknown)
        return;
    game_.contradicts_tag = game_.outcome != Outcome::Unknown && game_.outcome != outcome;
    game_.outcome = outcome;
}

// One word of the move text; false if it ended the game.
bool MovetextReader::interpret(std::string_view word) {
    if (word.find(EnDash) != std::string_view::npos)
        return interpret(with_hyphens(word));
    const char first = word.front();
    if (is_kind(first, DigitChar) || first == '*' || first == '?' || first == 'O' ||
        first == '\xC2') {
        if (const std::optional<Outcome> outcome = to_outcome(word)) {
            end_with(*outcome);
            return false;
        }
    }
    const bool is_null = is_null_move(word);  // "0000" is no move number
    if (!is_null &&
        ((is_kind(first, DigitChar) && !word.starts_with("0-0") && !word.starts_with("0-O")) ||
         first == '.'))
        return interpret_number(word);
    if (!playing_)
        return true;
    if (is_null) {
        game_.note = "null move: the rest of the line is left out";
        playing_ = false;
    } else if (!is_sign(word) && !is_remark(word)) {
        play(word);
    }
    return true;
}

// A move number, or the dots of one, perhaps followed by the move without a space.
bool MovetextReader::interpret_number(std::string_view word) {
    const std::size_t dots = std::min(word.find_first_not_of("0123456789"), word.size());
    std::size_t move = std::min(word.find_first_not_of('.', dots), word.size());
    const auto is_letter = [](char c) { return is_kind(c, NameChar) && !is_kind(c, DigitChar); };
    if (dots == move && move < word.size() && word[move] == '-' &&
        (move + 1 == word.size() || is_letter(word[move + 1])))
        ++move;  // "1-" and "1-e4", but not "1-0"
    if (move == word.size())
        return true;
    if (dots == move && word[move] != ',' && word[move] != ')' && !is_kind(word[move], NameChar)) {
        set_trouble(quoted_word(word) + " is not a move");
        return true;
    }
    return interpret(word.substr(move));
}

// Lists of lines have neither tags nor results: each "1." at the beginning of a line is a new game.
bool MovetextReader::begins_next_game() const {
    const char* const at = text_.at();
    return at[0] == '1' && at[1] == '.' && at[2] != '.' && is_kind(at[-1], LineEndChar) &&
           depth_ == 0 && (game_.moves.size() > 1 || !playing_) && game_.event.empty() &&
           game_.white.empty() && game_.black.empty() && game_.fen.empty();
}

// Skips the number of a move with its dots; false if the digits are something else.
bool MovetextReader::skip_number() {
    const char* const limit = text_.at() + MaxWord;
    const char* const dots = digits_end(text_.at());
    const char* p = dots;
    while (*p == '.' && p < limit)
        ++p;
    if (p == dots || is_kind(*p, DigitChar))
        return false;
    text_.move_to(p);
    return true;
}

// False if the word ended the game.
bool MovetextReader::read_word() {
    const char* end = word_end(text_.at());
    if (*end == '(' && end > text_.at() && '1' <= end[-1] && end[-1] <= '8' && end[1] != '\0' &&
        end[2] == ')')
        end += 3;  // a promotion written e8(Q)
    const std::ptrdiff_t size = std::max<std::ptrdiff_t>(end - text_.at(), 1);
    const std::string_view word(text_.at(), static_cast<std::size_t>(size));
    text_.move_to(text_.at() + size);
    if (size >= MaxWord) {  // the rest of it is read as further words
        set_trouble("a word that is too long: " + quoted_word(word));
        return true;
    }
    return depth_ > 0 || interpret(word);
}

void MovetextReader::skip_comment() {
    text_.pass();
    const bool kept = keeps_comments_ && depth_ == 0 && playing_;
    if (kept)
        game_.comments.push_back({.ply = game_.moves.size()});
    std::string* const copy = kept ? &game_.comments.back().text : nullptr;
    if (const std::int64_t line = text_.skip_comment(copy, MaxComment); line > 0)
        set_trouble("a comment that is not closed", line);
}

// Skips a comment, a bracket of a variation, an annotation or a stray bracket; false if the text is
// something else.
bool MovetextReader::skip_aside() {
    switch (*text_.at()) {
    case '{':
        skip_comment();
        return true;
    case '%':
        if (!is_kind(text_.at()[-1], LineEndChar))
            return false;
        [[fallthrough]];
    case ';':
        text_.skip_line();
        return true;
    case '(':
        if (depth_++ == 0)
            variation_line_ = text_.line();
        text_.pass();
        return true;
    case ')':
        depth_ = std::max(0, depth_ - 1);
        text_.pass();
        return true;
    case '$':
        text_.pass();
        text_.skip_kind(DigitChar);
        return true;
    case '<':
        text_.skip_markup();
        return true;
    case '[':
    case '}':
    case ']':
    case '>':
        text_.pass();
        return true;
    default:
        return false;
    }
}

void MovetextReader::read() {
    while (text_.has_word()) {
        const char c = *text_.at();
        if (is_kind(c, SpaceChar)) {
            text_.pass();
            continue;
        }
        if (begins_next_game())
            break;
        if (is_kind(c, DigitChar) ? skip_number()
                                  : playing_ && depth_ == 0 && !chess960_ && play_plain())
            continue;
        if (is_tag(text_.at()))
            break;
        if (!skip_aside() && !read_word())
            return;
    }
    if (depth_ > 0)
        set_trouble("a variation that is not closed", variation_line_);
}

}  // namespace

void read_movetext(TextBuffer& text, PgnGame& game, bool keep_comments) {
    MovetextReader(text, game, keep_comments).read();
}

}  // namespace book
