// The records that cross the face of the book room.
#pragma once

#include "engine/board/game.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace book {

enum class TimeClass : std::uint8_t { Lightning, Blitz, Standard };  // as FICS divides them
// By base + 40 * increment: Lightning under 3 minutes, Blitz under 15, else Standard. Ten seconds
// less are enough, since lichess-bot takes its overhead off the clock.
constexpr TimeClass time_class(std::chrono::milliseconds base,
                               std::chrono::milliseconds increment) {
    using namespace std::chrono_literals;
    const auto game = base + 40 * increment + 10s;
    return game < 3min    ? TimeClass::Lightning
           : game < 15min ? TimeClass::Blitz
                          : TimeClass::Standard;
}

inline constexpr std::array TimeClassNames{std::pair("lightning", TimeClass::Lightning),
                                           std::pair("blitz", TimeClass::Blitz),
                                           std::pair("standard", TimeClass::Standard)};
constexpr const char* name_of(TimeClass time) {
    return TimeClassNames.at(static_cast<std::size_t>(time)).first;
}

// Seconds since 1970, UTC, as in GameRecord::played.
inline std::int64_t seconds_now() {
    using std::chrono::system_clock;
    return system_clock::to_time_t(system_clock::now());
}

// The later of two such times, of which 0 is unknown, and those before 1970 are negative.
constexpr std::int64_t later_date(std::int64_t a, std::int64_t b) {
    return a == 0 || b == 0 ? a + b : a > b ? a : b;
}

enum class Termination : std::uint8_t {  // how a game ended
    Board,  // mate, resignation, draw by rule or agreement, adjudication
    Flag,
    Disconnection,
    Aborted
};

enum class OwnResult : std::int8_t { Lost = -1, Drawn = 0, Won = 1 };
// Of a score of ours, 0..1.
constexpr OwnResult outcome_of(double score) {
    return score > 0.75 ? OwnResult::Won : score < 0.25 ? OwnResult::Lost : OwnResult::Drawn;
}
// A value for each result.
template <typename T>
constexpr T by_outcome(double score, T won, T drawn, T lost) {
    const OwnResult outcome = outcome_of(score);
    return outcome == OwnResult::Won ? won : outcome == OwnResult::Lost ? lost : drawn;
}

struct Opponent {
    std::string name{};    // as the server gives it, perhaps with a title; empty: unknown
    std::string server{};  // empty or "-": local
    bool computer = false;
    int rating = 0;  // 0: unknown
};

inline constexpr std::size_t MaxUid = 64;  // bytes
inline constexpr int NoScore = -1;         // instead of the depth of a search

// A game of our own. Games with the same `uid` count once, whatever process learns them.
struct GameRecord {
    std::string uid;  // fixed at the game's first move; 1 to MaxUid bytes
    engine::Game game{};
    engine::Color our_side = engine::White;
    double score = 0.5;  // ours: 1, 0.5, 0
    Termination termination = Termination::Board;
    Opponent opponent{};
    int our_rating = 0;  // 0: unknown
    TimeClass time{};
    std::int64_t played = 0;  // seconds since 1970, UTC
    std::string engine{};     // name and version
    // Where we left the book: after this many plies, with the score of the first search (ours).
    std::optional<int> exit_ply{};
    int exit_cp = 0, exit_depth = 0;   // depth NoScore: no score is known
    std::string time_control{};        // as PGN writes it: "300+2", "40/300", "-"; empty: unknown
    std::string event{};               // PGN's Event tag; empty: unknown
    std::string reason{};              // the interface's comment on the result
    std::vector<std::string> draws{};  // Chosen::draw of our book moves
    // Its beginning was played by another process or not by us. It is learned only if that was
    // noted: then the note's uid holds and, if the game had left the book, its exit.
    bool resumed = false;

