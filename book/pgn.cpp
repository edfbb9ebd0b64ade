#include "book/pgn.h"

#include "book/pgn_move.h"
#include "book/pgn_words.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <cstring>

namespace book {
namespace {

using engine::Position;

constexpr std::size_t BufferSize = 1 << 18;
constexpr std::size_t LongestToken = 255;  // also the room a token always finds in the buffer
constexpr std::size_t LongestValue = 255;  // of a tag, in what is kept
constexpr std::size_t LongestQuote = 24;   // of a bad token, in reports

bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}
bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}
bool is_rank(char c) {
    return '1' <= c && c <= '8';
}
bool is_digit(char c) {
    return '0' <= c && c <= '9';
}
bool is_word(char c) {
    return is_digit(c) || (('a' <= (c | 0x20)) && (c | 0x20) <= 'z') || c == '_';
}

// Ends a token of the move text.
constexpr std::array<bool, 256> Ends = [] {
    std::array<bool, 256> ends{};
    for (const char c :
         {' ', '\n', '\r', '\t', '\v', '\f', '\0', '{', '}', ';', '[', ']', '$', '<', '>'})
        ends[static_cast<unsigned char>(c)] = true;
    return ends;
}();
bool ends_token(char c) {
    return Ends[static_cast<unsigned char>(c)];
}

std::string quoted(std::string_view token) {
    std::string text = "\"";
    for (const char c : token.substr(0, LongestQuote))
        text += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    return text + (token.size() > LongestQuote ? "...\"" : "\"");
}

}  // namespace

PgnReader::PgnReader(Source source)
    : source_(std::move(source)), buffer_(BufferSize + LongestToken + 2), begin_(buffer_.data()),
      at_(begin_), end_(begin_), counted_(begin_) {}

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
    const auto left = static_cast<std::size_t>(end_ - at_);
    std::memmove(begin_, at_, left);
    at_ = begin_;
    counted_ = begin_;
    const std::size_t n = source_(std::span(begin_ + left, BufferSize));
    end_ = begin_ + left + n;
    *end_ = '\0';
    at_end_ = n == 0;
    if (!started_ && n > 0) {
        started_ = true;
        if (std::find(begin_, end_, '\n') == end_ && std::find(begin_, end_, '\r') != end_)
            line_end_ = '\r';
    }
    return n > 0;
}

bool PgnReader::ensure() {
    while (static_cast<std::size_t>(end_ - at_) < LongestToken && fill()) {
    }
    return at_ != end_;
}

void PgnReader::trouble(PgnGame& game, std::string text) {
    if (!game.trouble.empty())
        return;
    game.trouble = std::move(text);
    game.trouble_line = line();
}

void PgnReader::skip_line() {
    for (;;) {
        at_ = std::find_if(at_, end_, is_line_end);
        if (at_ != end_ || !fill())
            break;
    }
    line_start_ = true;
}

// Behind the closing brace; false if there is none.
bool PgnReader::skip_comment() {
    for (;;) {
        at_ = std::find(at_, end_, '}');
        if (at_ != end_) {
            ++at_;
            return true;
        }
        if (!fill())
            return false;
    }
}

// True in front of [Word followed by a space or a quotation mark.
bool PgnReader::at_tag() const {
    if (*at_ != '[')
        return false;
    const char* p = at_ + 1;
    while (is_word(*p))
        ++p;
    return p > at_ + 1 && (*p == ' ' || *p == '"' || *p == '\t');
}

// Moves to the first tag or move of a game. Text between games is skipped, a line at a time.
bool PgnReader::find_game() {
    while (ensure()) {
        if (std::memcmp(at_, "\xEF\xBB\xBF", 3) == 0) {
            at_ += 3;
            continue;
        }
        if (is_space(*at_)) {
            line_start_ = line_start_ || is_line_end(*at_);
            ++at_;
            continue;
        }
        if (at_tag())
            return true;
        if (*at_ == '{') {
            ++at_;
            if (!skip_comment())
                return false;
            line_start_ = false;
            continue;
        }
        if (*at_ == '%' || *at_ == ';') {
            skip_line();
            continue;
        }
        // A game without tags begins with a move from the start position, perhaps behind its
        // number.
        const char* p = at_;
        while (is_digit(*p))
            ++p;
        while (*p == '.' || (p != at_ && *p == ' '))
            ++p;
        const char* q = p;
        while (!ends_token(*q))
            ++q;
        if (line_start_ && q != p &&
            read_move(Position(), std::string_view(p, static_cast<std::size_t>(q - p))))
            return true;
        const std::string_view token(
            at_, static_cast<std::size_t>(std::find_if(at_, end_, is_space) - at_));
        if (!outcome_of(token)) {  // a stray result is nothing to mention
            ++other_lines_;
            skip_line();
        } else {
            at_ += token.size();
        }
    }
    return false;
}

