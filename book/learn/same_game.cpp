#include "book/learn/same_game.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace book {
namespace {

// How far the time of a game in a file may be from that at the board: seconds.
constexpr std::int64_t NearMinutes = 30 * 60, NearDays = 36 * 3600;

enum class UidKind : std::uint8_t { Board, Server, Hash };

UidKind kind_of(const std::string& uid) {
    constexpr std::array Servers{LichessUid, ChessComUid, FicsUid};
    if (is_hash(uid))
        return UidKind::Hash;
    const bool of_server = std::any_of(
        Servers.begin(), Servers.end(), [&uid](auto server) { return uid.starts_with(server); });
    return of_server ? UidKind::Server : UidKind::Board;
}

std::chrono::year_month_day day_of(std::int64_t seconds) {
    namespace chrono = std::chrono;
    return chrono::floor<chrono::days>(chrono::sys_seconds(chrono::seconds(seconds)));
}

// The clock of the board is right; a file may have no date, the local day, or the exact time.
bool is_near(const GameCopy& board, const GameCopy& file) {
    if (known_date(file.uid, file.played) != KnownDate::Day)
        return is_possible_day(file.uid, file.played, board.played);
    return file.played == 0 ||
           std::abs(file.played - board.played) <= (file.is_timed ? NearMinutes : NearDays);
}

// Whether the time of a file may be the local time of a server's, which is Greenwich's. A time
// whose hours are not known is the midnight of its day.
bool may_be_local(std::int64_t local, std::int64_t server) {
    constexpr std::int64_t East = 13 * 3600, West = 10 * 3600;  // of Greenwich, where people live
    const auto length = [](std::int64_t time) { return time % SecondsADay == 0 ? SecondsADay : 0; };
    const std::int64_t least = server - local - length(local);
    const std::int64_t most = server + length(server) - local;
    return local != 0 && server != 0 && least < West && most > -East;
}

}  // namespace

bool is_hash(const std::string& uid) {
    return uid.starts_with(HashUid);
}

KnownDate known_date(const std::string& uid, std::int64_t played) {
    const std::chrono::year_month_day day = day_of(played);
    const std::int64_t seconds = (played % SecondsADay + SecondsADay) % SecondsADay;
    if (!is_hash(uid) || day.day() != std::chrono::day(1))
        return KnownDate::Day;
    if (seconds == WithoutMonth && day.month() == std::chrono::January)
        return KnownDate::Year;
    return seconds == WithoutDay ? KnownDate::Month : KnownDate::Day;
}

bool is_possible_day(const std::string& uid, std::int64_t played, std::int64_t time) {
    const std::chrono::year_month_day day = day_of(played), other = day_of(time);
    const KnownDate known = known_date(uid, played);
    return played != 0 && time != 0 && day.year() == other.year() &&
           (known == KnownDate::Year || day.month() == other.month()) &&
           (known != KnownDate::Day || day.day() == other.day());
}

GameCopy copy_of(const GameRecord& record, const std::string& opponent, bool is_timed) {
    return {.uid = record.uid,
            .opponent = player_key(opponent),
            .played = record.played,
            .side = record.our_side,
            .is_timed = is_timed && record.time != TimeClass::Standard};
}

GameCopy copy_of(Store& store, const LoggedGame& game) {
    const auto opponent = store.opponents.get(game.opponent_id);
    return copy_of(game.record, opponent ? opponent->name : "");
}

// Two uids of one kind are two games, as rounds of a match are; but a file may know the date of a
// game more exactly than another, which gives it another hash.
bool may_be_same(const GameCopy& a, const GameCopy& b) {
    if (a.side != b.side ||
        (!a.opponent.empty() && !b.opponent.empty() && a.opponent != b.opponent))
        return false;
    const UidKind kind = kind_of(a.uid), other = kind_of(b.uid);
    const KnownDate known = known_date(a.uid, a.played), other_known = known_date(b.uid, b.played);
    if (kind == other && (kind != UidKind::Hash || known == other_known))
        return false;
    if (kind == UidKind::Board || other == UidKind::Board)
        return kind == UidKind::Board ? is_near(a, b) : is_near(b, a);
    if (known == KnownDate::Day && other_known == KnownDate::Day &&
        (kind == UidKind::Server ? may_be_local(b.played, a.played)
                                 : may_be_local(a.played, b.played)))
        return true;
    const GameCopy& vaguer = known > other_known ? a : b;
    return is_possible_day(vaguer.uid, vaguer.played, (known > other_known ? b : a).played);
}

std::optional<LoggedGame> match_copy(Store& store,
                                     std::int64_t content,
                                     const std::function<GameCopy()>& copy,
                                     std::set<std::int64_t>& matched) {
    std::optional<GameCopy> wanted;
    for (LoggedGame& game : store.games.with_content(content)) {
        if (game.state == GameState::Pending || matched.contains(game.id))
            continue;
        if (!wanted)
            wanted = copy();
        if (may_be_same(copy_of(store, game), *wanted)) {
            matched.insert(game.id);
            return std::move(game);
        }
    }
    return std::nullopt;
}

}  // namespace book
