#include "book/pgn.h"

#include "book/pgn_chars.h"
#include "book/pgn_move.h"
#include "book/pgn_words.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <cstring>

namespace book {
namespace {

using engine::Position;

constexpr std::size_t BufferSize = 1 << 18;
constexpr std::ptrdiff_t LongestWord = 255;        // of what is looked at before it is passed
constexpr std::ptrdiff_t Ahead = LongestWord + 8;  // always there, but at the end of the text
constexpr std::size_t Beginning = 4096;            // that says how lines end
constexpr std::size_t LongestValue = 255;          // of a tag, in what is kept
constexpr std::size_t LongestQuote = 24;           // of a bad word, in reports
static_assert(Replay::LongestMove < Ahead);

std::string quoted(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, LongestQuote))
        text += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    return text + (word.size() > LongestQuote ? "...\"" : "\"");
}

// A tag that is kept: as text, or as what its text means.
struct Tag {
    std::string_view name;
    std::string PgnGame::*text = nullptr;
    void (*set)(PgnGame& game, std::string_view value) = nullptr;
};
constexpr std::array Tags{
    Tag{.name = "Event", .text = &PgnGame::event},
    Tag{.name = "Date", .text = &PgnGame::date},
    Tag{.name = "Round", .text = &PgnGame::round},
    Tag{.name = "White", .text = &PgnGame::white},
    Tag{.name = "Black", .text = &PgnGame::black},
    Tag{.name = "ECO", .text = &PgnGame::eco},
    Tag{.name = "FEN", .text = &PgnGame::fen},
    Tag{.name = "Variant", .text = &PgnGame::variant},
    Tag{.name = "UTCDate", .text = &PgnGame::utc_date},
    Tag{.name = "UTCTime", .text = &PgnGame::utc_time},
    Tag{.name = "Result",
        .set =
            [](PgnGame& game, std::string_view value) {
                game.outcome = outcome_of(value).value_or(Outcome::Unknown);
            }},
    Tag{.name = "WhiteElo",
        .set = [](PgnGame& game, std::string_view value) { game.white_rating = to_rating(value); }},
    Tag{.name = "BlackElo",
        .set = [](PgnGame& game, std::string_view value) { game.black_rating = to_rating(value); }},
};
const Tag* tag_of(std::string_view name) {
    for (const Tag& tag : Tags)
        if (tag.name.front() == name.front() && tag.name == name)
            return &tag;
    return nullptr;
}

}  // namespace

PgnReader::PgnReader(Source source)
    : source_(std::move(source)), buffer_(BufferSize + Ahead + 3), begin_(buffer_.data() + 1),
      at_(begin_), end_(begin_), counted_(begin_) {
    begin_[-1] = '\n';  // what stands before at_ can always be looked at
}

std::int64_t PgnReader::line() {
    lines_ += std::count(counted_, static_cast<const char*>(at_), line_end_);
    counted_ = at_;
    return lines_ + 1;
}

bool PgnReader::fill() {
    if (at_end_)
        return false;
    line();
    consumed_ += at_ - begin_;
    consumed_print_.add(std::string_view(begin_, static_cast<std::size_t>(at_ - begin_)));
    const auto left = static_cast<std::size_t>(end_ - at_);
    begin_[-1] = at_[-1];
    std::memmove(begin_, at_, left);
    at_ = begin_;
    counted_ = begin_;
    std::size_t n = source_(std::span(begin_ + left, BufferSize));
    at_end_ = n == 0;
    if (!started_) {  // the same for pieces of any size
        for (std::size_t more = n; more > 0 && n < Beginning; n += more)
            more = source_(std::span(begin_ + n, BufferSize - n));
        started_ = true;
        const char* const stop = begin_ + std::min(n, Beginning);
        if (std::find(static_cast<const char*>(begin_), stop, '\n') == stop &&
            std::find(static_cast<const char*>(begin_), stop, '\r') != stop)
            line_end_ = '\r';
    }
    end_ = begin_ + left + n;
    *end_ = '\0';
    return n > 0;
}

std::string PgnReader::fingerprint() const {
    Fingerprint print = consumed_print_;
    print.add(std::string_view(begin_, static_cast<std::size_t>(at_ - begin_)));
    return print.bytes();
}

void PgnReader::skip(std::int64_t bytes) {
    while (bytes > 0 && (at_ != end_ || fill())) {
        const std::ptrdiff_t n = std::min<std::int64_t>(bytes, end_ - at_);
        at_ += n;
        bytes -= n;
    }
}

