#include "tools/lab/learning/book_copy.h"

#include "book/store/database.h"
#include "tools/common/errors.h"

#include <fmt/format.h>

namespace tools::learning {

namespace fs = std::filesystem;

void check_not_source(const fs::path& file, const std::vector<fs::path>& sources) {
    std::error_code none;
    for (const fs::path& book : sources)
        if (fs::equivalent(file, book, none))
            throw Failure(
                fmt::format("\"{}\" is the book to read, and cannot be written", file.string()));
}

void remove_book(const fs::path& file, const std::vector<fs::path>& sources) {
    check_not_source(file, sources);
    book::Database::remove_file(file);
}

}  // namespace tools::learning
