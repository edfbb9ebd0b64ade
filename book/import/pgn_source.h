// Files of games as streams of text, compressed or not.
#pragma once

#include "book/pgn/reader.h"

#include <atomic>
#include <filesystem>
#include <memory>

namespace book {

struct GamesFile {
    std::string name;
    PgnReader::Source read;
    bool packed = false;
    std::int64_t size = 0;                                  // bytes on disk; 0: unknown
    std::shared_ptr<std::atomic<std::int64_t>> raw_read{};  // how many of them were read
    std::shared_ptr<std::string> trouble{};                 // why reading broke off; "": it did not
};

// Plain text, .gz, .bz2 or .zst, recognised by the first bytes; "-" is standard input. Throws
// Failure if the file cannot be read.
GamesFile open_games(const std::filesystem::path& file);

// Replaces each folder by all files of games below it, sorted. Throws Failure if one cannot be
// read.
std::vector<std::filesystem::path> games_files(const std::vector<std::filesystem::path>& given);

}  // namespace book
