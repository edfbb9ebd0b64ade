// The data of the live page as JSON, and what it changes. GET: version, visit, overview, opponents,
// position, games, game, news, changes; POST: line, mark, undo. One thread only. Functions may
// throw Failure or an exception of SQLite.
#pragma once

#include "book/probe/news.h"
#include "tools/book/serve/live_book.h"
#include "tools/book/serve/server.h"

#include <nlohmann/json_fwd.hpp>

namespace tools::book_command {

using Query = std::map<std::string, std::string>;

// Bad use of the interface; answered with status 400.
class BadRequest : public book::Failure {
    using book::Failure::Failure;
};

// The value of a name, or "" if there is none.
std::string value_of(const Query& query, const std::string& name);
// A time given as a day or as seconds since 1970, in these seconds; nothing if there is none.
std::optional<std::int64_t> moment_of(const Query& query, const char* name);
// An earlier visit, as /api/visit gave it; nothing if there is none, or it is no visit.
std::optional<book::LastVisit> visit_in(const Query& query, const char* name);
// "time": lightning, blitz or standard; nothing if there is none.
std::optional<book::TimeClass> time_of(const Query& query);
// The game that "start" (a FEN; "": the usual start) and "moves" ("e2e4-c7c5") give.
engine::Game game_of(const std::string& start, const std::string& moves);

// What is known of the query's position, with its legal moves. "side": whose own games, white or
// black; by default as in `show`. "time": lightning, blitz or standard.
nlohmann::json position_json(LiveBook& book, const Query& query);

// Results of own games of `side` in the position by move, [won, drawn, lost], counting only games
// under the filter; null if the query has no filter but "side". The filter: "side", "result",
// "time", "opponent" (its number), "since" and "until" (days, or seconds since 1970), and "learned"
// (a time or a visit: games learned since then, see learned_since()).
nlohmann::json
filtered_json(LiveBook& book, const engine::Position& pos, engine::Color side, const Query& query);

// A page of own games under the filter, perhaps only those through the position ("here" is 1), the
// latest first; and the game "number" with the random choices of its book moves.
nlohmann::json games_json(LiveBook& book, const Query& query);
nlohmann::json game_json(LiveBook& book, const Query& query);

class Api {
  public:
    explicit Api(const Call& call) : book_(call) {}

    // The answer to a path below /api/, 404 if there is none.
    Reply answer(const Request& request);

  private:
    LiveBook book_;
    std::string overview_{}, overview_version_{};  // kept, since it reads the whole log
    std::string news_{}, news_asked_{};            // the same, for the time asked for last
    [[nodiscard]] const std::string& overview();
    [[nodiscard]] const std::string& news(const Query& query);
};

}  // namespace tools::book_command
