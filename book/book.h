// The face of the book room: a learning opening book on SQLite that chooses moves and learns from
// finished games. A Book belongs to one thread; several Books, in one process or in many, may be
// open on the same file. Nothing here throws.
#pragma once

#include "book/places.h"
#include "book/probe/work.h"
#include "book/types.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace book {

struct OpenOptions {
    std::filesystem::path experience;  // created if missing, with its folders; ":memory:" works
    std::filesystem::path base;        // the installed book, which is only read; empty: none
    // More books that are only read, own games and all; those that cannot be used are left out, see
    // check_further_book().
    std::vector<std::filesystem::path> further{};
    bool read_only = false;                     // never learn
    std::chrono::milliseconds patience{2'000};  // how long a change waits for other writers
    bool play_on = false;    // if the experience cannot be used: without it, and games are kept
    std::uint64_t seed = 0;  // of the choice; 0: from the clock
};

class Book {
  public:
    // Fails on a file that is no book, is damaged, or has a newer format, and on one that cannot be
    // created, but for a reader; not with options.play_on. The file is left as it is. Opens
    // read-only if it cannot be written.
    static Result<std::unique_ptr<Book>> open(const OpenOptions& options);
    virtual ~Book() = default;

    [[nodiscard]] virtual bool read_only() const = 0;
    // A sentence for the user on what opening the book found (read-only, spool merged, installed
    // book unusable), or "".
    [[nodiscard]] virtual std::string notice() const = 0;
    // With options.play_on, why the experience is not used and what the user can do, or "".
    [[nodiscard]] virtual std::string warning() const = 0;

    // A move to play; nothing in an unknown or repeated position, past max_ply, or if no known move
    // is good enough.
    virtual Result<std::optional<Chosen>> choose(const engine::Game& game,
                                                 const ChooseOptions& options) = 0;
    // Why the last choose() returned nothing; "" if it returned a move or failed.
    [[nodiscard]] virtual std::string left_because() const = 0;
    // Then: what the search should not try again. Empty if choose() returned a move or failed.
    [[nodiscard]] virtual TriedMoves tried() const = 0;
    // Every move known here, the most probable first, then the best. The probabilities are those of
    // choose() under these options, early in a game without much loss.
    virtual Result<std::vector<Row>> table(const engine::Position& pos,
                                           const ChooseOptions& options) = 0;
    // "C65 Ruy Lopez: Berlin Defence", of the last named position of the game; "" if none.
    virtual std::string opening(const engine::Game& game) = 0;

    // Notes a game in progress, whose exit is known and whose result is not. May be repeated.
    virtual Result<void> note(const GameRecord& game) = 0;
    // Learns a finished game in one transaction, and then the games that wait in the spool. Waits
    // for other writers as OpenOptions::patience says; then, or if the experience cannot be used,
    // keeps the game in the spool, which is merged by the next open() or after the next game.
    virtual Result<Learned> learn(const GameRecord& game) = 0;

    // The most useful position to search that is not leased to another process, leased to this
    // Book; nothing if all is searched or the book is read-only.
    virtual Result<std::optional<Work>> next_work(const WorkOptions& options) = 0;
    // Stores findings, perhaps not all that were asked for, and gives the lease back, in one
    // transaction.
    virtual Result<void> finish_work(const Work& work,
                                     const std::vector<Finding>& findings,
                                     const std::string& engine) = 0;

    // Copies the user's book to weekly_copy_of() if that is due. May take seconds.
    virtual Result<void> back_up() = 0;
    virtual Result<Stats> stats() = 0;
    // Recomputes everything derived from the log of own games and compares; one line for each
    // difference.
    virtual Result<std::vector<std::string>> verify() = 0;
    virtual Result<void> rebuild() = 0;
};

// The error says why the file cannot be used as OpenOptions::further.
Result<void> check_further_book(const std::filesystem::path& file);

// Puts a finished game into the spool beside the book or, if that cannot be written, into one in
// the folder of default_experience(), as learn() does. May be called from any thread at any time; a
// game that is learned as well counts once.
Result<void> keep_for_later(const std::filesystem::path& experience, const GameRecord& game);

// How many games wait to be merged. Only reads; waits for nobody.
Result<WaitingGames> waiting_games(const std::filesystem::path& experience);

}  // namespace book
