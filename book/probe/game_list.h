// The list of own games, by filter and page by page.
#pragma once

#include "book/probe/opening_names.h"
#include "book/probe/probe.h"

#include <set>

namespace book {

struct GameListFilter {
    GameFilter game{};                             // what the log itself can be asked for
    std::string opening{};                         // as OpeningPattern reads it; empty: all
    std::optional<engine::Position> position{};    // games that went through it
    std::optional<std::set<std::int64_t>> only{};  // these games alone, by their ids
};

struct GameSummary {
    LoggedGame game;            // the moves only as far as they were needed; see LoggedGame::plies
    OpponentRecord opponent{};  // id 0: unknown
    std::string opening{};      // "C65 Ruy Lopez: Berlin Defence", "" if none
    std::string exit_move{};    // SAN of the move at the exit, "" if there is none
    std::optional<int> ply{};   // where the game first came to the filter's position
};

struct GamePage {
    std::vector<GameSummary> games{};  // the latest first
    bool more = false;                 // older ones follow
    // Games of all pages; not known where opening or position are filtered.
    std::optional<std::int64_t> total{};
};

// The first ply at which the game was in the position; nothing if it never was. May throw as
// list_games().
std::optional<int> first_ply_at(Store& store, std::int64_t id, const engine::Position& wanted);

// Games `first` to `first` + `number` - 1 of those that match, counted from 0; number 0: all from
// there on. Reads moves only of games on the page, and only as many as it needs. May throw Failure,
// on a row that is no game, or an exception of SQLite.
GamePage list_games(Store& store,
                    const OpeningNames& names,
                    const GameListFilter& filter,
                    std::size_t first,
                    std::size_t number);

}  // namespace book
