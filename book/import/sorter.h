// Sorts any number of moves from games in bounded memory, and adds up equal ones: what fills the
// memory is sorted and written to unnamed temporary files, and these are merged.
// Source: P. McIlroy, K. Bostic, M. McIlroy, "Engineering radix sort", 1993.
#pragma once

#include "book/pgn/reader.h"
#include "book/store/positions.h"

#include <filesystem>

namespace book {

struct Occurrence {  // one move of one game
    Key key = 0;
    StoredMove move = 0;
    Outcome outcome = Outcome::Unknown;
    int rating = 0;  // of the mover, 0: unknown; below 4096
    int year = 0;    // 0: unknown; below 4096
};

class Sorter {
  public:
    // `bytes`: of memory for occurrences; sorting takes up to an eighth more. Temporary files are
    // made in `folder` and vanish with the process.
    Sorter(std::size_t bytes, std::filesystem::path folder);
    ~Sorter();
    Sorter(Sorter&&) noexcept;
    Sorter& operator=(Sorter&&) noexcept;

    Result<void> add(const Occurrence& occurrence);
    // Hands out one edge for each (position, move), in order of (signed key, move), and forgets
    // all.
    Result<void> merge(const std::function<Result<void>(const KeyedEdge&)>& take);
    [[nodiscard]] std::int64_t spilled_bytes() const;

  private:
    class Runs;
    std::unique_ptr<Runs> runs_;
};

}  // namespace book
