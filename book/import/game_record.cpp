#include "book/import/game_record.h"

#include "book/model/utf8.h"
#include "book/store/opponents.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::string_view DrawTag = "[%draw ";

template <typename Number>
bool read_number(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}
template <typename Number>
bool read_number(std::string_view text, std::optional<Number>& value) {
    return read_number(text, value.emplace());
}
// An enumerator from 0 up to `last`.
template <typename Enum>
bool read_enum(std::string_view text, Enum& value, Enum last) {
    int number = 0;
    if (!read_number(text, number) || number < 0 || number > static_cast<int>(last))
        return false;
    value = static_cast<Enum>(number);
    return true;
}

// False if the field is unknown or malformed.
bool read_field(std::string_view name, std::string_view text, LoggedGame& g) {
    GameRecord& r = g.record;
    const auto in = [](double value, double low, double high) {
        return std::isfinite(value) && low <= value && value <= high;
    };
    if (name == "state")
        return read_enum(text, g.state, GameState::Rejected);
    if (name == "side")
        return read_enum(text, r.our_side, engine::Black);
    if (name == "class")
        return read_enum(text, r.time, TimeClass::Standard);
    if (name == "term")
        return read_enum(text, r.termination, Termination::Aborted);
    if (name == "clock")
        return read_number(text, g.clock) && g.clock >= 0;
    if (name == "epoch")
        return read_number(text, g.epoch) && g.epoch >= 0;
    if (name == "played")
        return read_number(text, r.played);
    if (name == "score")
        return read_number(text, r.score) && in(r.score, 0, 1);
    if (name == "weight")
        return read_number(text, g.evidence.weight) && in(g.evidence.weight, 0, 1);
    if (name == "result")
        return read_number(text, g.evidence.result) && in(g.evidence.result, -10, 10);
    if (name == "surprise")
        return read_number(text, g.overperformance) && in(g.overperformance, -2, 2);
    if (name == "exit")
        return read_number(text, r.exit_ply);
    if (name == "cp")
        return read_number(text, r.exit_cp);
    if (name == "depth")
        return read_number(text, r.exit_depth);
    if (name == "key") {
        std::int64_t key = 0;
        const bool good = read_number(text, key);
        g.exit_key = from_sql(key);
        return good;
    }
    if (name == "nodes")
        return read_number(text, g.analysed_nodes);
    return name == "analysed" && read_number(text, g.analysed_cp);
}

std::string hex_hash(std::string_view text) {
    Digest digest;
    digest.add(text);
    return fmt::format("{:016x}", digest.finish_word());
}

// The game id in "https://lichess.org/AbCdEfGh/white"; a player's own link to the game has 4 more
// characters. "" for other pages.
std::string lichess_game(const std::string& site) {
    constexpr std::string_view Host = "lichess.org/";
    constexpr std::size_t Size = 8, PlayerSize = 12;
    constexpr std::array Pages{"analysis",
                               "training",
                               "practice",
                               "insights",
                               "features",
                               "streamer",
                               "variants",
                               "timeline",
                               "security",
                               "settings"};
    const std::size_t at = site.find(Host);
    if (at == std::string::npos)
        return "";
    std::string id = site.substr(at + Host.size());
    id.resize(std::min(id.find_first_of("/?#"), id.size()));
    const auto is_alphanumeric = [](unsigned char c) { return std::isalnum(c) != 0; };
    if ((id.size() != Size && id.size() != PlayerSize) ||
        !std::all_of(id.begin(), id.end(), is_alphanumeric) ||
        std::find(Pages.begin(), Pages.end(), id) != Pages.end())
        return "";
    return id.substr(0, Size);
}

// "live/123" from "https://www.chess.com/game/live/123" or ".../live/game/123"; "" for other pages.
std::string chess_com_game(std::string_view link) {
    constexpr std::string_view Host = "chess.com/";
    const std::size_t host = link.find(Host);
    if (host == std::string_view::npos)
        return "";
    link = link.substr(host + Host.size());
    link = link.substr(0, link.find_first_of("?#"));
    for (const std::string kind : {"live", "daily"})
        for (const std::string& page : {"game/" + kind + "/", kind + "/game/"})
            if (const std::string_view id = link.substr(std::min(page.size(), link.size()));
                link.starts_with(page) && !id.empty() && id.size() < MaxUid / 2 &&
                id.find_first_not_of("0123456789") == std::string_view::npos)
                return fmt::format("{}/{}", kind, id);
    return "";
}

