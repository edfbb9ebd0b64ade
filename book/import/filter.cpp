#include "book/import/filter.h"

#include <algorithm>

namespace book {
namespace {

constexpr std::size_t LongGame = 60;  // plies; equal ones are copies, whatever their headers say

char lowered(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// Letters of the surname in lower case: what stands before a comma, a space or a full stop.
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

bool contains_folded(std::string_view text, std::string_view part) {
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
        ("," + o.results + ",").find(std::string(",") + text_of(g.outcome) + ",") ==
            std::string::npos)
        return false;
    if (!o.player.empty() && !contains_folded(g.white, o.player) &&
        !contains_folded(g.black, o.player))
        return false;
    return o.eco.empty() || g.eco.starts_with(o.eco);
}

std::string settings_of(const ImportOptions& o) {
    std::string text = "plies " + std::to_string(o.min_ply) + "-" + std::to_string(o.max_ply);
    if (o.min_games > 1)
        text += ", at least " + std::to_string(o.min_games) + " games";
    if (o.min_plies > 0)
        text += ", length " + std::to_string(o.min_plies);
    if (o.min_rating > 0)
        text += ", rating " + std::to_string(o.min_rating);
    if (o.from_date > 0 || o.to_date > 0)
        text += ", dates " + std::to_string(o.from_date) + "-" + std::to_string(o.to_date);
    if (!o.results.empty())
        text += ", results " + o.results;
    if (!o.player.empty())
        text += ", player " + o.player + (o.player_only ? " alone" : "");
    if (o.winner_only)
        text += ", winners";
    if (!o.eco.empty())
        text += ", ECO " + o.eco;
    if (o.duplicates != Duplicates::ByGame)
        text += o.duplicates == Duplicates::ByMoves ? ", no moves twice" : ", with duplicates";
    return text;
}

std::int64_t game_identity(const PgnGame& game, Duplicates by) {
    Fingerprint print;
    const Key start = game.start.key();
    print.add(std::span(&start, 1));
    print.add(std::span(game.moves.data(), game.moves.size()));
    if (by == Duplicates::ByMoves)
        return static_cast<std::int64_t>(print.word());
    std::string text = "\n";
    text += static_cast<char>('0' + static_cast<int>(game.outcome));
    if (game.moves.size() < LongGame) {
        text += '\n';
        add_surname(text, game.white);
        add_surname(text, game.black);
        text += game.date + '\n' + game.round + '\n' + game.utc_date + game.utc_time;
    }
    print.add(text);
    return static_cast<std::int64_t>(print.word());
}

}  // namespace book