    // Takes over what the note of a resumed game knows: its uid, time class, exit and draws.
    void resume(const GameRecord& noted) {
        uid = noted.uid;
        time = noted.time;
        if (!noted.exit_ply) {  // adjourned in the book
            draws.insert(draws.begin(), noted.draws.begin(), noted.draws.end());
            return;
        }
        exit_ply = noted.exit_ply;
        exit_cp = noted.exit_cp;
        exit_depth = noted.exit_depth;
        draws = noted.draws;
    }
    [[nodiscard]] double white_score() const {
        return our_side == engine::White ? score : 1 - score;
    }
    // Ours minus theirs, in Elo; 0 if one is unknown.
    [[nodiscard]] int rating_difference() const {
        return our_rating > 0 && opponent.rating > 0 ? our_rating - opponent.rating : 0;
    }
};

struct Row {  // one move known in a position, from the mover's view
    engine::Move move;
    std::int64_t imported_wins = 0, imported_draws = 0, imported_losses = 0;
    std::int64_t visits = 0;          // own games through this move
    double value = 0.5, width = 0.4;  // expected score and its standard deviation
    double evidence = 0;              // behind the value, in games
    int flags = 0;                    // see Flag
    // How often the book plays the move here, 0..1; if own games came here with the opponent to
    // move, how often to expect it of them.
    double probability = 0;
};
enum Flag : int { Always = 1, Prefer = 2, Avoid = 4, Never = 8 };

struct ChooseOptions {
    TimeClass time = TimeClass::Blitz;
    const Opponent* opponent = nullptr;
    bool match = false;   // narrow choice: the best lines only
    double variety = 50;  // 0: the best move only, 50: normal, 100: twice as much
    int min_games = 1;    // imported and own; see candidate_indices() for moves that need none
    int max_ply = 60;
    // Nodes of the search that would choose the move instead; 0: unknown. A move known from the
    // installed book alone is played only if it recaptures, or if the analyses here have half as
    // many in sum.
    std::int64_t expected_nodes = 0;
};

struct Chosen {
    engine::Move move;
    Row row;
    std::string why;   // one line, for a log or a '#' comment
    std::string draw;  // record that repeats the choice, for GameRecord::draws
};

// For the search that is made because the book has no good move: own games did badly with these
// moves, or the user forbids them, so it should look among the others.
struct TriedMoves {
    std::vector<engine::Move> moves{};
    std::optional<engine::Move> best{};  // the best of these, not a forbidden one
    // Play `best` unless the search expects more than this from its move: our score, 0..1.
    double to_beat = 0;
};
// True if a search score, in centipawns for us, promises more than tried.to_beat.
bool promises_more(const TriedMoves& tried, int centipawns);

struct Stats {
    std::int64_t positions = 0, edges = 0, own_games = 0, imported_games = 0, wins = 0, draws = 0,
                 losses = 0, opponents = 0, bytes = 0;
};

struct WaitingGames {  // in the spools of a book
    std::int64_t games = 0;
    std::int64_t unreadable = 0;  // of these, lines that a newer version wrote
};

struct Learned {
    // False: without evidence, known already, or not stored; true if the book cannot be used and
    // the game is kept, as Book::warning() says.
    bool counted = false;
    // For people: what changed, one line per move, or why it was not stored, and what became of
    // games that waited. Empty if learning is off.
    std::vector<std::string> lines;
};

// A position whose moves are worth a search.
struct Work {
    engine::Position position;
    std::vector<engine::Move> known{};       // moves in the book
    bool deviation = false;                  // search for the best move that is not in the book
    std::vector<engine::Move> candidates{};  // known moves that need a score
    double priority = 0;                     // comparable within a book only
    std::string owner{};                     // of the lease
};
// Which positions come first. Distance: the lowest cost of the way there (plies, and errors of both
// sides). Reach: the highest product of the probability that games come there and the uncertainty
// of the value.
enum class Priority : std::uint8_t { Distance, Reach };
struct WorkOptions {
    Priority priority = Priority::Reach;
    std::int64_t nodes = 100'000;  // per search; scores of less than half as many are renewed
    TimeClass time = TimeClass::Blitz;
    std::chrono::seconds lease{600};  // other processes keep away from the position for this time
};
struct Finding {  // result of a search for one move
    engine::Move move;
    int cp = 0, depth = 0;  // from the mover's view; mates as large centipawns
    std::int64_t nodes = 0;
};

}  // namespace book
