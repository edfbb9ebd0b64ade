// Training positions, unpacked from files of games.
#pragma once

#include "engine/endgame/win_probe.h"
#include "tools/lab/datagen/game_file.h"

#include <array>

namespace tools::train {

using datagen::GameResult;
using datagen::TrainingGame;

// A position from the point of view of the side to move: its own pieces are white, at the bottom.
struct Sample {
    engine::Bitboard occupied;
    std::array<std::uint8_t, 16> pieces;  // 4 bits each, lowest square first, low half first
    std::int16_t score;                   // centipawns, for the side to move
    std::uint8_t result;                  // half points of the side to move, or UnknownResult
    std::uint8_t own_king, other_king;    // squares
};

inline constexpr std::uint8_t UnknownResult = 3;

// The active input features and threats, from the point of view of the side to move and of the
// other side.
struct Inputs {
    std::array<std::array<std::uint16_t, 32>, 2> features;
    std::array<std::array<std::uint16_t, 256>, 2> threats;
    std::size_t count, threat_count;
};
Inputs inputs_of(const Sample& sample);

Sample make_sample(const engine::Position& pos, int score, GameResult result);

struct SampleSet {
    std::vector<Sample> training, held_out;            // each game is in one of the two
    std::uint64_t games = 0, children = 0, plies = 0;  // read, usable or not
    std::uint64_t known = 0;                           // samples with the result of a solved ending
    engine::WinTables endings;                         // solved so far
};

// Calls `take` with every game of a file and with the set that its samples belong to: one game in
// HeldOutInterval is held out, and no child position.
Result<void>
for_each_game(const std::string& path,
              SampleSet& set,
              const std::function<void(const TrainingGame&, std::vector<Sample>&)>& take);

// The scores of a game's plies smoothed by TD(lambda), for the side to move: the expected score of
// a ply is 1 - lambda of its own and lambda of the next ply's smoothed one, after the last ply the
// result; in centipawns again, at most 1500. Source: R. S. Sutton, "Learning to predict by the
// methods of temporal differences", 1988. Requires a game with a result. A ply without a score
// takes the next one's.
std::vector<std::int16_t> smoothed_scores(const TrainingGame& game, double lambda);

// Adds the usable positions of a file of games, with the scores of games smoothed by `td_lambda`
// (0..1; 0: as they are). A position of up to four men gets its exact result instead of the game's,
// and a score to match.
Result<void> add_samples(const std::string& path, double td_lambda, SampleSet& set);

}  // namespace tools::train
