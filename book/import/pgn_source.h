// Files of games as streams of text, whatever they are packed with.
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
    std::int64_t size = 0;                                  // on disk; 0: unknown
    std::shared_ptr<std::atomic<std::int64_t>> raw_read{};  // of these
    std::shared_ptr<std::string> trouble{};                 // not "": reading broke off, and why
};

// Plain text, .gz, .bz2 or .zst, told by the first bytes; "-" is standard input.
Result<GamesFile> open_games(const std::filesystem::path& file);

// The files to read for a command line: folders give all games files below them, sorted.
Result<std::vector<std::filesystem::path>>
games_files(const std::vector<std::filesystem::path>& given);

}  // namespace book
