// One game of PGN text, as the reader hands it out.
#pragma once

#include "book/pgn/words.h"

#include <vector>

namespace book {

struct PgnComment {
    std::size_t ply = 0;  // moves before it
    std::string text{};   // cut to MaxComment characters
};
inline constexpr std::size_t MaxComment = 4096;

struct PgnGame {
    std::int64_t number = 0;  // in its stream, from 1; games that are left out count
    std::int64_t line = 0;    // where it begins, from 1
    std::string event, date, round, white, black, eco, variant, fen, utc_date, utc_time;
    std::string site, link, time, time_control, termination;
    std::string white_title, black_title, white_type, black_type;  // "BOT", "program"
    std::string fics_number;                                       // FICSGamesDBGameNo
    std::string uid, log, reason;  // of our own export: NutcrackerUid, NutcrackerLog, -Reason
    int white_rating = 0, black_rating = 0;  // 0: not given
    // The result after the moves or, if there is none or "*", that of the tag.
    Outcome outcome = Outcome::Unknown;
    bool has_end = false;          // a result or "*" follows the moves
    bool contradicts_tag = false;  // the result after the moves differs from the tag
    engine::Position start;
    std::vector<Move> moves;
    std::vector<Key> keys;             // before each move
    std::vector<PgnComment> comments;  // outside variations; only if the reader keeps them

    // Why the game must be left out, and the line of the fault; "" if it is clean.
    std::string trouble;
    std::int64_t trouble_line = 0;
    // A harmless oddity, such as a null move, after which the moves are left out; "" if none.
    std::string note;
};

}  // namespace book
