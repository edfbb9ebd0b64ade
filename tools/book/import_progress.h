// Progress of reading files of games, and what is wrong with the games, on standard error.
#pragma once

#include "book/import/importer.h"

#include <chrono>

namespace tools {

class Progress {
  public:
    // `quiet`: prints only end(), and losses that concern a file rather than one game.
    Progress(bool quiet, const std::vector<std::filesystem::path>& files);
    // Counts the bytes read from the file; reads ahead on another thread if it is compressed.
    void begin_file(book::GamesFile& file);
    void end_file();
    // On a terminal one line that is overwritten; elsewhere a line every ten seconds.
    void show(std::int64_t games);
    void show_storing(double done);  // the fraction of the moves that is stored
    void print(const book::ImportTrouble& trouble);
    void end(std::int64_t games);

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] double seconds() const;
    [[nodiscard]] bool is_due();  // false: the last line is recent enough
    void write(const std::string& line);
    void wipe();

    bool quiet_, terminal_, written_ = false;
    std::int64_t total_ = 0, done_ = 0;  // bytes; 0: unknown
    std::shared_ptr<std::atomic<std::int64_t>> done_here_;
    Clock::time_point start_ = Clock::now(), shown_ = start_;
};

}  // namespace tools
