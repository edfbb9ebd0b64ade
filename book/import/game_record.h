// One game of ours, from PGN of servers and programs or from our own export.
#pragma once

#include "book/import/filter.h"
#include "book/pgn/comment_score.h"
#include "book/store/games.h"

namespace book {

inline constexpr int EvalDepth = 16;  // of lichess, which does not give it; its analyses are deeper

// The tag NutcrackerLog holds what the log knows of a game and PGN cannot say.
std::string log_text(const LoggedGame& game);
// Reads such a line into a game. False if it is malformed, or holds what no game has.
bool read_log_text(const std::string& text, LoggedGame& game);

struct OwnGame {
    LoggedGame game;  // record.game is only its start position
    std::vector<engine::Move> moves;
    std::vector<Key> keys;                             // before each of them
    std::vector<std::pair<int, CommentScore>> scores;  // by the number of plies before our move
    std::string former_uid{};                          // see former_uid_of()
    bool exported = false;    // by this program: exit, evidence and clock hold
    bool exact_time = false;  // record.played is right to the second
};
// A comment with one of GameRecord::draws.
std::string draw_comment(const std::string& draw);
// The game as one of `side`; what a game of ours lacks is empty. Requires a result, unless it was
// exported. Nothing if the line NutcrackerLog is damaged.
std::optional<OwnGame> own_game(const PgnGame& game, Color side);

// Identifies the game: of the tag NutcrackerUid, of a server, or a hash of all it says.
std::string uid_of(const PgnGame& game);
// The hash that a game had when tags in Latin-1 were not converted; "" if it is the same.
std::string former_uid_of(const PgnGame& game);
// Whether it is such a hash.
bool is_hash(const std::string& uid);
// The host of a server from the tag Site; "" of a place.
std::string server_of(const std::string& site);
// Seconds since 1970 of date and time ("12:30:00", or ""); 0 if the year is unknown. A date without
// its month or day is the first that is possible.
std::int64_t seconds_at(std::string_view date, std::string_view time);
// What is known of the date of a game. The log has no field for it: a game without the number of a
// server tells it by its seconds after the midnight of the first possible day.
enum class KnownDate : std::uint8_t { Day, Month, Year };
KnownDate known_date(const std::string& uid, std::int64_t played);
// Whether the game may have been played on the day of `time` (seconds since 1970).
bool is_possible_day(const std::string& uid, std::int64_t played, std::int64_t time);

}  // namespace book
