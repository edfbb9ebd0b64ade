// One open book file with all that is in it: the database and those who keep its tables.
#pragma once

#include "book/model/belief.h"
#include "book/store/games.h"
#include "book/store/opponents.h"
#include "book/store/track.h"

namespace book {

// Weights grow with the book's clock instead of old ones shrinking: so a sum never needs touching,
// and a reading divides by today's factor.
struct Aging {
    double half_life = 0;        // own games; 0: nothing ages
    std::int64_t reference = 0;  // clock at which the factor is 1
    [[nodiscard]] double growth(std::int64_t clock) const;
};

// How a game went through the book. What plays chess takes track_of(); what has no chess games,
// like a benchmark, brings its own.
using Tracker = std::function<std::optional<Track>(const GameRecord& game, bool finished)>;

struct Store {
    std::unique_ptr<Database> db;
    std::unique_ptr<Positions> positions;
    std::unique_ptr<Games> games;
    std::unique_ptr<Opponents> opponents;
    Tracker track = track_of;
    Model standard{};        // the constants of a book that has calibrated none
    bool calibrates = true;  // its constants follow the log

    static Result<Store> open(const std::filesystem::path& file, bool write);
    // The constants, with those that this book has calibrated or the user has set.
    [[nodiscard]] Result<Model> model() const;
    [[nodiscard]] Result<Aging> aging(const Model& model) const;
    [[nodiscard]] Result<std::int64_t> clock() const;  // own games counted so far
};

// Where to look: the user's experience, and what has no games of ours: the user's book where the
// experience lies beside it, and the installed book. All may be missing.
struct Layers {
    Store* experience = nullptr;
    Store* original = nullptr;
    Store* base = nullptr;
};

// Names of the settings that a book may carry.
inline constexpr const char* ClockName = "clock";
inline constexpr const char* ReferenceName = "clock reference";
inline constexpr const char* HalfLifeName = "half life";
inline constexpr const char* ExitWorthName = "worth of an exit score";
inline constexpr const char* AnalysisWorthName = "worth of an analysis";
inline constexpr const char* SigmaName = "deviation of a result";
inline constexpr const char* MeasuredUntilName =
    "measured until";  // when the last of them was played

}  // namespace book