// The value of a tag with its escapes resolved, cut to what anybody needs. Ends at the quotation
// mark or, where that is missing, with the line.
std::string_view PgnReader::read_value() {
    const auto closing = [this] {
        return std::find_if(
            at_, end_, [](char c) { return c == '"' || c == '\\' || is_line_end(c); });
    };
    const char* stop = closing();
    if (stop != end_ && *stop == '"' && stop - at_ <= static_cast<std::ptrdiff_t>(LongestValue)) {
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
        else if (*at_ == '"' || is_line_end(*at_))
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
    while (is_word(*name_end))
        ++name_end;
    const std::string name(at_, static_cast<std::size_t>(name_end - at_));
    at_ += name.size();
    while (*at_ == ' ' || *at_ == '\t')
        ++at_;
    if (*at_++ != '"') {
        skip_line();
        return;
    }
    const std::string_view value = read_value();
    const auto is = [&name](std::string_view other) { return name == other; };
    if (is("Event"))
        game.event = value;
    else if (is("Site"))
        game.site = value;
    else if (is("Date"))
        game.date = value;
    else if (is("Round"))
        game.round = value;
    else if (is("White"))
        game.white = value;
    else if (is("Black"))
        game.black = value;
    else if (is("Result"))
        game.outcome = outcome_of(value).value_or(Outcome::Unknown);
    else if (is("WhiteElo"))
        game.white_rating = to_rating(value);
    else if (is("BlackElo"))
        game.black_rating = to_rating(value);
    else if (is("ECO"))
        game.eco = value;
    else if (is("FEN"))
        game.fen = value;
    else if (is("Variant"))
        game.variant = value;
    else if (is("UTCDate"))
        game.utc_date = value;
    else if (is("UTCTime"))
        game.utc_time = value;
    else if (is("NutcrackerUid"))
        game.uid = value;
}

void PgnReader::read_tags(PgnGame& game) {
    bool event = false;
    while (ensure()) {
        if (is_space(*at_)) {
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
        } else if (*at_ == '[') {
            while (*at_ != ']' && !is_line_end(*at_) && (at_ != end_ || fill()))
                ++at_;             // a tag nobody can read
        } else if (*at_ == '<') {  // pages saved as text carry mark-up
            char* close = std::find(at_, std::min(end_, at_ + 64), '>');
            at_ = close == end_ || *close != '>' ? at_ + 1 : close + 1;
        } else if (*at_ == '%') {
            skip_line();
        } else if (*at_ == '?' || *at_ == ']' || *at_ == '\'' || *at_ == '"') {
            ++at_;
        } else {
            return;
        }
    }
}

void PgnReader::set_up(PgnGame& game) {
    static const Position standard;
    pos_ = standard;
    if (!is_chess(game.variant) && !is_chess960(game.variant)) {
        game.foreign_variant = true;
        trouble(game, "a game of other rules: " + quoted(game.variant));
    } else if (!game.fen.empty()) {
        Result<Position> start = Position::from_fen(game.fen);
        if (start)
            pos_ = *start;
        else
            trouble(game, "the start position: " + start.error().what);
    } else if (is_chess960(game.variant)) {
        trouble(game, "a game of Chess960 without its start position");
    }
    game.start = pos_;
}

void PgnReader::play(PgnGame& game, std::string_view token) {
    const Move m = read_move(pos_, token);
    if (m) {
        game.moves.push_back(m);
        game.keys.push_back(pos_.key());
        pos_.make(m);
        return;
    }
    const std::string place = std::to_string(pos_.fullmove_number()) +
                              (pos_.side_to_move() == engine::White ? "." : "...");
    const auto because = engine::parse_move(pos_, without_marks(token));
    const char* why = "is no move";
    if (!because && because.error() == engine::NoMoveBecause::Illegal)
        why = "is not legal";
    else if (!because && because.error() == engine::NoMoveBecause::Ambiguous)
        why = "may be two moves";
    trouble(game, place + " " + quoted(token) + " " + why);
}

// One word of the move text; false if it ended the game.
bool PgnReader::read_token(PgnGame& game, std::string_view token) {
    const char first = token.front();
    if (is_digit(first) || first == '*' || first == 'O' || first == '\xC2') {
        if (const std::optional<Outcome> outcome = outcome_of(token)) {
            if (game.outcome == Outcome::Unknown)
                game.outcome = *outcome;
            return false;
        }
        if (is_digit(first) &&
            !(token.starts_with("0-0") || token.starts_with("0-O"))) {  // a number of a move
            std::size_t n = std::min(token.find_first_not_of("0123456789"), token.size());
            const std::size_t dots = n;
            n = std::min(token.find_first_not_of('.', n), token.size());
            if (n == token.size())
                return true;
            if (dots == n && token[n] != ',' && token[n] != ')' && !is_word(token[n])) {
                trouble(game, quoted(token) + " is no move");
                return true;
            }
            return read_token(game, token.substr(n));
        }
    }
    if (token.find_first_not_of("+-=#!?.,:/\\|~^&'\"`@") == std::string_view::npos && token != "--")
        return true;  // a mark of its own
    if (token == "--" || token == "Z0" || token == "null" || token == "0000" || token == "@@@@") {
        game.note = "null move: the rest of the line is left out";
        skipping_ = true;
        return true;
    }
    if (token == "e.p." || token == "ep" || token == "ch" || token == "mate" || token == "N" ||
        token == "D" || token == "TN" || token == "RR" || token == "dbl" || token == "dis")
        return true;
    if (!skipping_ && game.trouble.empty())
        play(game, token);
    return true;
}

void PgnReader::read_moves(PgnGame& game) {
    depth_ = 0;
    skipping_ = false;
    std::int64_t opened = 0;
    while (ensure()) {
        const char c = *at_;
        if (is_space(c)) {
            line_start_ = is_line_end(c) || (line_start_ && c != ' ');
            ++at_;
            continue;
        }
        const bool first_in_line = line_start_;
        line_start_ = false;
        switch (c) {
        case '{': {
            const std::int64_t where = line();
            ++at_;
            if (!skip_comment()) {
                trouble(game, "a comment that is not closed");
                game.trouble_line = where;
            }
            continue;
        }
        case ';':
            skip_line();
            continue;
        case '%':
            if (first_in_line) {
                skip_line();
                continue;
            }
            break;
        case '(':
            if (depth_ == 0)
                opened = line();
            ++depth_;
            ++at_;
            continue;
        case ')':
            depth_ = std::max(0, depth_ - 1);
            ++at_;
            continue;
        case '$':
            ++at_;
            while (is_digit(*at_))
                ++at_;
            continue;
        case '<': {
            char* close = std::find(at_, std::min(end_, at_ + 64), '>');
            at_ = close == end_ || *close != '>' ? at_ + 1 : close + 1;
            continue;
        }
        case '[':
            if (at_tag()) {
                line_start_ = true;
                if (depth_ > 0) {
                    trouble(game, "a variation that is not closed");
                    game.trouble_line = opened;
                }
                return;
            }
            ++at_;
            continue;
        case '}':
        case ']':
        case '>':
            ++at_;
            continue;
        default:
            break;
        }
        const char* q = at_;
        while (!ends_token(*q) && *q != '(' && *q != ')')
            ++q;
        if (*q == '(' && q > at_ && is_rank(q[-1]) && q[1] != '\0' && q[2] == ')')
            q += 3;  // a promotion written e8(Q)
        auto n = static_cast<std::size_t>(q - at_);
        if (n >= LongestToken - 1) {
            trouble(game, "a word without end: " + quoted(std::string_view(at_, n)));
            at_ += n;  // the rest of it is more words of the same kind
            continue;
        }
        n = std::max<std::size_t>(n, 1);
        const std::string_view token(at_, n);
        const bool goes_on = depth_ > 0 || read_token(game, token);
        at_ += n;
        if (!goes_on)
            return;
    }
    if (depth_ > 0) {
        trouble(game, "a variation that is not closed");
        game.trouble_line = opened;
    }
}

bool PgnReader::next(PgnGame& game) {
    for (;;) {
        for (std::string* text : {&game.event,
                                  &game.site,
                                  &game.date,
                                  &game.round,
                                  &game.white,
                                  &game.black,
                                  &game.eco,
                                  &game.variant,
                                  &game.fen,
                                  &game.utc_date,
                                  &game.utc_time,
                                  &game.uid,
                                  &game.trouble,
                                  &game.note})
            text->clear();
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