bool PgnReader::ensure() {
    while (end_ - at_ < Ahead && fill()) {
    }
    return at_ != end_;
}

void PgnReader::trouble(PgnGame& game, std::string text, std::int64_t where) {
    playing_ = false;
    if (!game.trouble.empty())
        return;
    game.trouble = std::move(text);
    game.trouble_line = where > 0 ? where : line();
}

void PgnReader::skip_line() {
    for (;;) {
        while (at_ != end_ && !is_kind(*at_, LineEndChar))
            ++at_;
        if (at_ != end_ || !fill())
            return;
    }
}

// Behind the closing brace; false if there is none.
bool PgnReader::skip_comment() {
    for (;;) {
        if (void* const brace = std::memchr(at_, '}', static_cast<std::size_t>(end_ - at_))) {
            at_ = static_cast<char*>(brace) + 1;
            return true;
        }
        at_ = end_;
        if (!fill())
            return false;
    }
}

// <b> and its like, in pages saved as text.
void PgnReader::skip_markup() {
    constexpr std::ptrdiff_t Longest = 64;
    char* const limit = at_ + std::min(end_ - at_, Longest);
    char* const close = std::find(at_, limit, '>');
    at_ = close == limit ? at_ + 1 : close + 1;
}

// True in front of [Word followed by a space or a quotation mark.
bool PgnReader::at_tag() const {
    if (*at_ != '[')
        return false;
    const char* p = at_ + 1;
    while (is_kind(*p, NameChar) && p - at_ < LongestWord)
        ++p;
    return p > at_ + 1 && (*p == ' ' || *p == '"' || *p == '\t');
}

// A game without tags begins with a move from the start position, perhaps behind its number.
bool PgnReader::at_first_move() const {
    static const Position standard;
    const char* const limit = at_ + LongestWord;
    const char* p = at_;
    while (is_kind(*p, DigitChar) && p < limit)
        ++p;
    while ((*p == '.' || (p != at_ && *p == ' ')) && p < limit)
        ++p;
    const char* q = p;
    while (!ends_word(*q) && q < limit)
        ++q;
    return q != p && read_move(standard, std::string_view(p, static_cast<std::size_t>(q - p)));
}

// Moves to the first tag or move of a game. Text between games is skipped, a line at a time.
bool PgnReader::find_game() {
    bool line_start = is_kind(at_[-1], LineEndChar);
    while (ensure()) {
        const char c = *at_;
        if (std::memcmp(at_, "\xEF\xBB\xBF", 3) == 0) {
            at_ += 3;
        } else if (is_kind(c, SpaceChar)) {
            line_start = line_start || is_kind(c, LineEndChar);
            ++at_;
        } else if (at_tag() || (line_start && at_first_move())) {
            return true;
        } else if (c == '{') {
            ++at_;
            if (!skip_comment())
                return false;
            line_start = false;
        } else if (c == '%' || c == ';') {
            skip_line();
        } else {
            const char* q = at_;
            while (!is_kind(*q, SpaceChar) && q - at_ < LongestWord)
                ++q;
            const std::string_view word(at_, static_cast<std::size_t>(q - at_));
            if (outcome_of(word)) {  // a stray result is nothing to mention
                at_ += word.size();
            } else {
                ++other_lines_;
                skip_line();
            }
        }
    }
    return false;
}

// The value of a tag with its escapes resolved, cut to what anybody needs. Ends at the quotation
// mark or, where that is missing, with the line.
std::string_view PgnReader::read_value() {
    const char* stop = at_;
    while (!is_kind(*stop, ValueEndChar))
        ++stop;
    if (*stop == '"' && stop - at_ <= static_cast<std::ptrdiff_t>(LongestValue)) {
        const std::string_view plain(at_, static_cast<std::size_t>(stop - at_));
        at_ += plain.size() + 1;
        return plain;
    }
    value_.clear();
    for (;; ++at_) {
        if (at_ == end_ && !fill())
            break;
        if (*at_ == '\\' && at_ + 1 == end_)
            fill();
        if (*at_ == '\\' && (at_[1] == '"' || at_[1] == '\\'))
            ++at_;
        else if (*at_ == '"' || is_kind(*at_, LineEndChar))
            break;
        if (value_.size() < LongestValue)
            value_ += *at_;
    }
    if (at_ != end_ && *at_ == '"')
        ++at_;
    return value_;
}

