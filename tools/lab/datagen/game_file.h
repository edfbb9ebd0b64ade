// Self-play games as training data: a file header, then one compact record a game. Little-endian.
//
//     header  64 bytes: "NUTGAME1", seed (8), soft nodes a move (4), version and note (43, text),
//             work (1)
//     game    32 bytes: occupied squares (8), their pieces in 4 bits each, lowest square first
//     (16),
//             plies (2), castling rights (1), en passant square (1), halfmove clock (1),
//             fullmove number (1), side to move (1), result (1)
//     ply      4 bytes: move (2), score for the side to move (2)
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

enum class GameResult : std::uint8_t { BlackWins, Drawn, WhiteWins, Unknown };

struct ScoredMove {
    engine::Move move;
    std::int16_t score;  // the search's, side to move's, or NotForTraining
};
inline constexpr std::int16_t NotForTraining = INT16_MAX;  // of no usable position

struct TrainingGame {
    engine::Position start;
    GameResult result = GameResult::Drawn;
    std::vector<ScoredMove> plies;  // at most 65535
};

// What a file was begun with; Unknown in files of older programs, which cannot be gone on with.
enum class Work : std::uint8_t { Unknown, Played, Children, Revalued };

struct GamesHeader {
    std::uint64_t seed = 0;
    std::uint32_t soft_nodes = 0;
    std::string note;  // program version and what else is worth knowing; cut at 43 bytes
    Work work = Work::Played;
};

// Of the games in the files of a training, in their order, every so many is only looked at, and has
// no children.
inline constexpr std::uint64_t HeldOutEvery = 50;

inline constexpr std::size_t GamesHeaderSize = 64, GameHeaderSize = 32, PlySize = 4;

std::string encode(const GamesHeader& header);
Result<GamesHeader> decode_header(std::string_view bytes);

// Requires a start position whose castling rooks stand as in chess.
std::string encode(const TrainingGame& game);
// Takes one game from the front of `bytes`. Fails on a cut record, an impossible position or an
// illegal move, then `bytes` is as before.
Result<TrainingGame> take_game(std::string_view& bytes);

// The length in bytes of the whole records that `bytes` (header included) begins with, and how
// many games and plies they hold.
struct Extent {
    std::size_t bytes = 0;
    std::uint64_t games = 0, plies = 0;
};
Result<Extent> measure_games(std::string_view bytes);

// Calls `take` with every game of a file.
Result<void> for_each_game(const std::string& path, const std::function<void(TrainingGame)>& take);

// True if a network can learn from the position: no check, not decided, not of the random opening.
// `ply` counts from the start of the game of chess.
bool is_usable(const engine::Position& pos, int score, int ply);
// And the search found a quiet move there.
bool is_usable(const engine::Position& pos, const ScoredMove& played, int ply);
// Plies since the start position, by the move number.
int game_ply(const engine::Position& pos);

}  // namespace tools
