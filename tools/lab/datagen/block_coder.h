// Records of games as few bits: each move by its rank among the legal moves, each score as the
// change from the score before. All models are learned from the block itself.
#pragma once

#include "engine/board/result.h"

#include <string>
#include <string_view>

namespace tools::datagen {

// `records` are complete records of games. Fails if a game is not valid.
Result<std::string> encode_block(std::string_view records);

// The `size` bytes of records from which the block was made. Fails if the block was not made from
// `games` games of `size` bytes.
Result<std::string> decode_block(std::string_view block, std::uint64_t games, std::size_t size);

}  // namespace tools::datagen
