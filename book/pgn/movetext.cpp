// The moves of a game in PGN text, from its start position to its result.
#include "book/pgn/chars.h"
#include "book/pgn/move_text.h"
#include "book/pgn/words.h"
#include "engine/board/notation.h"

#include <algorithm>

namespace book {

using engine::Position;

void PgnReader::set_up(PgnGame& game) {
    static const Position standard;
    static const Replay standard_board;
    playing_ = true;
    chess960_ = false;
    made_ = 0;
    board_ = standard_board;
    pos_ = standard;
    if (!is_chess(game.variant) && !is_chess960(game.variant)) {
        trouble(game, "a game of other rules: " + quoted_word(game.variant));
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
    trouble(game, place + " " + quoted_word(word) + " " + why);
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
                trouble(game, quoted_word(word) + " is no move");
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
        trouble(game, "a word without end: " + quoted_word(word));
        return true;
    }
    return depth_ > 0 || understand(game, word);
}

// A comment, variation, annotation or stray bracket: true if there was one, and it is skipped.
bool PgnReader::skip_aside(PgnGame& game) {
    switch (*at_) {
    case '{': {
        const std::int64_t where = line();
        ++at_;
        if (!skip_comment())
            trouble(game, "a comment that is not closed", where);
        return true;
    }
    case '%':
        if (!is_kind(at_[-1], LineEndChar))
            return false;
        [[fallthrough]];
    case ';':
        skip_line();
        return true;
    case '(':
        if (depth_++ == 0)
            opened_ = line();
        ++at_;
        return true;
    case ')':
        depth_ = std::max(0, depth_ - 1);
        ++at_;
        return true;
    case '$':
        ++at_;
        while ((at_ != end_ || fill()) && is_kind(*at_, DigitChar))
            ++at_;
        return true;
    case '<':
        skip_markup();
        return true;
    case '[':
    case '}':
    case ']':
    case '>':
        ++at_;
        return true;
    default:
        return false;
    }
}

void PgnReader::read_moves(PgnGame& game) {
    depth_ = 0;
    while (ensure()) {
        if (is_kind(*at_, SpaceChar)) {
            ++at_;
            continue;
        }
        if (is_kind(*at_, DigitChar) ? skip_number()
                                     : playing_ && depth_ == 0 && !chess960_ && play_plain(game))
            continue;
        if (*at_ == '[' && at_tag())
            break;
        if (!skip_aside(game) && !read_word(game))
            return;
    }
    if (depth_ > 0)
        trouble(game, "a variation that is not closed", opened_);
}

}  // namespace book
