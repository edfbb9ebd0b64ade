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
    bool read_only = false;  // never learn
    // How long opening and each change wait for a program that has locked the experience.
    std::chrono::milliseconds patience{2'000};
    bool play_on = false;    // run without an unusable experience; keep games in the spool
    std::uint64_t seed = 0;  // of the choice; 0: from the clock
};

class Book {
  public:
    // Fails, leaving the file unchanged, if it is not a book, is damaged, has a newer format, or
    // cannot be created (read_only: may be missing). Never fails with options.play_on. Opens
    // read-only if the file cannot be written.
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
    // After choose() returned nothing: the moves the search should not try again. Otherwise empty.
    [[nodiscard]] virtual TriedMoves tried() const = 0;
    // Every move known here, the most probable first, then the best. The probabilities are those of
    // choose() with these options if earlier choices of the game cost nothing.
    virtual Result<std::vector<Row>> table(const engine::Position& pos,
                                           const ChooseOptions& options) = 0;
    // "C65 Ruy Lopez: Berlin Defence", of the last named position of the game; "" if none.
    virtual std::string opening(const engine::Game& game) = 0;

    // Stores a game in progress whose exit is known but whose result is not. May be repeated.
    virtual Result<void> note(const GameRecord& game) = 0;
    // Learns a finished game in one transaction, and then the games that wait in the spool. Waits
    // for other writers up to OpenOptions::patience. If that fails or the experience cannot be
    // used, puts the game into the spool, which the next open() or learn() merges.
    virtual Result<Learned> learn(const GameRecord& game) = 0;

    // Leases to this Book the most useful position to search that no other process has leased;
    // nothing if all is searched or the book is read-only.
    virtual Result<std::optional<Work>> next_work(const WorkOptions& options) = 0;
    // Stores the findings (possibly fewer than requested) and releases the lease in one
    // transaction.
    virtual Result<void> finish_work(const Work& work,
                                     const std::vector<Finding>& findings,
                                     const std::string& engine) = 0;

    // Copies the user's book to weekly_copy_of() if that is due. May take seconds.
    virtual Result<void> back_up() = 0;
    virtual Result<Stats> stats() = 0;
    // Recomputes everything derived from the log of own games, in memory, and compares; one line
    // for each difference.
    virtual Result<std::vector<std::string>> verify() = 0;
    // Recomputes and stores everything derived from the log of own games.
    virtual Result<void> rebuild() = 0;
};

// Fails if the file cannot be used as OpenOptions::experience; the error is that of Book::open.
// Creates it if it is missing, as Book::open does, but neither migrates it nor merges anything.
Result<void> check_experience(const std::filesystem::path& file,
                              std::chrono::milliseconds patience);

// Fails if the file cannot be used as OpenOptions::further; the error says why.
Result<void> check_further_book(const std::filesystem::path& file);

// Puts a finished game into the spool beside the book or, if that cannot be written, into one in
// the folder of default_experience(), as learn() does. May be called from any thread at any time; a
// game that is also learned counts once.
Result<void> keep_for_later(const std::filesystem::path& experience, const GameRecord& game);

// How many games wait to be merged. Only reads, without waiting for a lock.
Result<WaitingGames> waiting_games(const std::filesystem::path& experience);

}  // namespace book
