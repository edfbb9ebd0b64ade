// The records that cross the face of the book room.
#pragma once

#include "engine/board/game.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace book {

enum class TimeClass : std::uint8_t { Lightning, Blitz, Standard };  // as FICS divides them
// By the time a 40-move game would give: under 3 minutes, under 15, more.
constexpr TimeClass time_class(std::chrono::milliseconds base,
                               std::chrono::milliseconds increment) {
    using namespace std::chrono_literals;
    const auto game = base + 40 * increment;
    return game < 3min    ? TimeClass::Lightning
           : game < 15min ? TimeClass::Blitz
                          : TimeClass::Standard;
}

enum class Termination : std::uint8_t {  // how a game ended
    Board,  // mate, resignation, draw by rule or agreement, adjudication
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
    Termination termination = Termination::Board;
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

}  // namespace book
