// The tables game, source, imported and kept: the log of own games, from which everything learned
// is derived, and what was imported. One thread only. Writes need a Transaction. Every function may
// throw an exception of SQLite, and those that return games a Failure on a row that is no game.
#pragma once

#include "book/model/evidence.h"
#include "book/model/key.h"
#include "book/store/database.h"
#include "book/types.h"

#include <functional>
#include <map>
#include <span>
#include <unordered_map>

namespace book {

enum class GameState : std::uint8_t {
    Pending,    // the exit from the book is known, the result is not
    Applied,    // counts
    Unlearned,  // removed by the user
    Rejected    // finished, but without evidence about the opening
};

struct LoggedGame {
    std::int64_t id = 0;
    std::int64_t clock = 0;  // order of learning; a pending game has that of the game before it
    std::int64_t epoch = 0;  // number of the process that learned it
    GameState state = GameState::Pending;
    std::int64_t opponent_id = 0;  // 0: unknown
    Evidence evidence{};
    double overperformance = 0;     // our score minus the score expected from ratings and position
    std::optional<Key> exit_key{};  // where it left the book
    std::optional<int> analysed_cp{};              // analysis of our last book move, ours
    std::optional<std::int64_t> analysed_nodes{};  // of that search
    std::int64_t source = 0;  // the import that brought it; 0: played with this book
    GameRecord record{};      // without the opponent's name
    int plies = 0;            // of the whole game, also if only a part of it was read
};

// One game that counts, for measuring how good search scores are as forecasts.
struct CalibrationSample {
    std::int64_t played = 0;  // seconds since 1970
    Evidence evidence{};
    std::optional<Key> exit_key{};
    std::optional<int> exit_cp{}, analysed_cp{};  // ours
    std::int64_t analysed_nodes = 0;
    std::int64_t repetition = 1;  // see Games::repetitions
    std::int64_t opponent = 0;    // 0: unknown
    bool rated = false;           // the ratings of both sides were known
};

struct Source {  // one imported file
    std::int64_t id = 0;
    std::string kind{}, name{}, digest{};
    std::int64_t bytes = 0, added = 0, games = 0, moves = 0;
    std::string settings{};
    // Counted together with the source before it: --min-game was applied to the sum of their moves,
    // so all such sources are forgotten together.
    bool with_previous = false;
};

// The suffix of Source::settings if duplicates were counted.
inline constexpr std::string_view WithDuplicates = "with duplicates";

using CountBySource = std::map<std::int64_t, std::int64_t>;  // of games, by Source::id

// The games a command is about; an empty field matches all.
struct GameFilter {
    std::optional<std::int64_t> id{}, epoch{}, since{}, opponent{};
    std::optional<std::int64_t> source{};  // 0: played with this book
    std::optional<GameState> state{};
    // `since` and `before`: seconds since 1970; a game of unknown date matches neither.
    std::optional<std::int64_t> before{};
    std::optional<engine::Color> side{};  // ours
    std::optional<OwnResult> result{};    // neither of pending games nor of aborted ones
    std::optional<TimeClass> time{};
};

// Imported: as Played, but games of files with the same time in the order of the file.
enum class GameOrder : std::uint8_t { Learned, Played, Imported };

class Games {
  public:
    explicit Games(Database& db);  // shares the connection of `db`
    Games(Games&&) noexcept;
    Games& operator=(Games&&) noexcept;
    ~Games();

