// Imports games that a player of ours has played before, as if they had been learned: from servers,
// other programs, and our own export. Every game counts once, also if it was learned at the board.
// One thread only. Functions may throw Failure or an exception of SQLite, unless noted.
#pragma once

#include "book/import/importer.h"
#include "book/import/player_names.h"

namespace book {

struct OwnGamesReport {
    std::int64_t games = 0;     // seen
    std::int64_t learned = 0;   // new in the log
    std::int64_t known = 0;     // in the log before
    std::int64_t finished = 0;  // of the known: had no result until now
    std::int64_t others = 0;    // not by our player, or by ours on both sides
    std::int64_t both = 0;      // of the others: by ours on both sides
    // Also games without a result, adjourned, aborted, or from another start position.
    std::int64_t filtered = 0;
    std::int64_t bad = 0;
    std::int64_t imported = 0;  // of the learned and finished: also count as imported games
    std::int64_t evals = 0;     // analyses taken over
    bool stopped = false;       // by the listener
    std::vector<PlayerNames::Player> suggested;    // instead of our player, if all are others'
    std::vector<PlayerNames::Player> other_names;  // of others, perhaps abbreviations of ours
};

class OwnGames {
  public:
    // `names` of our player, as identity() reads them; `options`: which games, the last ply that
    // may be in the book, and whether to read [%eval]. The store must outlive this.
    OwnGames(Store& store,
             const std::filesystem::path& book,
             const std::vector<std::string>& names,
             ImportOptions options,
             ImportListener listener);
    OwnGames(const OwnGames&) = delete;
    OwnGames& operator=(const OwnGames&) = delete;
    ~OwnGames();

    // Memory grows with the games, by about 1 KiB each.
    void read(const GamesFile& file);
    void stop();  // not all files will be read
    // Stores what was read in one transaction, as one change that can be undone. Until then the
    // book is as it was. To be called once.
    OwnGamesReport finish();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace book
