// Copies what can be read of a damaged book into a new one, row by row. Indexes and everything
// derived from own games are left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace book {

struct SalvagedTable {
    std::string name;
    std::int64_t rows = 0;
    // Rows known to be lost; for an unreadable page, the average number of rows on a page.
    std::int64_t lost = 0;
};

struct Salvaged {
    std::vector<SalvagedTable> tables;
    std::int64_t unreadable_pages = 0;  // pages whose contents are unknown
};

// Makes the new book, in the format of the damaged one if that is known, else in the present one.
// Rows may still have invalid values. Throws Failure if the damaged file cannot be read at all or
// is no book, and as Database does if the new one cannot be written.
Salvaged salvage(const std::filesystem::path& damaged, const std::filesystem::path& target);

}  // namespace book
