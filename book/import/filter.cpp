#include "book/import/filter.h"

#include "book/pgn/fingerprint.h"

#include <algorithm>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::size_t MinLongGame = 60;  // plies; no two such games are equal by chance

char lowered(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// Adds the surname in lower case: the letters before a comma, a space or a full stop.
void add_surname(std::string& text, std::string_view name) {
    for (const char c : name) {
        if ((c == ',' || c == ' ' || c == '.' || c == '(') && text.back() != '\n')
            break;
        text += lowered(c);
    }
    text += '\n';
}

const char* text_of(Outcome outcome) {
    switch (outcome) {
    case Outcome::White:
        return "1-0";
    case Outcome::Draw:
        return "1/2-1/2";
    case Outcome::Black:
        return "0-1";
    case Outcome::Unknown:
        break;
    }
    return "*";
}

}  // namespace

int date_number(std::string_view date) {
    int number = 0, digits = 0;
    for (const char c : date) {
        if (c == '.' || c == '-' || c == '/')
            continue;
        if (digits == 8)
            break;
        number = 10 * number + ('0' <= c && c <= '9' ? c - '0' : 0);
        ++digits;
    }
    for (; digits < 8; ++digits)
        number *= 10;
    return number;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lowered(a) == lowered(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool is_wanted(const PgnGame& g, const ImportOptions& o) {
    if (static_cast<int>(g.moves.size()) < o.min_plies)
        return false;
    if (o.min_rating > 0 && std::min(g.white_rating, g.black_rating) < o.min_rating)
        return false;
    if (o.from_date > 0 || o.to_date > 0) {
        const int date = date_number(g.utc_date.empty() ? g.date : g.utc_date);
        if (date < o.from_date || (o.to_date > 0 && date > o.to_date) || date == 0)
            return false;
    }
    if (!o.results.empty() &&
        ("," + o.results + ",").find(fmt::format(",{},", text_of(g.outcome))) == std::string::npos)
        return false;
    if (!o.player.empty() && !contains_ignoring_case(g.white, o.player) &&
        !contains_ignoring_case(g.black, o.player))
        return false;
    return o.eco.empty() || g.eco.starts_with(o.eco);
}

std::string settings_text(const ImportOptions& o) {
    std::string text = fmt::format("plies {}-{}", o.min_ply, o.max_ply);
    const auto add = [&text](bool used, std::string_view format, const auto&... values) {
        if (used)
            text += ", " + fmt::format(fmt::runtime(format), values...);
    };
    add(o.min_games > 1, "at least {} games", o.min_games);
    add(o.min_plies > 0, "length {}", o.min_plies);
    add(o.min_rating > 0, "rating {}", o.min_rating);
    add(o.from_date > 0 || o.to_date > 0, "dates {}-{}", o.from_date, o.to_date);
    add(!o.results.empty(), "results {}", o.results);
    add(!o.player.empty(), "player {}{}", o.player, o.player_only ? " alone" : "");
    add(o.winner_only, "winners");
    add(!o.eco.empty(), "ECO {}", o.eco);
    add(o.duplicates == Duplicates::ByMoves, "no moves twice");
    add(o.duplicates == Duplicates::Keep, "with duplicates");
    return text;
}

std::int64_t game_hash(const PgnGame& game, Duplicates by) {
    Fingerprint print;
    const Key start = game.start.key();
    print.add(std::span(&start, 1));
    print.add(std::span(game.moves.data(), game.moves.size()));
    if (by == Duplicates::ByMoves)
        return static_cast<std::int64_t>(print.word());
    std::string text = "\n";
    text += static_cast<char>('0' + static_cast<int>(game.outcome));
    if (game.moves.size() < MinLongGame) {
        text += '\n';
        add_surname(text, game.white);
        add_surname(text, game.black);
        text += game.date + '\n' + game.round + '\n' + game.utc_date + game.utc_time;
    }
    print.add(text);
    return static_cast<std::int64_t>(print.word());
}

}  // namespace book
