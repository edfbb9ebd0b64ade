// Self-play games as training data: a file header, then one compact record a game. Little-endian.
//
//     header  64 bytes: "NUTGAME1", seed (8), soft nodes of a move (4), version and note (33),
//             random plies (1), label every (1), checksums of network (4) and parents (4),
//             generation mode + 16 (1). By older programs: version and note (43), mode (1).
//     game    32 bytes: occupied squares (8), their pieces with 4 bits each from the lowest square
//             on (16), plies (2), castling rights (1), en passant square (1), halfmove clock (1),
//             fullmove number (1), side to move (1), result (1)
//     ply      4 bytes: move (2), score for the side to move (2)
#pragma once

#include "engine/board/position.h"
#include "engine/score.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tools::datagen {

enum class GameResult : std::uint8_t { BlackWins, Drawn, WhiteWins, Unknown };

struct ScoredMove {
    engine::Move move;
    std::int16_t score;  // of the search, for the side to move; or NotForTraining
};
inline constexpr std::int16_t NotForTraining = INT16_MAX;  // the position is not usable

struct TrainingGame {
    engine::Position start;
    GameResult result = GameResult::Drawn;
    std::vector<ScoredMove> plies;  // at most 65535
};

// How the games of a file are made. Unknown: by an older program, which did not write the mode;
// such a file cannot be continued.
enum class GenerationMode : std::uint8_t { Unknown, SelfPlay, LabelledChildren, Rescored };

// What else decides how the games are made. 0 where the mode does not use it.
struct Origin {
    std::uint8_t random_plies = 0, label_every = 0;
    std::uint32_t network = 0;
    std::uint32_t parents = 0;  // of the first game of each file, which may grow or be packed
    friend bool operator==(const Origin&, const Origin&) = default;
};

struct GamesHeader {
    std::uint64_t seed = 0;
    std::uint32_t soft_nodes = 0;
    // Version of the program and a comment; cut at 33 bytes, without origin at 43.
    std::string note;
    GenerationMode mode = GenerationMode::SelfPlay;
    std::optional<Origin> origin{};  // nothing: written by an older program
};

// The first game of every 50 in the files is held out: it measures the loss, but is not trained on
// and gets no child positions.
inline constexpr std::uint64_t HeldOutInterval = 50;

inline constexpr std::size_t GamesHeaderSize = 64, GameHeaderSize = 32, PlySize = 4;

std::string encode(const GamesHeader& header);
Result<GamesHeader> decode_header(std::string_view bytes);

// Requires a start position that is not of Chess960.
std::string encode(const TrainingGame& game);
// The start position of the record at the front of `record`, which has GameHeaderSize bytes or
// more.
Result<engine::Position> read_start(std::string_view record);
// Takes one game from the front of `bytes`. Fails on a record that is cut off, an impossible
// position or an illegal move; then `bytes` is unchanged.
Result<TrainingGame> take_game(std::string_view& bytes);

// Whether the record at the front of `record`, which must be complete, has the start, the moves and
// the result of the game; its scores may be others.
bool has_same_moves(std::string_view record, const TrainingGame& game);

// The complete records at the front of `bytes`, the file header included: length, games, plies.
struct Extent {
    std::size_t bytes = 0;
    std::uint64_t games = 0, plies = 0;
};
Result<Extent> measure_games(std::string_view bytes);

// Calls `take` with every game of a file, which may be packed.
Result<void> for_each_game(const std::string& path, const std::function<void(TrainingGame)>& take);

// Whether the position is usable for training: no check, no large score, beyond the opening plies.
// `ply` counts from the start of chess.
bool is_usable(const engine::Position& pos, int score, int ply);
// The same, and the move of the search is quiet.
bool is_usable(const engine::Position& pos, const ScoredMove& played, int ply);

}  // namespace tools::datagen
