// Positions to train on, unpacked from files of games.
#pragma once

#include "tools/lab/datagen/game_file.h"

#include <array>

namespace tools {

// A position as the side to move sees it: its own pieces white and at the bottom.
struct Sample {
    engine::Bitboard occupied;
    std::array<std::uint8_t, 16> pieces;  // 4 bits each, lowest square first, low half first
    std::int16_t score;                   // centipawns, side to move's
    std::uint8_t result;                  // half points of the side to move, or UnknownResult
    std::uint8_t own_king, other_king;    // squares
};

inline constexpr std::uint8_t UnknownResult = 3;

// The features that a sample sets, seen from the side to move and from the other side.
struct Inputs {
    std::array<std::array<std::uint16_t, 32>, 2> features;
    std::size_t count;
};
Inputs inputs_of(const Sample& sample);

Sample make_sample(const engine::Position& pos, int score, GameResult result);

struct SampleSet {
    std::vector<Sample> training, held_out;            // no game has positions in both
    std::uint64_t games = 0, children = 0, plies = 0;  // read, usable or not
};

// Calls `take` with every game of a file and with where its samples belong: of the games one in
// HeldOutEvery is held out, of the children none.
Result<void>
for_each_game(const std::string& path,
              SampleSet& set,
              const std::function<void(const TrainingGame&, std::vector<Sample>&)>& take);

// Adds the usable positions of a file of games.
Result<void> add_samples(const std::string& path, SampleSet& set);

}  // namespace tools
