// Packed files of games: the same games in less than a third of the space, about 1.4 bytes a ply.
// Little-endian.
//
//     header  96 bytes: "NUTPACK1", header of the file of games (64), games (8),
//             bytes of the file of games (8), checksum of these (8)
//     block   24 bytes: "NPBK", games (4), bytes of their records (4),
//             bytes of the coded games (4), checksum of the block without
//             this field (8); then the coded games
//
// A block has several hundred games and is read without the others. The checksum is FNV-1a.
#pragma once

#include "engine/board/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tools::datagen {

bool is_packed(std::string_view bytes);

// The packed form of a file of games; it was unpacked and compared. Fails if a record is cut off or
// not valid. A block ends when it has `block_size` bytes of records.
inline constexpr std::size_t BlockSize = 256 << 10;
Result<std::string> pack_games(std::string_view file, std::size_t block_size = BlockSize);

enum class Damage { Refuse, Skip };

// Calls `take` with the records of each block in order. Fails if the header is damaged. A block
// that is damaged or missing is an error, or skipped. Returns the number of games that were
// skipped.
Result<std::uint64_t> for_each_block(std::string_view packed,
                                     Damage damage,
                                     const std::function<void(std::string_view)>& take);

struct UnpackedGames {
    std::string file;           // the bytes that were packed, without the games of skipped blocks
    std::uint64_t skipped = 0;  // games
};
// Fails as for_each_block().
Result<UnpackedGames> unpack_games(std::string_view packed, Damage damage = Damage::Refuse);

}  // namespace tools::datagen
