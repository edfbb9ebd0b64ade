#include "book/pgn/reader.h"

#include "book/model/utf8.h"
#include "book/pgn/movetext.h"

#include <cstring>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::size_t MaxValue = 255;  // characters of a tag's value that are kept

// A tag that is kept, and the member that holds its text or its value.
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
    Tag{.name = "Site", .text = &PgnGame::site},
    Tag{.name = "Link", .text = &PgnGame::link},
    Tag{.name = "Time", .text = &PgnGame::time},
    Tag{.name = "TimeControl", .text = &PgnGame::time_control},
    Tag{.name = "Termination", .text = &PgnGame::termination},
    Tag{.name = "WhiteTitle", .text = &PgnGame::white_title},
    Tag{.name = "BlackTitle", .text = &PgnGame::black_title},
    Tag{.name = "WhiteType", .text = &PgnGame::white_type},
    Tag{.name = "BlackType", .text = &PgnGame::black_type},
    Tag{.name = "FICSGamesDBGameNo", .text = &PgnGame::fics_number},
    Tag{.name = "NutcrackerUid", .text = &PgnGame::uid},
    Tag{.name = "NutcrackerLog", .text = &PgnGame::log},
    Tag{.name = "NutcrackerReason", .text = &PgnGame::reason},
    Tag{.name = "Result",
        .set =
            [](PgnGame& game, std::string_view value) {
                game.outcome = to_outcome(value).value_or(Outcome::Unknown);
            }},
    Tag{.name = "WhiteElo",
        .set = [](PgnGame& game, std::string_view value) { game.white_rating = to_rating(value); }},
    Tag{.name = "BlackElo",
        .set = [](PgnGame& game, std::string_view value) { game.black_rating = to_rating(value); }},
};
const Tag* find_tag(std::string_view name) {
    for (const Tag& tag : Tags)
        if (tag.name.front() == name.front() && tag.name == name)
            return &tag;
    return nullptr;
}

void clear(PgnGame& game) {
    for (const Tag& tag : Tags)
        if (tag.text != nullptr)
            (game.*tag.text).clear();
    game.trouble.clear();
    game.note.clear();
    game.white_rating = game.black_rating = 0;
    game.outcome = Outcome::Unknown;
    game.has_end = game.contradicts_tag = false;
    game.moves.clear();
    game.keys.clear();
    game.comments.clear();
    game.trouble_line = 0;
}

bool begins_with(const char* text, std::string_view word) {
    return std::memcmp(text, word.data(), word.size()) == 0;
}

}  // namespace

// A game without tags begins with a move from the start position, perhaps with its number.
bool PgnReader::is_first_move() const {
    static const engine::Position standard;
    const char* const limit = text_.at() + MaxWord;
    const char* p = digits_end(text_.at());
    while ((*p == '.' || (p != text_.at() && *p == ' ')) && p < limit)
        ++p;
    const char* const end = std::min(word_end(p), limit);
    return end > p && read_move(standard, std::string_view(p, static_cast<std::size_t>(end - p)));
}

void PgnReader::note(Places& places, std::int64_t line) {
    if (places.count++ == 0)
        places.first_line = line;
}

// Moves to the first tag or move of a game. Text between games is skipped, a line at a time.
bool PgnReader::find_game() {
    bool line_start = is_kind(text_.at()[-1], LineEndChar);
    while (text_.has_word()) {
        const char c = *text_.at();
        if (begins_with(text_.at(), "\xEF\xBB\xBF")) {  // a byte order mark
            text_.move_to(text_.at() + 3);
        } else if (is_kind(c, SpaceChar)) {
            line_start = line_start || is_kind(c, LineEndChar);
            text_.pass();
        } else if (is_tag(text_.at()) || (line_start && is_first_move())) {
            return true;
        } else if (c == '{') {
            text_.pass();
            if (const std::int64_t line = text_.skip_comment(); line > 0) {
                note(open_comments_, line);
                open_to_end_ = !text_.has_more();
            }
        } else if (c == '}') {
            text_.pass();
        } else if (c == '%' || c == ';') {
            text_.skip_line();
        } else {
            const char* const end = find_end<false>(text_.at(), SpaceChar);
            if (to_outcome({text_.at(), static_cast<std::size_t>(end - text_.at())})) {
                text_.move_to(end);  // a stray result: not worth a message
            } else {
                note(other_lines_, text_.line());
                text_.skip_line();
            }
        }
    }
    return false;
}

// True if the quotation mark here is the last one of a tag. People put quotation marks inside the
// value, too, and forget the bracket.
bool PgnReader::closes_value() {
    text_.has_word();
    const char* const limit = text_.at() + MaxWord;
    const char* p = text_.at() + 1;
    while (p < limit && (*p == ' ' || *p == '\t'))
        ++p;
    return *p == ']' || *p == '[' || *p == '\0' || is_kind(*p, LineEndChar);
}

