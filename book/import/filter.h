// Which games an import takes, and which of them are duplicates.
#pragma once

#include "book/pgn/pgn_game.h"
#include "book/types.h"

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
    int max_rating = 0;              // of both players; 0: any
    bool rated = false;              // both ratings are known
    std::string results{};           // such as "1-0,0-1"; empty: all
    std::string times{};             // "lightning", "blitz", "standard" with commas; empty: all
    int min_base = 0;                // seconds of the first time control
    std::string endings{};           // "normal", "time", "abandoned", "other"; empty: all
    bool no_bots = false;            // leave out games with a player known to be a program
    std::string title{};             // of at least one player, in any case; empty: any
    std::string player{};            // part of a player's name, in any case; empty: all
    bool player_only = false;        // import only the moves of `player`
    bool winner_only = false;        // import only the moves of the winner
    std::string eco{};               // prefix of the code
    Duplicates duplicates = Duplicates::ByGame;
    bool evals = false;                           // read [%eval] comments as analyses
    bool keeps_games = true;                      // so that the import can be forgotten
    bool again = false;                           // read also text that was imported before
    std::size_t memory = std::size_t{128} << 20;  // bytes, for sorting
    std::filesystem::path folder{};               // of temporary files; empty: the system's
};

bool is_wanted(const PgnGame& game, const ImportOptions& options);
// One line for people that names all filters; equal for equal filters.
std::string settings_text(const ImportOptions& options);
// The ImportOptions::duplicates of an import with this settings_text().
Duplicates duplicates_of(const std::string& settings);
// The rest of that text.
std::string filters_of(const std::string& settings);
inline constexpr std::size_t MinLongGame = 60;  // plies; no two such games are equal by chance
// A hash that is equal for duplicates.
std::int64_t game_hash(const PgnGame& game, Duplicates by);

// True if a tag or the name says that the player is a program.
bool is_bot(const PgnGame& game, Color side);
// True if the name of one side contains the text, in upper or lower case.
bool has_player(const PgnGame& game, std::string_view part_of_name);
// How the game ended; nothing if it was adjourned or is not over.
std::optional<Termination> ending_of(const PgnGame& game, const std::string& opponent = {});
// From the tag TimeControl or, where that is missing, from words of the tag Event.
std::optional<TimeClass> time_class_of(const PgnGame& game);

// yyyymmdd of "2021.07.20" or "2021.7.20", with zeros for unknown digits and for an impossible
// month or day.
int date_number(std::string_view date);

}  // namespace book
