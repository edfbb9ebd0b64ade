// The rows of an SQLite file, read page by page: SQLite itself refuses a file that is damaged.
// Source: Database File Format, the SQLite documentation. One thread only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace book {

struct RawBlob {
    std::string bytes;
};
using RawValue = std::variant<std::monostate, std::int64_t, double, std::string, RawBlob>;

struct RawRow {
    std::int64_t rowid = 0;  // 0 in a table without rowid and in an index
    std::vector<RawValue> values;
};

class DamagedFile {
  public:
    using PageNumber = std::uint32_t;  // from 1
    struct Page {
        bool has_rowids = false;  // of a table with rowids; else of one without, or of an index
        std::vector<RawRow> rows;
        std::int64_t bad_rows = 0;         // that are there and cannot be read
        std::int64_t max_rowid = 0;        // among the rows and what the page says of its children
        std::vector<PageNumber> children;  // pages of the tree below
        std::vector<PageNumber> overflow;  // pages with the rest of its long rows
    };

    // The file and what its -wal adds to it; neither is changed. Throws Failure if the file cannot
    // be read at all.
    explicit DamagedFile(const std::filesystem::path& file);

    [[nodiscard]] PageNumber pages() const { return pages_; }
    // Includes pages that the header counts but a truncated file lacks.
    [[nodiscard]] PageNumber named_pages() const { return named_pages_; }
    // The user_version; nothing if the header is damaged.
    [[nodiscard]] std::optional<int> version() const { return version_; }
    // A page of a tree; nothing if it is none, or too damaged to tell.
    std::optional<Page> read(PageNumber number);
    std::vector<PageNumber> free_pages();  // as far as their list can be read

  private:
    void read_log(const std::filesystem::path& log);
    std::string bytes_of(PageNumber number);  // page_size_ bytes, or none
    bool add_row(const std::string& bytes, std::size_t at, Page& page);
    std::optional<std::string>
    payload(const std::string& bytes, std::size_t at, std::uint64_t size, Page& page);

    std::ifstream file_, log_;
    std::map<PageNumber, std::streamoff> logged_;  // where the -wal has pages
    std::uint32_t page_size_ = 4096, usable_ = 4096;
    PageNumber pages_ = 0, named_pages_ = 0;  // in the file; that trees may name
    std::optional<int> version_;
};

}  // namespace book
