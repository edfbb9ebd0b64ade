// Which games an import takes, and which of them are duplicates.
#pragma once

#include "book/pgn/pgn_game.h"

#include <filesystem>

namespace book {

enum class Duplicates : std::uint8_t {
    // Games with the same moves and result count once; short ones, which may be equal by chance,
    // only if surnames of players, date and round are the same, too.
    ByGame,
    ByMoves,  // games with the same moves count once, whatever the result
    Keep      // every game counts
};

struct ImportOptions {
    int min_ply = 0, max_ply = 40;   // plies of a game that are imported: [min, max)
    int min_games = 1;               // of a move in this import; rarer ones are dropped
    int min_plies = 0;               // length of a game
    int min_rating = 0;              // of both players
    int from_date = 0, to_date = 0;  // yyyymmdd; 0: any
    std::string results{};           // such as "1-0,0-1"; empty: all
    std::string player{};            // part of a player's name, in any case; empty: all
    bool player_only = false;        // import only the moves of `player`
    bool winner_only = false;        // import only the moves of the winner
    std::string eco{};               // prefix of the code
    Duplicates duplicates = Duplicates::ByGame;
    bool again = false;                           // read also text that was imported before
    std::size_t memory = std::size_t{128} << 20;  // bytes, for sorting
    std::filesystem::path folder{};               // of temporary files; empty: the system's
};

bool is_wanted(const PgnGame& game, const ImportOptions& options);
// One line for people that names all filters; equal for equal filters.
std::string settings_text(const ImportOptions& options);
// A hash that is equal for duplicates.
std::int64_t game_hash(const PgnGame& game, Duplicates by);

// yyyymmdd of "2021.07.20", with zeros for unknown digits.
int date_number(std::string_view date);
// True if the text contains the part, in any case.
bool contains_ignoring_case(std::string_view text, std::string_view part);

}  // namespace book
