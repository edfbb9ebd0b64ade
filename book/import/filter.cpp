#include "book/import/filter.h"

#include "book/model/ending.h"
#include "book/model/letter_case.h"
#include "book/pgn/fingerprint.h"
#include "book/store/games.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::string_view NoMovesTwice = "no moves twice";

// Adds the surname in lower case: the letters before a comma, a space or a full stop.
void add_surname(std::string& text, std::string_view name) {
    for (const char c : name) {
        if ((c == ',' || c == ' ' || c == '.' || c == '(') && text.back() != '\n')
            break;
        text += lower(c);
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

// True if the list with commas has the word, or is empty.
bool is_listed(const std::string& list, std::string_view word) {
    return list.empty() || ("," + list + ",").find(fmt::format(",{},", word)) != std::string::npos;
}

struct TimeControl {
    double base = 0, increment = 0;  // seconds
};

// Of "300+2", "40/9000+30:1800", "*60" (a sandclock), or "1/86400". Nothing of other text.
std::optional<TimeControl> read_time_control(std::string_view text) {
    text = text.substr(0, text.find(':'));
    if (text.starts_with('*'))
        text.remove_prefix(1);
    double moves = 0;
    TimeControl time;
    const auto number = [&text](double& value) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool good = error == std::errc() && std::isfinite(value) && value >= 0;
        text.remove_prefix(good ? static_cast<std::size_t>(end - text.data()) : 0);
        return good && value < 1e9;
    };
    if (text.find('/') != std::string_view::npos &&
        (!number(moves) || !text.starts_with('/') || (text.remove_prefix(1), moves < 1)))
        return std::nullopt;
    if (!number(time.base))
        return std::nullopt;
    if (text.starts_with('+') && (text.remove_prefix(1), !number(time.increment)))
        return std::nullopt;
    return text.empty() ? std::optional(time) : std::nullopt;
}

const char* word_of(std::optional<Termination> ending) {
    if (!ending || *ending == Termination::Aborted)
        return "other";
    return *ending == Termination::Flag            ? "time"
           : *ending == Termination::Disconnection ? "abandoned"
                                                   : "normal";
}

// As lichess ("Casual blitz game") and FICS ("FICS unrated blitz game") name them.
bool is_casual(const PgnGame& g) {
    return contains_ignoring_case(g.event, "casual") || contains_ignoring_case(g.event, "unrated");
}

bool has_wanted_ratings(const PgnGame& g, const ImportOptions& o) {
    const auto [low, high] = std::minmax(g.white_rating, g.black_rating);
    return (o.min_rating == 0 || low >= o.min_rating) &&
           (o.max_rating == 0 || (low > 0 && high <= o.max_rating)) &&
           (!o.rated || (low > 0 && !is_casual(g)));
}

bool has_wanted_time(const PgnGame& g, const ImportOptions& o) {
    if (!o.times.empty()) {
        const std::optional<TimeClass> time = time_class_of(g);
        if (!time || !is_listed(o.times, name_of(*time)))
            return false;
    }
    if (o.min_base == 0)
        return true;
    const std::optional<TimeControl> control = read_time_control(g.time_control);
    return g.time_control == "-" || (control && control->base >= o.min_base);
}

bool has_wanted_players(const PgnGame& g, const ImportOptions& o) {
    if (o.no_bots && (is_bot(g, engine::White) || is_bot(g, engine::Black)))
        return false;
    const auto has_title = [&](const std::string& title, const std::string& name) {
        return equal_ignoring_case(title, o.title) ||
               contains_ignoring_case(name, "(" + o.title + ")");
    };
    if (!o.title.empty() && !has_title(g.white_title, g.white) &&
        !has_title(g.black_title, g.black))
        return false;
    return has_player(g, o.player);
}

// "2024-05-31" or, without the parts that are `any`, "2024-05" and "2024".
std::string text_of_date(int yyyymmdd, int any) {
    std::string text = fmt::format("{}", yyyymmdd / 10'000);
    for (const int part : {yyyymmdd / 100 % 100, yyyymmdd % 100})
        if (part != any)
            text += fmt::format("-{:02}", part);
    return text;
}

}  // namespace

bool is_bot(const PgnGame& g, Color side) {
    const bool white = side == engine::White;
    const std::string& name = white ? g.white : g.black;
    return (white ? g.white_title : g.black_title) == "BOT" ||
           (white ? g.white_type : g.black_type) == "program" ||
           name.find("(C)") != std::string::npos;
}

bool has_player(const PgnGame& g, std::string_view part_of_name) {
    return contains_ignoring_case(g.white, part_of_name) ||
           contains_ignoring_case(g.black, part_of_name);
}

std::optional<Termination> ending_of(const PgnGame& g, const std::string& opponent) {
    const bool drawn = g.outcome == Outcome::Draw;
    if (g.outcome == Outcome::Unknown)
        return std::nullopt;
    // So lichess ends the game of a cheat. Our own export means an illegal move by it.
    if (g.log.empty() && g.site.find("lichess.org/") != std::string::npos &&
        equal_ignoring_case(g.termination, "rules infraction"))
        return Termination::Aborted;
    const std::optional<Termination> by_tag = termination_of(g.termination, opponent, drawn);
    if (by_tag != Termination::Board)
        return by_tag;
    if (!g.reason.empty())
        return termination_of(g.reason, opponent, drawn);
    constexpr std::size_t MaxEnding = 80;  // bytes; what is longer was written by a commentator
    if (g.comments.empty() || g.comments.back().ply != g.moves.size() ||
        g.comments.back().text.size() > MaxEnding ||
        g.comments.back().text.find("[%") != std::string::npos)
        return by_tag;
    return termination_of(g.comments.back().text, opponent, drawn);
}

std::optional<TimeClass> time_class_of(const PgnGame& g) {
    using std::chrono::milliseconds;
    const auto milli = [](double seconds) {
        return milliseconds(static_cast<std::int64_t>(1000 * seconds));
    };
    if (const std::optional<TimeControl> time = read_time_control(g.time_control))
        return time_class(milli(time->base), milli(time->increment));
    if (g.time_control == "-")  // no limit
        return TimeClass::Standard;
    constexpr std::array Words{std::pair("lightning", TimeClass::Lightning),
                               std::pair("bullet", TimeClass::Lightning),
                               std::pair("blitz", TimeClass::Blitz),
                               std::pair("rapid", TimeClass::Standard),
                               std::pair("standard", TimeClass::Standard),
                               std::pair("classical", TimeClass::Standard),
                               std::pair("correspondence", TimeClass::Standard)};
    for (const auto& [word, time] : Words)
        if (contains_ignoring_case(g.event, word))
            return time;
    return std::nullopt;
}

int date_number(std::string_view date) {
    constexpr std::string_view Separators = ".-/";
    constexpr std::array<std::size_t, 3> Widths{4, 2, 2};  // of year, month and day
    const bool separated = date.find_first_of(Separators) != std::string_view::npos;
    std::array<int, 3> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view part =
            date.substr(0, separated ? date.find_first_of(Separators) : Widths[i]);
        date.remove_prefix(std::min(part.size() + (separated ? 1 : 0), date.size()));
        for (const char c : part.substr(0, Widths[i])) {
            if (c != '?' && !is_kind(c, DigitChar))
                break;
            parts[i] = 10 * parts[i] + (c == '?' ? 0 : c - '0');
        }
    }
    const auto [year, month, day] = parts;
    if (month > 12)
        return 10'000 * year;
    return 10'000 * year + 100 * month + (day > 31 ? 0 : day);
}

