// The options --pack and --unpack of nutcracker-datagen.
#pragma once

#include "tools/lab/datagen/packed_games.h"

namespace tools::datagen {

// Both write the file `to`, which must not exist, completely or not at all, and print its counts.
// They return the exit status, and throw Failure if there is nothing to write.
int pack_file(const std::string& from, const std::string& to);
int unpack_file(const std::string& from, const std::string& to, Damage damage);

}  // namespace tools::datagen
