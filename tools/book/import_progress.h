// How far the reading of games has come, and what is wrong with them, on standard error.
#pragma once

#include "book/import/importer.h"

#include <chrono>

namespace tools {

class Progress {
  public:
    // `quiet`: says nothing but end().
    Progress(bool quiet, const std::vector<std::filesystem::path>& files);
    void begin_file(const book::GamesFile& file);
    void end_file();
    // One line that is written over, on a terminal; a line now and then elsewhere.
    void show(std::int64_t games);
    void tell(const book::ImportTrouble& trouble);
    void end(std::int64_t games);

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] double seconds() const;
    void wipe();

    bool quiet_, terminal_, written_ = false;
    std::int64_t total_ = 0, done_ = 0;  // bytes; 0: unknown
    std::shared_ptr<std::atomic<std::int64_t>> done_here_;
    Clock::time_point start_ = Clock::now(), shown_ = start_;
};

}  // namespace tools
