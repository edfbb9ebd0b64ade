// Files of tables: a line with the kind and its version, the ending's name, the bytes of the table
// packed by zstd, and a checksum of all that.
// Source: Y. Collet, M. Kucherawy, "Zstandard Compression and the application/zstd Media Type",
// RFC 8878, 2021.
#pragma once

#include "engine/board/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tools::retro {

struct PackedFile {
    std::string path;
    std::string_view kind;  // the first line; with its end
    std::string ending;     // name, at most 16 bytes
    int level = 3;          // of zstd, 1 (fast) to 19
};

// It appears under its name when it is complete.
Result<void> save_packed(const PackedFile& file, const std::vector<std::span<const char>>& parts);
// Fills all parts. Fails unless the file is whole, of this kind and version and of this ending, and
// has as many bytes.
Result<void> load_packed(const PackedFile& file, const std::vector<std::span<char>>& parts);

}  // namespace tools::retro
