// Games of self-play for the tests of the training.
#pragma once

#include "engine/engine.h"
#include "tests/folder.h"
#include "tools/lab/datagen/training_game.h"
#include "tools/lab/train/samples.h"

#include <fstream>

#include <boost/test/unit_test.hpp>

// A few real games with few nodes a move.
inline const std::vector<tools::datagen::TrainingGame>& games() {
    static const std::vector<tools::datagen::TrainingGame> Played = [] {
        const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
        std::vector<tools::datagen::TrainingGame> all;
        for (std::uint64_t seed = 1; seed <= 12; ++seed)
            all.push_back(tools::datagen::play_training_game(*searcher, {.soft_nodes = 40}, seed));
        return all;
    }();
    return Played;
}

inline std::string file_of(const Folder& folder,
                           const std::vector<tools::datagen::TrainingGame>& all) {
    std::string bytes = encode(tools::datagen::GamesHeader{});
    for (const tools::datagen::TrainingGame& game : all)
        bytes += encode(game);
    std::string path = (folder / "some.games").string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

inline tools::train::SampleSet samples_of(const std::vector<tools::datagen::TrainingGame>& all) {
    const Folder folder;
    tools::train::SampleSet set;
    BOOST_REQUIRE(add_samples(file_of(folder, all), 0, set).has_value());
    return set;
}