void PgnReader::read_tag(PgnGame& game) {
    const char* name_end = ++at_;
    while (is_kind(*name_end, NameChar))
        ++name_end;
    const std::string_view name(at_, static_cast<std::size_t>(name_end - at_));
    const Tag* const tag = tag_of(name);
    at_ += name.size();
    while ((at_ != end_ || fill()) && (*at_ == ' ' || *at_ == '\t'))
        ++at_;
    if (*at_ != '"') {
        skip_line();
        return;
    }
    ++at_;
    const std::string_view value = read_value();
    if (tag != nullptr && tag->text != nullptr)
        game.*tag->text = value;
    else if (tag != nullptr)
        tag->set(game, value);
}

void PgnReader::read_tags(PgnGame& game) {
    bool event = false;
    while (ensure()) {
        const char c = *at_;
        if (is_kind(c, SpaceChar)) {
            ++at_;
        } else if (at_tag()) {
            const bool is_event =
                std::memcmp(at_, "[Event ", 7) == 0 || std::memcmp(at_, "[Event\"", 7) == 0;
            if (is_event && event)
                return;  // the game before had no moves, not even a result
            event = event || is_event;
            read_tag(game);
            // Behind the value comes ']', and on a line of its own nothing else that matters.
            if (*at_ == ']')
                ++at_;
        } else if (c == '[') {
            while ((at_ != end_ || fill()) && *at_ != ']' && !is_kind(*at_, LineEndChar))
                ++at_;  // a tag nobody can read
        } else if (c == '<') {
            skip_markup();
        } else if (c == '%') {
            skip_line();
        } else if (c == '?' || c == ']' || c == '\'' || c == '"') {
            ++at_;
        } else {
            return;
        }
    }
}

void PgnReader::set_up(PgnGame& game) {
    static const Position standard;
    static const Replay standard_board;
    playing_ = true;
    chess960_ = false;
    made_ = 0;
    board_ = standard_board;
    pos_ = standard;
    if (!is_chess(game.variant) && !is_chess960(game.variant)) {
        game.foreign_variant = true;
        trouble(game, "a game of other rules: " + quoted(game.variant));
    } else if (!game.fen.empty()) {
        Result<Position> start = Position::from_fen(game.fen);
        if (start) {
            pos_ = *start;
            chess960_ = pos_.is_chess960();
            if (!chess960_)
                board_.set_up(pos_);
        } else {
            trouble(game, "the start position: " + start.error().what);
        }
    } else if (is_chess960(game.variant)) {
        trouble(game, "a game of Chess960 without its start position");
    }
    game.start = pos_;
}

// Before the next move.
const Position& PgnReader::position(const PgnGame& game) {
    for (; made_ < game.moves.size(); ++made_)
        pos_.make(game.moves[made_]);
    return pos_;
}

// A move as most are written, straight from the text; false if it is anything else.
bool PgnReader::play_plain(PgnGame& game) {
    const char* end = nullptr;
    const Move m = board_.read(at_, end);
    if (!m)
        return false;
    game.moves.push_back(m);
    game.keys.push_back(board_.key());
    board_.make(m);
    at_ += end - at_;
    return true;
}

void PgnReader::play(PgnGame& game, std::string_view word) {
    const Position& pos = position(game);
    if (const Move m = read_move(pos, word)) {
        game.moves.push_back(m);
        game.keys.push_back(pos.key());
        if (!chess960_)
            board_.make(m);
        return;
    }
    const std::string place =
        std::to_string(pos.fullmove_number()) + (pos.side_to_move() == engine::White ? "." : "...");
    const auto because = engine::parse_move(pos, without_marks(word));
    const char* why = "is no move";
    if (!because && because.error() == engine::NoMoveBecause::Illegal)
        why = "is not legal";
    else if (!because && because.error() == engine::NoMoveBecause::Ambiguous)
        why = "may be two moves";
    trouble(game, place + " " + quoted(word) + " " + why);
}

