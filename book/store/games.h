// The log of our own games, which is the truth that all learning is made of, and the list of what
// was imported. One thread only; writes belong into a transaction.
#pragma once

#include "book/model/evidence.h"
#include "book/model/key.h"
#include "book/store/database.h"
#include "book/types.h"

#include <functional>
#include <span>

namespace book {

enum class GameState : std::uint8_t {
    Pending,    // the exit from the book is known, the result is not
    Applied,    // counted
    Unlearned,  // taken out again by the user
    Rejected    // says nothing about the opening
};

struct LoggedGame {
    std::int64_t id = 0;
    std::int64_t clock = 0;  // number of the game in the order of learning
    std::int64_t epoch = 0;  // number of the run of the program
    GameState state = GameState::Pending;
    std::int64_t opponent_id = 0;  // 0: unknown
    Evidence evidence{};
    double overperformance = 0;        // our score above what rating and position promised
    std::optional<Key> exit_key{};     // where it left the book
    std::optional<int> analysed_cp{};  // what an analysis said of our last book move, ours
    GameRecord record{};               // the opponent's name left out
};

// What one game that counts says of searches.
struct CalibrationSample {
    std::int64_t played = 0;  // seconds since 1970
    Evidence evidence{};
    std::optional<Key> exit_key{};
    std::optional<int> exit_cp{}, analysed_cp{};  // ours
};

struct Source {  // one imported file
    std::int64_t id = 0;
    std::string kind{}, name{}, digest{};
    std::int64_t bytes = 0, added = 0, games = 0, moves = 0;
    std::string settings{};
};

// Which games a command is about; what is left open matches all.
struct GameFilter {
    std::optional<std::int64_t> id{}, epoch{}, since{}, opponent{};  // since: seconds since 1970
    std::optional<GameState> state{};
};

class Games {
  public:
    static Result<std::unique_ptr<Games>> on(Database& db);
    virtual ~Games() = default;

    virtual Result<std::optional<LoggedGame>> find(const std::string& uid) = 0;
    virtual Result<std::optional<LoggedGame>> get(std::int64_t id) = 0;
    virtual Result<std::optional<LoggedGame>> latest() = 0;
    // The newest pending game of this side against this opponent that `game` goes on with.
    virtual Result<std::optional<LoggedGame>>
    interrupted(const engine::Game& game, engine::Color our_side, std::int64_t opponent) = 0;
    // Stores a new game, or writes over the one with its id.
    virtual Result<void> put(LoggedGame& game) = 0;
    // In order of the clock; fails if a row is no game.
    virtual Result<void> each(const GameFilter& filter,
                              const std::function<Result<void>(LoggedGame&)>& take) = 0;
    virtual Result<std::int64_t> set_state(const GameFilter& filter, GameState state) = 0;
    virtual Result<std::int64_t> last_epoch() = 0;
    virtual Result<std::int64_t> count_applied() = 0;
    // Of the first so many games that count, by the time they were played.
    virtual Result<std::vector<CalibrationSample>> testimonies(std::int64_t first) = 0;
    // Sets the clocks to 1, 2, 3… in order of the time played; returns the last.
    virtual Result<std::int64_t> order_by_time() = 0;

    struct Counts {
        std::int64_t games = 0, applied = 0, wins = 0, draws = 0, losses = 0, imported = 0;
    };
    virtual Result<Counts> counts() = 0;

    // Hashes of the moves and results of all own games.
    virtual Result<std::vector<std::int64_t>> contents() = 0;
    virtual Result<bool> was_imported(std::int64_t hash) = 0;
    virtual Result<std::int64_t> count_imported() = 0;
    virtual Result<void> each_imported(const std::function<void(std::int64_t)>& take) = 0;
    virtual Result<void> set_imported(std::span<const std::int64_t> sorted) = 0;
    virtual Result<std::vector<Source>> sources() = 0;
    virtual Result<void> add_source(const Source& source) = 0;
};

// Hash of start, moves and result: equal for copies of a game, whatever their headers say. `score`
// is White's.
std::int64_t
content_hash(const engine::Position& start, std::span<const engine::Move> moves, double score);

}  // namespace book
