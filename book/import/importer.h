// Imports collections of games into a book: reads, filters and counts each game once, adds up equal
// moves and stores them in one transaction, so that a killed import leaves the book as it was.
// Needs little memory, and time in proportion to the games: what does not fit is sorted in
// temporary files, 16 bytes a move and 16 a game. One thread only. Functions may throw Failure or
// an exception of SQLite, unless noted.
#pragma once

#include "book/import/filter.h"
#include "book/import/pgn_source.h"
#include "book/store/store.h"

namespace book {

struct ImportReport {
    std::int64_t games = 0;  // seen
    std::int64_t imported = 0, duplicates = 0, own = 0, filtered = 0, bad = 0;
    std::int64_t moves = 0, rows = 0;  // stored: occurrences, and different (position, move)
    std::int64_t known_files = 0;      // imported before, or beginning with such text
    std::int64_t evals = 0;            // analyses from [%eval] comments
    bool kept = true;                  // the import can be forgotten
    bool stopped = false;              // by the listener
};

// A message for the user about one game or, with game 0, about a file.
struct ImportTrouble {
    std::string file;
    std::int64_t line = 0, game = 0;
    std::string what;
    bool left_out = true;  // the game was not imported
};

struct ImportListener {
    std::function<void(const ImportTrouble&)> trouble = [](const ImportTrouble&) {};
    // Called every 1024 games; false stops the reading.
    std::function<bool(const ImportReport&)> go_on = [](const ImportReport&) { return true; };
    // Called now and then while moves are stored, with the fraction that is done.
    std::function<void(double)> storing = [](double) {};
};

class Importer {
  public:
    // `book` is the path of `store`, or ":memory:". Waits for another import into the same book to
    // end. The store must outlive the Importer.
    Importer(Store& store,
             const std::filesystem::path& book,
             ImportOptions options,
             ImportListener listener);
    Importer(const Importer&) = delete;
    Importer& operator=(const Importer&) = delete;
    ~Importer();

    // Bytes of the file's text that were imported before, with the same options or with another
    // ImportOptions::duplicates (reading them again would count games twice); 0 if none. Reads from
    // the file: reopen it for read(). Does not access the book.
    [[nodiscard]] std::int64_t known_bytes(const GamesFile& file) const;
    // Skips the first `known_bytes` of the text, see known_bytes().
    void read(const GamesFile& file, std::int64_t known_bytes = 0);
    void stop();  // not all files will be read
    // Stores what was read. Until then the book is as it was. Call it once. After a stop, a later
    // import continues from there; but with ImportOptions::min_games above 1, which needs all
    // games, finish() throws Failure and the import must start again. Also throws Failure if no
    // game is of ImportOptions::player, and suggests names.
    ImportReport finish();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace book