std::vector<std::string> draws_of(const PgnGame& game) {
    std::vector<std::string> draws;
    for (const PgnComment& c : game.comments)
        if (c.text.starts_with(DrawTag) && c.text.ends_with(']'))
            draws.push_back(c.text.substr(DrawTag.size(), c.text.size() - DrawTag.size() - 1));
    return draws;
}

// The last comment after the last move, if it is text for people.
std::string reason_of(const PgnGame& game) {
    if (!game.reason.empty() || game.comments.empty())
        return game.reason;
    const PgnComment& last = game.comments.back();
    const bool for_people = last.ply == game.moves.size() && !read_search(last.text) &&
                            last.text.find("[%") == std::string::npos;
    if (!for_people)
        return "";
    constexpr std::size_t MaxReason = 200;  // bytes
    return utf8_of(utf8_prefix(last.text, MaxReason));
}

void add_scores(const PgnGame& game, Color side, OwnGame& own) {
    for (const PgnComment& c : game.comments) {
        const auto ply = static_cast<int>(c.ply) - 1;
        const Color mover = ply % 2 == 0 ? game.start.side_to_move() : ~game.start.side_to_move();
        if (ply < 0 || mover != side)
            continue;
        std::optional<CommentScore> score = read_eval(c.text, side);
        if (!score)
            score = read_search(c.text);
        if (!score)
            continue;
        score->depth = score->depth > 0 ? score->depth : EvalDepth;
        own.scores.emplace_back(ply, *score);
    }
}

void set_time(const PgnGame& game, OwnGame& own) {
    GameRecord& r = own.game.record;
    r.played = seconds_at(game.utc_date, game.utc_time);
    own.exact_time =
        r.played != 0 && !game.utc_time.empty() && known_date(r.uid, r.played) == KnownDate::Day;
    if (r.played == 0)
        r.played = seconds_at(game.date, game.time);
}

}  // namespace

std::string log_text(const LoggedGame& g) {
    const GameRecord& r = g.record;
    std::string text = fmt::format("state={} side={} class={} term={} clock={} epoch={} played={}",
                                   static_cast<int>(g.state),
                                   static_cast<int>(r.our_side),
                                   static_cast<int>(r.time),
                                   static_cast<int>(r.termination),
                                   g.clock,
                                   g.epoch,
                                   r.played);
    text += fmt::format(" score={} weight={} result={} surprise={}",
                        r.score,
                        g.evidence.weight,
                        g.evidence.result,
                        g.overperformance);
    if (r.exit_ply)
        text += fmt::format(" exit={} cp={} depth={}", *r.exit_ply, r.exit_cp, r.exit_depth);
    if (g.exit_key)
        text += fmt::format(" key={}", to_sql(*g.exit_key));
    if (g.analysed_cp)
        text += fmt::format(" analysed={}", *g.analysed_cp);
    if (g.analysed_nodes)
        text += fmt::format(" nodes={}", *g.analysed_nodes);
    return text;
}

std::string draw_comment(const std::string& draw) {
    return fmt::format("{{{}{}]}}", DrawTag, draw);
}

bool read_log_text(const std::string& text, LoggedGame& game) {
    std::istringstream words(text);
    int fields = 0;
    for (std::string word; words >> word; ++fields) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos ||
            !read_field(std::string_view(word).substr(0, equals), word.substr(equals + 1), game))
            return false;
    }
    const GameRecord& r = game.record;
    constexpr int RequiredFields = 11;
    return fields >= RequiredFields && (!r.exit_ply || *r.exit_ply >= 0) &&
           r.exit_depth >= NoScore && r.exit_depth <= 1000 && std::abs(r.exit_cp) <= 1'000'000;
}

std::string server_of(const std::string& site) {
    std::string_view host = site;
    if (const std::size_t scheme = host.find("://"); scheme != std::string_view::npos)
        host.remove_prefix(scheme + 3);
    host = host.substr(0, host.find('/'));
    host = host.substr(host.rfind(' ') + 1);  // "FICS freechess.org"
    if (host.starts_with("www."))
        host.remove_prefix(4);
    const bool is_host = host.find('.') != std::string_view::npos && !host.ends_with('.') &&
                         std::all_of(host.begin(), host.end(), [](unsigned char c) {
                             return std::isalnum(c) != 0 || c == '.' || c == '-';
                         });
    return is_host ? std::string(host) : "";
}