    std::optional<LoggedGame> find(const std::string& uid);
    std::optional<std::int64_t> id_of(const std::string& uid);  // in any state
    bool has(const std::string& uid) { return id_of(uid).has_value(); }
    struct Applied {
        std::int64_t id = 0;
        std::string uid;
        std::int64_t content = 0;  // its content_hash()
    };
    std::vector<Applied> applied();  // the games that count
    std::optional<LoggedGame> get(std::int64_t id);
    // The game with its moves only as long as `read_on` returns true, which saves most of the work.
    std::optional<LoggedGame> get(std::int64_t id,
                                  const std::function<bool(const engine::Game&)>& read_on);
    std::optional<LoggedGame> latest();
    // The last game that counts; games are learned in the order of the clock.
    std::optional<LoggedGame> last_applied();
    // The newest pending game of this side against this opponent whose moves `game` begins with.
    std::optional<LoggedGame>
    find_pending(const engine::Game& game, engine::Color our_side, std::int64_t opponent_id);
    // Inserts a new game (id 0) and sets its id, or replaces the one with its id.
    void put(LoggedGame& game);
    // In order of the clock.
    void each(const GameFilter& filter, const std::function<void(LoggedGame&)>& take);
    // The ids in order of the date, the latest first; games of unknown date at the end.
    std::vector<std::int64_t> newest_first(const GameFilter& filter);
    std::int64_t set_state(const GameFilter& filter, GameState state);  // number of games changed
    // Deletes rows that hold no game, and forgets opponents that are not in the book. Returns the
    // number of games deleted.
    std::int64_t remove_bad_rows();
    void remove(std::span<const std::int64_t> ids);  // and opponents without games
    std::int64_t last_id();                          // 0: no game
    std::int64_t last_epoch();                       // 0: no game yet
    std::int64_t count_applied();
    // A game's repetition is k where it is the k-th game, in order of the time played, that counts
    // and has the same moves, result, colour and opponent. Lists those with k > 1, by id.
    std::unordered_map<std::int64_t, std::int64_t> repetitions();
    struct Repetition {
        std::int64_t number = 1;
        bool last = true;  // no game of the kind was played later
    };
    Repetition repetition(const LoggedGame& game);  // of a game in the log
    // The first `max` games that count, in order of the time played.
    std::vector<CalibrationSample> calibration_samples(std::int64_t max);
    // Both return the number of games removed. `played`: seconds since 1970.
    std::int64_t remove_pending(const std::string& uid);
    std::int64_t remove_pending_before(std::int64_t played);
    // Sets the clocks of finished games to 1, 2, 3… and those of pending games and of changes along
    // with them; returns the last. `changed`, if not null: whether any game had another clock.
    std::int64_t renumber(GameOrder order, bool* changed = nullptr);

    struct Counts {
        std::int64_t games = 0, applied = 0, wins = 0, draws = 0, losses = 0, imported = 0;
    };
    Counts counts();
    bool empty();  // no game is in the log

    std::vector<std::int64_t> content_hashes();  // of own games with a result
    bool was_imported(std::int64_t hash);
    std::int64_t count_imported();
    void each_imported(const std::function<void(std::int64_t)>& take);
    void add_imported(std::span<const std::int64_t> sorted_hashes);
    std::vector<Source> sources();
    std::int64_t add_source(const Source& source);           // returns its id
    void remove_sources(std::span<const std::int64_t> ids);  // and the games kept for them
    // Allows the files of later imports to be imported again, since these left out games of this
    // import as duplicates. Returns these imports, without those that count duplicates.
    std::vector<Source> read_again_after(std::int64_t id);
    void remove_imported(std::span<const std::int64_t> hashes);
    // Blocks of imported games, in the form of import/kept_games.
    void keep(std::int64_t source, const std::string& block);
    void each_kept(std::int64_t source, const std::function<void(const std::string&)>& take);
    bool has_kept(std::int64_t source);

    // Own games with this content_hash().
    std::vector<LoggedGame> with_content(std::int64_t content_hash);
    // Deletes the own games of imports, and opponents without games.
    CountBySource remove_of_sources(std::span<const std::int64_t> sources);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Hash of start position, moves and White's score: equal for copies of a game with different
// headers.
std::int64_t
content_hash(const engine::Position& start, std::span<const engine::Move> moves, double score);
inline std::int64_t content_hash(const GameRecord& r) {
    return content_hash(r.game.start(), r.game.moves(), r.white_score());
}

}  // namespace book
