// The face of the book room: a learning opening book on SQLite. It chooses moves, learns from
// finished games, and explains itself. A Book belongs to one thread; several Books, in one process
// or in many, may be open on the same file.
#pragma once

#include "book/places.h"
#include "book/probe/work.h"
#include "book/types.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace book {

struct OpenOptions {
    std::filesystem::path experience;  // created if missing, with its folders; ":memory:" works
    std::filesystem::path base;        // the installed default book, only ever read; empty: none
    bool read_only = false;            // choose but never learn
    std::uint64_t seed = 0;            // of the choice; 0: from the clock
};

class Book {
  public:
    // Fails with one sentence on a file that is no book of ours, is damaged, or comes from a newer
    // version; the file is left as it is. A folder that cannot be written opens read-only.
    static Result<std::unique_ptr<Book>> open(const OpenOptions& options);
    virtual ~Book() = default;

    [[nodiscard]] virtual bool read_only() const = 0;
    // A sentence for the user about the opening (read-only, spool merged, base book left out), or
    // "".
    [[nodiscard]] virtual std::string notice() const = 0;

    // A move to play, or nothing: unknown position, left on purpose, repeated position, past
    // max_ply.
    virtual Result<std::optional<Chosen>> choose(const engine::Game& game,
                                                 const ChooseOptions& options) = 0;
    // Every move known here, best first.
    virtual Result<std::vector<Row>> table(const engine::Position& pos, TimeClass time) = 0;
    // "C65 Ruy Lopez: Berlin Defence", of the last named position of the game; "" if none.
    virtual std::string opening(const engine::Game& game) = 0;

    // Notes a game in progress: its exit is known, its result is not. May be repeated.
    virtual Result<void> note(const GameRecord& game) = 0;
    // Takes in a finished game, in one transaction. Waits at most 2 s for other writers, then puts
    // the game into the spool beside the book, to be merged at the next open: also a success.
    virtual Result<Learned> learn(const GameRecord& game) = 0;

    // The most useful position to search that no other process works at, leased to this Book;
    // nothing if all is searched, or the book is read-only.
    virtual Result<std::optional<Work>> next_work(const WorkOptions& options) = 0;
    // Stores what was found, in one transaction, and gives the position back. Findings may be
    // missing, or be all there is of an interrupted search. They are no games and count as none.
    virtual Result<void> finish_work(const Work& work,
                                     const std::vector<Finding>& findings,
                                     const std::string& engine) = 0;

    virtual Result<Stats> stats() = 0;
    // Recomputes everything derived from the log of games and compares. Empty: all is well.
    virtual Result<std::vector<std::string>> verify() = 0;
    virtual Result<void> rebuild() = 0;
};

// Puts a finished game beside the book it is for, which merges it when it is next opened. From any
// thread, whatever that book is busy with: a game that it learns as well counts once.
Result<void> keep_for_later(const std::filesystem::path& experience, const GameRecord& game);

}  // namespace book
