// Takes collections of games into a book: read, filtered, counted once each, added up, and stored
// in one transaction, so that a killed import leaves the book as it was.
#pragma once

#include "book/import/filter.h"
#include "book/import/pgn_source.h"
#include "book/store/locked_file.h"
#include "book/store/store.h"

#include <optional>

namespace book {

struct ImportReport {
    std::int64_t games = 0;  // seen
    std::int64_t imported = 0, duplicates = 0, own = 0, filtered = 0, bad = 0;
    std::int64_t moves = 0, rows = 0;  // stored: occurrences, and different (position, move)
    std::int64_t other_lines = 0;      // text that is no game
    std::int64_t known_files = 0;      // that were taken in before, or begin with such text
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

    // How much of the file's text was taken in before with the same options; 0 if none, or if only
    // its games can tell. Reads from the file: open it anew before read().
    [[nodiscard]] Result<std::int64_t> known_bytes(const GamesFile& file) const;
    Result<void> read(const GamesFile& file, std::int64_t known = 0);
    // Stores what was read. Until then nothing has been.
    Result<ImportReport> finish();

  private:
    class Work;
    explicit Importer(std::unique_ptr<Work> work);
    std::unique_ptr<Work> work_;
};

}  // namespace book
