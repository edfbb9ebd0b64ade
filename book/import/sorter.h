// External sort: sorts any number of moves from games in bounded memory and adds up equal ones.
// Full memory is sorted and written to a temporary file as a run; at the end the runs are merged.
// Source: P. McIlroy, K. Bostic, M. McIlroy, "Engineering radix sort", 1993.
#pragma once

#include "book/pgn/words.h"
#include "book/store/positions.h"

#include <filesystem>
#include <functional>

namespace book {

struct Occurrence {  // one move of one game
    Key key = 0;
    StoredMove move = 0;
    Outcome outcome = Outcome::Unknown;
    int rating = 0;          // of the mover, 0: unknown; below 4096
    int year = 0;            // 0: unknown; below 4096
    std::uint64_t game = 0;  // number of the game; must not decrease
};

class Sorter {
  public:
    // `bytes`: memory for occurrences; sorting takes up to an eighth more. The temporary file lies
    // in `folder`, takes 16 bytes an occurrence, and vanishes with the process. Throws Failure if
    // it cannot be made.
    Sorter(std::size_t bytes, std::filesystem::path folder);
    ~Sorter();
    Sorter(Sorter&&) noexcept;
    Sorter& operator=(Sorter&&) noexcept;

    // Throws Failure if the temporary file cannot be written.
    void add(const Occurrence& occurrence);
    // Passes on one edge for each (position, move), in order of (signed key, move), and empties the
    // Sorter. `left_out`: whether to leave out a game's moves, by game number; empty: none. Throws
    // Failure if the temporary file cannot be read, and lets through what `take` throws; then only
    // destruction is allowed.
    void merge(const std::function<void(const KeyedEdge&)>& take,
               const std::vector<bool>& left_out = {});
    [[nodiscard]] std::int64_t spilled_bytes() const;

  private:
    class Runs;
    std::unique_ptr<Runs> runs_;
};

}  // namespace book
