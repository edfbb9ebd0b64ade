#include "book/pgn/reader.h"

#include "book/pgn/chars.h"
#include "book/pgn/move_text.h"
#include "book/pgn/words.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <cstring>

namespace book {
namespace {

using engine::Position;

constexpr std::size_t BufferSize = 1 << 18;
constexpr std::size_t Beginning = 4096;    // that says how lines end
constexpr std::size_t LongestValue = 255;  // of a tag, in what is kept

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
