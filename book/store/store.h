// One open book file: the database and its tables. One thread only; movable.
#pragma once

#include "book/model/belief.h"
#include "book/store/games.h"
#include "book/store/opponents.h"
#include "book/store/positions.h"
#include "book/store/track.h"

#include <memory>

namespace book {

// Old evidence counts less. Instead of shrinking old weights, new ones grow with the book's clock,
// so that stored sums stay as they are; a reader divides by the growth at the present clock.
struct Aging {
    double half_life = 0;        // own games; 0: nothing ages
    std::int64_t reference = 0;  // clock at which the factor is 1
    [[nodiscard]] double growth(std::int64_t clock) const;
};

// How a game went through the book: track_of(), or what a benchmark without chess games provides.
using Tracker = std::function<std::optional<Track>(const GameRecord& game, bool finished)>;

struct Store {
    Database db;
    Positions positions;
    Games games;
    Opponents opponents;
    Tracker track = track_of;
    // The book, if this is its overlay: its imported games count here, too. Only read.
    std::shared_ptr<Store> overlaid{};
    Model standard{};        // the constants of a book that has calibrated none
    bool calibrates = true;  // its constants follow the log

    // Throws as Database does.
    Store(const std::filesystem::path& file,
          bool write,
          bool as_it_is = false,
          std::chrono::milliseconds patience = UsualPatience);
    // The constants: those calibrated or set in this book, the rest from `standard`.
    Model model();
    Aging aging(const Model& model);
    std::int64_t clock();  // finished own games so far
    // The moves of imported games, of an overlay those of its book.
    std::vector<Edge> imported(Key key);
};

class PolyglotBook;

// The books to read together; any may be null.
struct Layers {
    Store* experience = nullptr;  // own games
    Store* original = nullptr;    // the user's read-only book, if experience is its overlay
    Store* base = nullptr;        // the installed book
    // Further books, only read. `further_games`: the books with their own games that count; each of
    // these games is in exactly one of them and not in the experience.
    std::vector<Store*> further{}, further_games{};
    std::vector<PolyglotBook*> polyglot{};
};
// Locks all these stores once, see ReadTransaction. They must outlive the result.
std::vector<ReadTransaction> begin_reading(const Layers& layers);

// Names of settings in the table meta.
inline constexpr const char* OverlaidName = "book of the overlay";  // its path
inline constexpr const char* ClockName = "clock";
inline constexpr const char* OldClockName =
    "clock counts notes";  // 1: as in format 2, see open_store
inline constexpr const char* OldValuesName =
    "derived values are old";  // 1: computed as in formats 3 to 6, see open_store
inline constexpr const char* ReferenceName = "clock reference";
inline constexpr const char* HalfLifeName = "half life";
inline constexpr const char* ExitWorthName = "worth of an exit score";
inline constexpr const char* AnalysisWorthName = "worth of an analysis";
inline constexpr const char* DeepWorthName = "worth of a deep analysis";
inline constexpr const char* SigmaName = "deviation of a result";
inline constexpr const char* MeasuredUntilName = "measured until";  // seconds since 1970: the last
                                                                    // game used for calibration

}  // namespace book
