// Which games an import takes, and which of them are copies.
#pragma once

#include "book/pgn/reader.h"

#include <filesystem>

namespace book {

enum class Duplicates : std::uint8_t {
    // The same moves and result: once. Short games, which people do play again, only with the same
    // players, date and round. Names are compared by surname.
    ByGame,
    ByMoves,  // the same moves: once, whatever the result
    Keep
};

struct ImportOptions {
    int min_ply = 0, max_ply = 40;   // moves of the game that are taken, counted in plies
    int min_games = 1;               // moves with fewer in this import are dropped
    int min_plies = 0;               // of a game
    int min_rating = 0;              // of both players
    int from_date = 0, to_date = 0;  // yyyymmdd, 0: open
    std::string results{};           // "1-0,0-1": only these; empty: all
    std::string player{};            // part of a name, any case: only games with such a player
    bool player_only = false;        // and only that player's moves
    bool winner_only = false;        // only moves of the side that won
    std::string eco{};               // beginning of the code
    Duplicates duplicates = Duplicates::ByGame;
    bool again = false;                           // also text that was taken in before
    std::size_t memory = std::size_t{128} << 20;  // bytes for sorting
    std::filesystem::path folder{};               // for temporary files; empty: the system's
};

bool is_wanted(const PgnGame& game, const ImportOptions& options);
// All that decides what is taken of a file, for people and for comparing.
std::string settings_of(const ImportOptions& options);
// What makes a game the same in all its copies.
std::int64_t game_identity(const PgnGame& game, Duplicates by);

// yyyymmdd of "2021.07.20", with zeros for what is unknown.
int date_number(std::string_view date);
// True if the part is in the text; capitals make no difference.
bool contains_folded(std::string_view text, std::string_view part);

}  // namespace book