// The value of a tag with its escapes resolved, cut to MaxValue. Ends at the last quotation mark
// or, where that is missing, with the line.
std::string_view PgnReader::read_value() {
    const char* const begin = text_.at();
    const char* stop = begin;
    while (!is_kind(*stop, ValueEndChar))
        ++stop;
    if (*stop == '"' && stop[1] == ']' && stop - begin <= static_cast<std::ptrdiff_t>(MaxValue)) {
        text_.move_to(stop + 1);
        return {begin, static_cast<std::size_t>(stop - begin)};
    }
    value_.clear();
    for (; text_.has_more(); text_.pass()) {
        if (*text_.at() == '\\' && text_.size() == 1)
            text_.has_word();
        if (*text_.at() == '\\' && (text_.at()[1] == '"' || text_.at()[1] == '\\'))
            text_.pass();
        else if (is_kind(*text_.at(), LineEndChar) || (*text_.at() == '"' && closes_value()))
            break;
        if (value_.size() < MaxValue)
            value_ += *text_.at();
    }
    if (text_.size() > 0 && *text_.at() == '"')
        text_.pass();
    return value_;
}

std::string_view PgnReader::as_utf8(std::string_view value) {
    if (is_utf8(value))
        return value;
    // Where a value was cut, half a character may be left.
    for (std::size_t cut = 1; value.size() == MaxValue && cut < 4; ++cut)
        if (is_utf8(value.substr(0, MaxValue - cut)))
            return value.substr(0, MaxValue - cut);
    value_ = latin1_to_utf8(value);
    return value_;
}

void PgnReader::read_tag(PgnGame& game) {
    text_.pass();
    const char* name_end = text_.at();
    while (is_kind(*name_end, NameChar))
        ++name_end;
    const std::string_view name(text_.at(), static_cast<std::size_t>(name_end - text_.at()));
    const Tag* const tag = find_tag(name);
    text_.move_to(name_end);
    while (text_.has_more() && (*text_.at() == ' ' || *text_.at() == '\t'))
        text_.pass();
    if (*text_.at() != '"')
        return text_.skip_line();
    text_.pass();
    const std::string_view value = read_value();
    if (tag == nullptr)
        return;
    if (tag->text != nullptr)
        game.*tag->text = as_utf8(value);
    else
        tag->set(game, value);
}

void PgnReader::read_tags(PgnGame& game) {
    bool has_event = false;
    while (text_.has_word()) {
        const char c = *text_.at();
        if (is_kind(c, SpaceChar) || c == '?' || c == ']' || c == '\'' || c == '"') {
            text_.pass();
        } else if (is_tag(text_.at())) {
            const bool is_event =
                begins_with(text_.at(), "[Event ") || begins_with(text_.at(), "[Event\"");
            if (is_event && has_event)
                return;  // the game before had no moves, not even a result
            has_event = has_event || is_event;
            read_tag(game);
            // The value is followed by ']', and nothing else on that line matters.
            if (*text_.at() == ']')
                text_.pass();
        } else if (c == '[') {  // an unreadable tag
            while (text_.has_more() && *text_.at() != ']' && !is_kind(*text_.at(), LineEndChar))
                text_.pass();
        } else if (c == '<') {
            text_.skip_markup();
        } else if (c == '%') {
            text_.skip_line();
        } else {
            return;
        }
    }
}

bool PgnReader::lost_text() const {
    return cut_off_ || (text_.has_ended() && trouble_ != nullptr && trouble_->lost);
}

// Plain text does not show that it was cut off. Earlier games or, without any, the tag show whether
// a result should follow the moves.
bool PgnReader::is_cut_off(const PgnGame& game, bool is_surely_game) {
    if (game.has_end || text_.has_more())
        return false;
    const bool is_only_game = games_ == 1 && !skipped_ && game.outcome != Outcome::Unknown;
    return lost_text() ||
           (is_surely_game && (has_results_ || text_.skipped_result() || is_only_game));
}

bool PgnReader::next(PgnGame& game) {
    for (;;) {
        clear(game);
        if (!find_game()) {
            if (!lost_text())
                text_.mark();
            return false;
        }
        const char* const first = text_.at();
        bool is_surely_game = *first == '[' || (*first == '1' && !is_kind(first[1], DigitChar));
        game.line = text_.line();
        game.number = ++games_;
        read_tags(game);
        read_movetext(text_, game, keeps_comments_);
        is_surely_game = is_surely_game || game.moves.size() > 4;
        if (is_cut_off(game, is_surely_game)) {
            if (lost_text() || game.trouble.empty()) {
                game.trouble = "the file ends inside this game";
                game.trouble_line = text_.line();
            }
            cut_off_ = true;
            return true;
        }
        text_.mark();
        if (game.contradicts_tag && game.trouble.empty())
            note(contradictions_, game.line);
        has_results_ = has_results_ || game.has_end;
        if (is_surely_game || game.trouble.empty())
            return true;
        --games_;  // prose that began like a game
        note(other_lines_, game.line);
    }
}

std::vector<TextRemark> PgnReader::remarks() const {
    std::vector<TextRemark> all;
    const auto add = [&all](const Places& places, std::string_view what, bool lost) {
        if (places.count > 0)
            all.push_back({.line = places.first_line,
                           .what = fmt::format("{}: {}, from this line on", what, places.count),
                           .lost = lost});
    };
    add(other_lines_, "lines outside games, which were skipped", false);
    add(open_comments_, "unclosed comments outside games", open_to_end_);
    add(contradictions_,
        "games whose Result tag contradicts the result after the moves, which is used",
        false);
    if (text_.has_ended() && trouble_ != nullptr && !trouble_->what.empty())
        all.push_back({.line = 0, .what = trouble_->what, .lost = trouble_->lost});
    else if (cut_off_)
        all.push_back({.line = 0,
                       .what = "the file is cut off: no result follows its last moves",
                       .lost = true});
    return all;
}

}  // namespace book
