// Makes the file of a thermometer in several threads.
#pragma once

#include "engine/platform/events.h"
#include "tools/lab/datagen/game_file.h"
#include "tools/lab/thermometer/thermometer_file.h"

namespace tools::thermometer {

// Values positions of the games until there are enough, and appends them to the file, game by game.
// A file that was begun under the same conditions is continued, whatever it was interrupted by; the
// bytes depend neither on that nor on the number of threads. `network` as in
// engine::Searcher::set_network. `signals` end the work early; without them (null) no progress is
// printed. Returns the number of positions in the file if it is complete. Throws Failure if the
// file cannot be written, is damaged or was begun under other conditions.
std::optional<std::size_t> make_file(const std::string& path,
                                     const std::vector<datagen::TrainingGame>& games,
                                     const Conditions& conditions,
                                     const std::string& network,
                                     int threads,
                                     const engine::platform::Event* signals);

}  // namespace tools::thermometer