// One word of the move text; false if it ended the game.
bool PgnReader::understand(PgnGame& game, std::string_view word) {
    const char first = word.front();
    if (is_kind(first, DigitChar) || first == '*' || first == '?' || first == 'O' ||
        first == '\xC2') {
        if (const std::optional<Outcome> outcome = outcome_of(word)) {
            if (game.outcome == Outcome::Unknown)
                game.outcome = *outcome;
            return false;
        }
        if (is_kind(first, DigitChar) &&
            !(word.starts_with("0-0") || word.starts_with("0-O"))) {  // a number of a move
            const std::size_t dots = std::min(word.find_first_not_of("0123456789"), word.size());
            const std::size_t n = std::min(word.find_first_not_of('.', dots), word.size());
            if (n == word.size())
                return true;
            if (dots == n && word[n] != ',' && word[n] != ')' && !is_kind(word[n], NameChar)) {
                trouble(game, quoted(word) + " is no move");
                return true;
            }
            return understand(game, word.substr(n));
        }
    }
    if (!playing_)
        return true;
    if (word.find_first_not_of("+-=#!?.,:/\\|~^&'\"`@") == std::string_view::npos && word != "--" &&
        word != "@@@@")
        return true;  // a mark of its own
    if (is_null_move(word)) {
        game.note = "null move: the rest of the line is left out";
        playing_ = false;
    } else if (!is_remark(word)) {
        play(game, word);
    }
    return true;
}

// The number of a move with its dots; false if the digits are something else.
bool PgnReader::skip_number() {
    const char* const limit = at_ + LongestWord;
    const char* p = at_;
    while (is_kind(*p, DigitChar) && p < limit)
        ++p;
    const char* const dots = p;
    while (*p == '.' && p < limit)
        ++p;
    if (p == dots || is_kind(*p, DigitChar))
        return false;
    at_ += p - at_;
    return true;
}

// A word of the move text; false if it ended the game.
bool PgnReader::read_word(PgnGame& game) {
    const char* q = at_;
    while (!ends_word(*q) && q - at_ < LongestWord)
        ++q;
    if (*q == '(' && q > at_ && '1' <= q[-1] && q[-1] <= '8' && q[1] != '\0' && q[2] == ')')
        q += 3;  // a promotion written e8(Q)
    const std::string_view word(at_, std::max<std::size_t>(static_cast<std::size_t>(q - at_), 1));
    at_ += word.size();
    if (word.size() >=
        static_cast<std::size_t>(LongestWord)) {  // the rest of it is more words of the same kind
        trouble(game, "a word without end: " + quoted(word));
        return true;
    }
    return depth_ > 0 || understand(game, word);
}

void PgnReader::read_moves(PgnGame& game) {
    depth_ = 0;
    std::int64_t opened = 0;
    while (ensure()) {
        if (is_kind(*at_, SpaceChar)) {
            ++at_;
            continue;
        }
        if (is_kind(*at_, DigitChar) ? skip_number()
                                     : playing_ && depth_ == 0 && !chess960_ && play_plain(game))
            continue;
        switch (*at_) {
        case '{': {
            const std::int64_t where = line();
            ++at_;
            if (!skip_comment())
                trouble(game, "a comment that is not closed", where);
            continue;
        }
        case '%':
            if (!is_kind(at_[-1], LineEndChar))
                break;
            [[fallthrough]];
        case ';':
            skip_line();
            continue;
        case '(':
            if (depth_++ == 0)
                opened = line();
            ++at_;
            continue;
        case ')':
            depth_ = std::max(0, depth_ - 1);
            ++at_;
            continue;
        case '$':
            ++at_;
            while ((at_ != end_ || fill()) && is_kind(*at_, DigitChar))
                ++at_;
            continue;
        case '<':
            skip_markup();
            continue;
        case '[':
            if (at_tag()) {
                if (depth_ > 0)
                    trouble(game, "a variation that is not closed", opened);
                return;
            }
            [[fallthrough]];
        case '}':
        case ']':
        case '>':
            ++at_;
            continue;
        default:
            break;
        }
        if (!read_word(game))
            return;
    }
    if (depth_ > 0)
        trouble(game, "a variation that is not closed", opened);
}

bool PgnReader::next(PgnGame& game) {
    for (;;) {
        for (const Tag& tag : Tags)
            if (tag.text != nullptr)
                (game.*tag.text).clear();
        game.trouble.clear();
        game.note.clear();
        game.white_rating = game.black_rating = 0;
        game.outcome = Outcome::Unknown;
        game.moves.clear();
        game.keys.clear();
        game.trouble_line = 0;
        game.foreign_variant = false;
        if (!find_game())
            return false;
        const bool tagged = *at_ == '[';
        game.line = line();
        game.number = ++games_;
        read_tags(game);
        set_up(game);
        read_moves(game);
        if (tagged || game.trouble.empty() || game.moves.size() > 4)
            return true;
        --games_;  // prose that began like a game
        ++other_lines_;
    }
}

}  // namespace book
