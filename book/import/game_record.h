// One game of ours, from PGN of servers and programs or from our own export.
#pragma once

#include "book/import/filter.h"
#include "book/learn/same_game.h"
#include "book/pgn/comment_score.h"

namespace book {

inline constexpr int EvalDepth = 16;  // plies; for lichess, which gives none but searches deeper

// The value of the tag NutcrackerLog: what the log knows of a game and PGN cannot express.
std::string log_text(const LoggedGame& game);
// Reads such a value into a game. False if it is malformed or has impossible values.
bool read_log_text(const std::string& text, LoggedGame& game);

struct OwnGame {
    LoggedGame game;  // record.game is only its start position
    std::vector<engine::Move> moves;
    std::vector<Key> keys;                             // before each of them
    std::vector<std::pair<int, CommentScore>> scores;  // by the number of plies before our move
    std::string former_uid{};                          // see former_uid_of()
    bool exported = false;    // by this program: exit, evidence and clock are valid
    bool exact_time = false;  // record.played is right to the second
};
// The PGN comment that stores one of GameRecord::draws.
std::string draw_comment(const std::string& draw);
// The game with `side` as ours; unknown fields are empty. Requires a result, unless it was
// exported. Nothing if the tag NutcrackerLog is damaged.
std::optional<OwnGame> own_game(const PgnGame& game, Color side);

// Identifies the game: by the tag NutcrackerUid, a server's game number, or a hash of its contents.
std::string uid_of(const PgnGame& game);
// The hash that earlier versions gave the game, which read no Latin-1 tags and no chess.com links;
// "" if equal.
std::string former_uid_of(const PgnGame& game);
// The host name of a server in the tag Site; "" if the tag names a place.
std::string server_of(const std::string& site);
// Seconds since 1970 of date and time ("12:30:00", or ""); 0 if the year is unknown. A date without
// its month or day is the first that is possible.
std::int64_t seconds_at(std::string_view date, std::string_view time);

}  // namespace book
