// The face of the book room: a learning opening book on SQLite. It chooses moves, learns from
// finished games, and explains itself. A Book belongs to one thread; several Books, in one process
// or in many, may be open on the same file.
#pragma once

#include "engine/board/game.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace book {

enum class TimeClass : std::uint8_t { Lightning, Blitz, Standard };  // as FICS divides them
// By the time a 40-move game would give: under 3 minutes, under 15, more.
TimeClass time_class(std::chrono::milliseconds base, std::chrono::milliseconds increment);

enum class Term : std::uint8_t {  // how a game ended
    Board,                        // mate, resignation, draw by rule or agreement, adjudication
    Flag,
    Disconnection,
    Aborted
};

struct Opponent {
    std::string name{};    // as given; empty: unknown. Folding and titles are the book's business
    std::string server{};  // empty or "-": local
    bool computer = false;
    int rating = 0;  // 0: unknown
};

// A game of our own. `uid` names it for ever: learning it twice, from whatever process, counts
// once.
struct GameRecord {
    std::string uid;  // fixed at the game's first move; at most 64 bytes
    engine::Game game{};
    engine::Color our_side = engine::White;
    double score = 0.5;  // ours: 1, 0.5, 0
    Term term = Term::Board;
    Opponent opponent{};
    int our_rating = 0;  // 0: unknown
    TimeClass time{};
    std::int64_t played = 0;  // seconds since 1970, UTC
    std::string engine{};     // name and version
    // Where we left the book: after this many plies, with the first search's score (our side's).
    std::optional<int> exit_ply{};
    int exit_cp = 0, exit_depth = 0;
    std::string reason{};              // the client's comment
    std::vector<std::string> draws{};  // Chosen::draw of the book moves we played, for `why`
    // We did not play its beginning, or in another run of the program: where the book was left is
    // known only if that was noted. Then the note's name and exit count, else it teaches nothing.
    bool resumed = false;
};

struct Row {  // one move known in a position; counts from the mover's side
    engine::Move move;
    std::int64_t imported_wins = 0, imported_draws = 0, imported_losses = 0;
    std::int64_t visits = 0;               // own games through this move
    double own_weight = 0, own_score = 0;  // evidence of own games and its mean, 0..1
    double value = 0.5, width = 0.4;  // expected score for the mover and its standard deviation
    double evidence = 0;              // games' worth of knowledge behind the value
    int flags = 0;                    // see Flag
};
enum Flag : int { Always = 1, Prefer = 2, Avoid = 4, Never = 8 };

struct ChooseOptions {
    TimeClass time = TimeClass::Blitz;
    const Opponent* opponent = nullptr;
    bool match = false;  // narrow choice: the best lines only
    int min_games = 1;   // imported and own, for a move to be a candidate
    int max_ply = 60;
};

struct Chosen {
    engine::Move move;
    Row row;
    std::string why;   // one line, for a log or a '#' comment
    std::string draw;  // the whole decision, for GameRecord::draws
};

struct Stats {
    std::int64_t positions = 0, edges = 0, own_games = 0, imported_games = 0, wins = 0, draws = 0,
                 losses = 0, opponents = 0, bytes = 0;
};

struct Learned {
    bool counted = false;            // false: the game was known already, or has nothing to teach
    std::vector<std::string> lines;  // what changed, for people: one line a move
};

// A position whose moves are worth a search, and the book's wishes for it.
struct Work {
    engine::Position position;
    std::vector<engine::Move> known{};  // moves in the book
    bool deviation = false;             // wanted: the best move that is not known, if there is any
    std::vector<engine::Move> candidates{};  // wanted: the score of each of these known moves
    double priority = 0;                     // the first has most; comparable within a book only
    std::string owner{};                     // whose lease it is
};
// By what positions are chosen: costs of the way there (plies, and the errors of both sides), or
// how probably games come there, times how little is known.
enum class Priority : std::uint8_t { Distance, Reach };
struct WorkOptions {
    Priority priority = Priority::Reach;
    std::int64_t nodes = 100'000;  // a search; scores from less than half as many are asked anew
    TimeClass time = TimeClass::Blitz;
    std::chrono::seconds lease{600};  // others leave the position alone for so long
};
struct Finding {  // what a search said of a move, for the side that plays it
    engine::Move move;
    int cp = 0, depth = 0;  // mates as large centipawns
    std::int64_t nodes = 0;
};

// Takes a work apart into searches, one after another, and gathers what they find.
class WorkSearches {
  public:
    // `nodes`: of a search, for moves that need none because they end the game.
    WorkSearches(Work work, std::int64_t nodes);

    struct Search {
        engine::Game root;
        std::vector<engine::Move> excluded{};  // root moves not to consider
    };
    // Nothing when all is done.
    std::optional<Search> next();
    // What the search given last chose; `cp` is the score of the root's side to move. A search that
    // was cut short is left out by not calling this.
    void found(engine::Move best, int cp, int depth, std::int64_t nodes);

    [[nodiscard]] const Work& work() const { return work_; }
    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
    // "e4 +20, d4 +18, Nf3* +15"; * marks a move that was not known.
    [[nodiscard]] std::string text() const;

  private:
    Work work_;
    std::int64_t nodes_;
    std::size_t next_ = 0;  // of the candidates; then the deviation
    std::vector<Finding> findings_{};
};

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

// Where things live by default. XDG_DATA_HOME or ~/.local/share, then nutcracker/book.db; empty if
// there is no home.
std::filesystem::path default_experience();

}  // namespace book
