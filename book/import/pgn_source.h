// Files of games as streams of UTF-8 text, compressed or not.
#pragma once

#include "book/pgn/reader.h"

#include <atomic>
#include <filesystem>
#include <memory>

namespace book {

struct GamesFile {
    std::string name;
    PgnReader::Source read;
    bool packed = false;                                    // or in another encoding
    std::int64_t size = 0;                                  // bytes on disk; 0: unknown
    std::shared_ptr<std::atomic<std::int64_t>> raw_read{};  // bytes on disk read so far
    // Why reading broke off, or what else is wrong with the file.
    std::shared_ptr<SourceTrouble> trouble = std::make_shared<SourceTrouble>();
};

// Plain text, .gz, .bz2 or .zst, recognised by the first bytes, as UTF-16 and UTF-32 are; "-" is
// standard input. Throws Failure if the file cannot be opened, or is an archive of another kind.
GamesFile open_games(const std::filesystem::path& file);

// Replaces each folder by all files of games below it, sorted. Throws Failure if one cannot be
// read.
std::vector<std::filesystem::path> games_files(const std::vector<std::filesystem::path>& given);

}  // namespace book
