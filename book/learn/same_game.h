// Whether two records under different uids are of one game: a game may be learned at the board, and
// come again from a server or a file.
#pragma once

#include "book/store/store.h"

#include <functional>
#include <set>

namespace book {

// How uids of games that were not learned at the board begin.
inline constexpr std::string_view LichessUid = "lichess.org/", ChessComUid = "chess.com/",
                                  FicsUid = "fics/", HashUid = "pgn/";
bool is_hash(const std::string& uid);  // of the game's contents

// How exactly the date of a game is known. The log has no field for it: for a game without a
// server's number, the seconds of `played` after the midnight of the first possible day encode it.
enum class KnownDate : std::uint8_t { Day, Month, Year };
inline constexpr std::int64_t SecondsADay = 86'400, WithoutDay = 1, WithoutMonth = 2;
KnownDate known_date(const std::string& uid, std::int64_t played);
// Whether the game may have been played on the day of `time` (seconds since 1970).
bool is_possible_day(const std::string& uid, std::int64_t played, std::int64_t time);

// What is compared of two games that have the same content_hash().
struct GameCopy {
    std::string uid{}, opponent{};  // the opponent's player_key(), "" if unknown
    std::int64_t played = 0;        // seconds since 1970, 0 if unknown
    Color side = engine::White;     // ours
    bool is_timed = false;  // from a file: `played` is right to the second, and the game was fast
};
GameCopy copy_of(const GameRecord& record, const std::string& opponent, bool is_timed = false);
// The same of a game in the log of `store`.
GameCopy copy_of(Store& store, const LoggedGame& game);
bool may_be_same(const GameCopy& a, const GameCopy& b);
// The finished game in the log of `store` with this content_hash() that may be the same and is not
// in `matched`, to which its number is added. `copy` is called only if there are such contents.
std::optional<LoggedGame> match_copy(Store& store,
                                     std::int64_t content,
                                     const std::function<GameCopy()>& copy,
                                     std::set<std::int64_t>& matched);

}  // namespace book
