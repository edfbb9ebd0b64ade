// Takes collections of games into a book: read, filtered, counted once each, added up, and stored
// in one transaction, so that a killed import leaves the book as it was.
#pragma once

#include "book/import_file.h"
#include "book/locked_file.h"
#include "book/store.h"

#include <optional>

namespace book {

enum class Duplicates : std::uint8_t {
    ByGame,   // the same moves, result, players, date and round: once
    ByMoves,  // the same moves and result: once
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
    std::size_t memory = std::size_t{160} << 20;  // bytes for sorting
    std::filesystem::path folder{};               // for temporary files; empty: the system's
};

struct ImportReport {
    std::int64_t games = 0;  // seen
    std::int64_t imported = 0, duplicates = 0, own = 0, filtered = 0, bad = 0;
    std::int64_t moves = 0, rows = 0;  // stored: occurrences, and different (position, move)
    std::int64_t other_lines = 0;      // text that is no game
    bool stopped = false;
};

// Something to tell: a game that was left out, or one that is odd.
struct ImportTrouble {
    std::string file;
    std::int64_t line = 0, game = 0;
    std::string what;
    bool left_out = true;
};

struct ImportListener {
    std::function<void(const ImportTrouble&)> trouble = [](const ImportTrouble&) {};
    // Called now and then; false stops the reading, and what was read is stored.
    std::function<bool(const ImportReport&)> go_on = [](const ImportReport&) { return true; };
};

class Importer {
  public:
    // Waits for another import into the same book to end.
    static Result<Importer> begin(Store& store,
                                  const std::filesystem::path& book,
                                  ImportOptions options,
                                  ImportListener listener);
    Importer(Importer&&) noexcept;
    Importer& operator=(Importer&&) = delete;
    Importer(const Importer&) = delete;
    Importer& operator=(const Importer&) = delete;
    ~Importer();

    Result<void> read(const GamesFile& file);
    // Stores what was read. Until then nothing has been.
    Result<ImportReport> finish();

  private:
    class Work;
    explicit Importer(std::unique_ptr<Work> work);
    std::unique_ptr<Work> work_;
};

// What makes a game the same in all its copies. Names are compared by surname.
std::int64_t game_identity(const PgnGame& game, Duplicates by);

}  // namespace book