std::int64_t seconds_at(std::string_view date, std::string_view time) {
    namespace chrono = std::chrono;
    const int number = date_number(date);
    if (number < 10'000'000)
        return 0;
    const auto first_day = [](int year, int month, int day) {
        return chrono::year_month_day{chrono::year(year),
                                      chrono::month(static_cast<unsigned>(month)),
                                      chrono::day(static_cast<unsigned>(day))};
    };
    const auto seconds_of = [](const chrono::year_month_day& day) {
        return chrono::sys_days(day).time_since_epoch().count() * SecondsADay;
    };
    const int year = number / 10'000, month = number / 100 % 100;
    if (month == 0)
        return seconds_of(first_day(year, 1, 1)) + WithoutMonth;
    const chrono::year_month_day day = first_day(year, month, number % 100);
    if (!day.ok())
        return seconds_of(first_day(year, month, 1)) + WithoutDay;
    std::array parts{0, 0, 0};
    for (int& part : parts) {
        const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), part);
        if (error != std::errc() || part < 0 || part > 60) {
            part = 0;
            break;
        }
        time.remove_prefix(static_cast<std::size_t>(end - time.data()));
        time.remove_prefix(time.starts_with(':') ? 1 : 0);
    }
    return seconds_of(day) + std::int64_t{3'600} * parts[0] + std::int64_t{60} * parts[1] +
           parts[2];
}

std::string uid_of(const PgnGame& g) {
    if (!g.uid.empty() && g.uid.size() <= MaxUid)
        return g.uid;
    if (const std::string id = lichess_game(g.site); !id.empty())
        return std::string(LichessUid) + id;
    if (const std::string id = chess_com_game(g.link); !id.empty())
        return std::string(ChessComUid) + id;
    if (!g.fics_number.empty() && g.fics_number.size() < MaxUid - 8)
        return std::string(FicsUid) + g.fics_number;
    std::string text = fmt::format("{:016x}", g.start.key());
    for (const engine::Move m : g.moves)
        text += fmt::format("{:04x}", m.raw());
    for (const std::string& part : {identity(g.white),
                                    identity(g.black),
                                    g.date,
                                    g.time,
                                    g.utc_date,
                                    g.utc_time,
                                    g.round,
                                    g.site})
        text += '\n' + part;
    return std::string(HashUid) + hex_hash(text);
}

std::string former_uid_of(const PgnGame& g) {
    constexpr std::array Texts{&PgnGame::white, &PgnGame::black, &PgnGame::round, &PgnGame::site};
    const auto former_text = [](const std::string& text) {
        return utf8_to_latin1(text).value_or(text);
    };
    if (g.link.empty() && std::all_of(Texts.begin(), Texts.end(), [&](auto text) {
            return former_text(g.*text) == g.*text;
        }))
        return "";
    PgnGame former = g;
    former.link.clear();
    for (const auto text : Texts)
        former.*text = former_text(g.*text);
    const std::string uid = uid_of(former);
    return is_hash(uid) ? uid : "";
}

std::optional<OwnGame> own_game(const PgnGame& g, Color side) {
    OwnGame own;
    GameRecord& r = own.game.record;
    own.exported = !g.log.empty();
    if (own.exported && !read_log_text(g.log, own.game))
        return std::nullopt;
    if (own.exported)
        side = r.our_side;
    const bool white = side == engine::White;
    r.uid = uid_of(g);
    own.former_uid = former_uid_of(g);
    r.our_side = side;
    r.game = engine::Game(g.start);
    own.moves = g.moves;
    own.keys = g.keys;
    const std::string& name = white ? g.black : g.white;
    r.opponent = {.name = name == "?" ? "" : name,
                  .server = own.exported ? (g.site == "-" ? "" : g.site) : server_of(g.site),
                  .computer = is_bot(g, ~side),
                  .rating = white ? g.black_rating : g.white_rating};
    r.our_rating = white ? g.white_rating : g.black_rating;
    r.engine = white ? g.white : g.black;
    r.event = g.event == "?" ? "" : g.event;
    r.time_control = g.time_control == "?" ? "" : g.time_control;
    if (own.exported) {
        r.reason = g.reason;
        r.draws = draws_of(g);
        return static_cast<std::size_t>(r.exit_ply.value_or(0)) <= g.moves.size()
                   ? std::optional(own)
                   : std::nullopt;
    }
    r.reason = reason_of(g);
    r.score = g.outcome == Outcome::Draw ? 0.5 : (g.outcome == Outcome::White) == white ? 1 : 0;
    r.termination = ending_of(g, r.opponent.name).value_or(Termination::Aborted);
    r.time = time_class_of(g).value_or(TimeClass::Blitz);
    set_time(g, own);
    add_scores(g, side, own);
    return own;
}

}  // namespace book