bool is_wanted(const PgnGame& g, const ImportOptions& o) {
    if (static_cast<int>(g.moves.size()) < o.min_plies)
        return false;
    if (!has_wanted_ratings(g, o) || !has_wanted_time(g, o) || !has_wanted_players(g, o) ||
        (!o.endings.empty() && !is_listed(o.endings, word_of(ending_of(g)))))
        return false;
    if (o.from_date > 0 || o.to_date > 0) {
        const int date = date_number(g.utc_date.empty() ? g.date : g.utc_date);
        if (date < o.from_date || (o.to_date > 0 && date > o.to_date) || date == 0)
            return false;
    }
    if (!is_listed(o.results, text_of(g.outcome)))
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
    add(o.max_rating > 0, "rating to {}", o.max_rating);
    add(o.rated, "rated");
    add(!o.times.empty(), "times {}", o.times);
    add(o.min_base > 0, "base {}", o.min_base);
    add(!o.endings.empty(), "endings {}", o.endings);
    add(o.no_bots, "no bots");
    add(!o.title.empty(), "title {}", o.title);
    add(o.evals, "evals");
    add(o.from_date > 0, "from {}", text_of_date(o.from_date, 0));
    add(o.to_date > 0, "to {}", text_of_date(o.to_date, 99));
    add(!o.results.empty(), "results {}", o.results);
    add(!o.player.empty(), "player {}{}", o.player, o.player_only ? " alone" : "");
    add(o.winner_only, "winners");
    add(!o.eco.empty(), "ECO {}", o.eco);
    add(o.duplicates == Duplicates::ByMoves, "{}", NoMovesTwice);
    add(o.duplicates == Duplicates::Keep, "{}", WithDuplicates);
    return text;
}

Duplicates duplicates_of(const std::string& settings) {
    return settings.ends_with(WithDuplicates) ? Duplicates::Keep
           : settings.ends_with(NoMovesTwice) ? Duplicates::ByMoves
                                              : Duplicates::ByGame;
}

std::string filters_of(const std::string& settings) {
    const Duplicates by = duplicates_of(settings);
    const std::string_view end = by == Duplicates::Keep      ? WithDuplicates
                                 : by == Duplicates::ByMoves ? NoMovesTwice
                                                             : std::string_view();
    return settings.substr(0, settings.size() - end.size() - (end.empty() ? 0 : 2));
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
