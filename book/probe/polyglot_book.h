// A book of another program in PolyGlot's format, read where it is: by binary search, not loaded.
// Source: "PolyGlot book format", M. van den Bergh.
#pragma once

#include "book/model/polyglot_entry.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

namespace book {

class PolyglotBook {
  public:
    // Throws Failure if the file cannot be read or is no PolyGlot book.
    explicit PolyglotBook(const std::filesystem::path& file);

    struct KnownMove {
        StoredMove move = 0;
        int weight = 0;  // 1 to 65535
    };
    // The moves of a position for which `is_legal` is true. Throws Failure if the file cannot be
    // read any more.
    std::vector<KnownMove> moves(Key key, const std::function<bool(StoredMove)>& is_legal);

  private:
    PolyglotEntry read(std::int64_t index);

    std::filesystem::path file_;
    std::ifstream in_;
    std::int64_t entries_ = 0;
};

}  // namespace book
