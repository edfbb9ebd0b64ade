#include "book/store/damaged/damaged_file.h"

#include "book/store/failure.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>

namespace book {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t HeaderBytes = 100;  // of the file, at the beginning of page 1
constexpr std::uint64_t MaxRowBytes = 16'000'000;

enum PageType : std::uint8_t { InnerIndex = 2, InnerTable = 5, LeafIndex = 10, LeafTable = 13 };

std::uint64_t big_endian(const std::string& bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value =
            value << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0);
    return value;
}
std::uint32_t uint32_at(const std::string& bytes, std::size_t at) {
    return static_cast<std::uint32_t>(big_endian(bytes, at, 4));
}

// SQLite's numbers of 1 to 9 bytes. Moves `at` past the number, or to the end if it is cut off.
std::uint64_t varint(const std::string& bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (int i = 0; i < 9 && at < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        if (i == 8)
            return value << 8 | byte;
        value = value << 7 | (byte & 127);
        if (byte < 128)
            return value;
    }
    return value;
}

// The bytes of a value of this serial type, nothing if there is no such type.
std::optional<std::uint64_t> size_of(std::uint64_t type) {
    constexpr std::array<std::uint64_t, 10> Sizes{0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    if (type < Sizes.size())
        return Sizes[type];
    return type < 12 ? std::nullopt : std::optional((type - 12) / 2);
}

RawValue value_of(std::uint64_t type, const std::string& bytes, std::size_t at, std::size_t size) {
    if (type == 0)
        return {};
    if (type == 8 || type == 9)
        return static_cast<std::int64_t>(type - 8);
    if (type == 7)
        return std::bit_cast<double>(big_endian(bytes, at, 8));
    if (type < 7) {
        const auto unused = static_cast<int>(8 * (8 - size));
        return static_cast<std::int64_t>(big_endian(bytes, at, size) << unused) >> unused;
    }
    if (type % 2 == 1)
        return bytes.substr(at, size);
    return RawBlob{bytes.substr(at, size)};
}

// Nothing unless the record fills its bytes exactly.
std::optional<std::vector<RawValue>> values_of(const std::string& record) {
    std::size_t at = 0;
    const std::uint64_t header = varint(record, at);
    if (header > record.size() || header < at)
        return std::nullopt;
    std::vector<RawValue> values;
    std::size_t body = header;
    while (at < header) {
        const std::uint64_t type = varint(record, at);
        const std::optional<std::uint64_t> size = size_of(type);
        if (!size || *size > record.size() - body)
            return std::nullopt;
        values.push_back(value_of(type, record, body, *size));
        body += *size;
    }
    if (at != header || body != record.size() || values.empty())
        return std::nullopt;
    return values;
}

std::string read_at(std::ifstream& file, std::streamoff at, std::size_t size) {
    std::string bytes(size, '\0');
    file.clear();
    file.seekg(at);
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool is_page_size(std::uint32_t size) {
    return size >= 512 && size <= 65'536 && std::has_single_bit(size);
}

// The running checksum of a -wal.
struct Checksum {
    bool big_endian_words = false;
    std::uint32_t a = 0, b = 0;
    void add(const std::string& bytes, std::size_t at, std::size_t size) {
        for (std::size_t i = at; i < at + size; i += 8) {
            a += word(bytes, i) + b;
            b += word(bytes, i + 4) + a;
        }
    }
    [[nodiscard]] std::uint32_t word(const std::string& bytes, std::size_t at) const {
        const std::uint32_t value = uint32_at(bytes, at);
        return big_endian_words ? value : __builtin_bswap32(value);
    }
    [[nodiscard]] bool is_at(const std::string& bytes, std::size_t at) const {
        return uint32_at(bytes, at) == a && uint32_at(bytes, at + 4) == b;
    }
};

}  // namespace

DamagedFile::DamagedFile(const fs::path& file) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(file, none);  // fails on pipes
    if (!none)
        file_.open(file, std::ios::binary);
    if (!file_.is_open())
        throw Failure("\"" + file.string() + "\" cannot be read");
    const std::string header = read_at(file_, 0, HeaderBytes);
    const std::uint32_t stored = static_cast<std::uint32_t>(big_endian(header, 16, 2));
    const std::uint32_t page_size = stored == 1 ? 65'536 : stored;
    if (header.starts_with(std::string_view("SQLite format 3\0", 16)) && is_page_size(page_size)) {
        page_size_ = page_size;
        usable_ = page_size - static_cast<unsigned char>(header[20]);
        version_ = static_cast<int>(uint32_at(header, 60));
    }
    pages_ = static_cast<PageNumber>((size + page_size_ - 1) / page_size_);
    read_log(fs::path(file) += "-wal");
    named_pages_ = std::max(pages_, version_ ? uint32_at(header, 28) : 0);
    if (!logged_.contains(1))  // whose header is newer
        return;
    version_ = static_cast<int>(uint32_at(bytes_of(1), 60));
    usable_ = page_size_ - static_cast<unsigned char>(bytes_of(1)[20]);
}

// Notes the pages of all transactions that were committed.
void DamagedFile::read_log(const fs::path& log) {
    constexpr std::size_t LogHeader = 32, FrameHeader = 24;
    log_.open(log, std::ios::binary);
    const std::string header = read_at(log_, 0, LogHeader);
    const std::uint32_t page_size = uint32_at(header, 8);
    if (header.size() < LogHeader || uint32_at(header, 0) >> 1 != 0x377F'0682U >> 1 ||
        !is_page_size(page_size) || (version_ && page_size != page_size_))
        return;
    page_size_ = page_size;
    Checksum sum{.big_endian_words = (uint32_at(header, 0) & 1) != 0};
    sum.add(header, 0, 24);
    if (!sum.is_at(header, 24))
        return;
    std::map<PageNumber, std::streamoff> pages;
    for (auto at = static_cast<std::streamoff>(LogHeader);;
         at += static_cast<std::streamoff>(FrameHeader + page_size)) {
        const std::string frame = read_at(log_, at, FrameHeader + page_size);
        if (frame.size() < FrameHeader + page_size || frame.compare(8, 8, header, 16, 8) != 0)
            return;
        sum.add(frame, 0, 8);
        sum.add(frame, FrameHeader, page_size);
        if (!sum.is_at(frame, 16))
            return;
        pages[uint32_at(frame, 0)] = at + static_cast<std::streamoff>(FrameHeader);
        if (const PageNumber size = uint32_at(frame, 4); size != 0) {  // the end of a transaction
            for (const auto& [number, place] : pages)
                logged_[number] = place;
            pages.clear();
            pages_ = size;
        }
    }
}

std::string DamagedFile::bytes_of(PageNumber number) {
    if (number == 0 || number > pages_)
        return {};
    const auto logged = logged_.find(number);
    std::string bytes = logged != logged_.end()
                            ? read_at(log_, logged->second, page_size_)
                            : read_at(file_, std::streamoff{number - 1} * page_size_, page_size_);
    if (!bytes.empty())
        bytes.resize(page_size_);
    return bytes;
}

// The payload of a cell, with the part that lies on overflow pages.
std::optional<std::string>
DamagedFile::payload(const std::string& bytes, std::size_t at, std::uint64_t size, Page& page) {
    if (size == 0 || size > MaxRowBytes)
        return std::nullopt;
    const std::uint64_t max = page.has_rowids ? usable_ - 35 : (usable_ - 12) * 64 / 255 - 23;
    const std::uint64_t min = (usable_ - 12) * 32 / 255 - 23;
    std::uint64_t local = size;
    if (size > max) {
        local = min + (size - min) % (usable_ - 4);
        local = local <= max ? local : min;
    }
    if (at + local + (size > max ? 4 : 0) > usable_)
        return std::nullopt;
    std::string whole = bytes.substr(at, local);
    PageNumber next = size > max ? uint32_at(bytes, at + local) : 0;
    while (whole.size() < size) {
        const std::string more = bytes_of(next);
        if (more.empty())
            return std::nullopt;
        page.overflow.push_back(next);
        whole += more.substr(4, std::min<std::uint64_t>(usable_ - 4, size - whole.size()));
        next = uint32_at(more, 0);
    }
    return whole;
}

bool DamagedFile::add_row(const std::string& bytes, std::size_t at, Page& page) {
    const std::uint64_t size = varint(bytes, at);
    const auto rowid = page.has_rowids ? static_cast<std::int64_t>(varint(bytes, at)) : 0;
    const std::optional<std::string> record = payload(bytes, at, size, page);
    std::optional<std::vector<RawValue>> values = record ? values_of(*record) : std::nullopt;
    if (!values)
        return false;
    page.rows.push_back({.rowid = rowid, .values = std::move(*values)});
    page.max_rowid = std::max(page.max_rowid, rowid);
    return true;
}

std::optional<DamagedFile::Page> DamagedFile::read(PageNumber number) {
    const std::string bytes = bytes_of(number);
    const std::size_t begin = number == 1 ? HeaderBytes : 0;
    const auto type = static_cast<std::uint8_t>(big_endian(bytes, begin, 1));
    const bool inner = type == InnerIndex || type == InnerTable;
    if (bytes.empty() || (!inner && type != LeafIndex && type != LeafTable))
        return std::nullopt;
    const std::size_t cells = big_endian(bytes, begin + 3, 2);
    const std::size_t pointers = begin + (inner ? 12 : 8);
    if (pointers + 2 * cells > usable_)
        return std::nullopt;
    Page page;
    page.has_rowids = type == InnerTable || type == LeafTable;
    for (std::size_t i = 0; i < cells; ++i) {
        std::size_t at = big_endian(bytes, pointers + 2 * i, 2);
        if (inner) {
            page.children.push_back(uint32_at(bytes, at));
            at += 4;
        }
        if (type == InnerTable) {
            const auto rowid = static_cast<std::int64_t>(varint(bytes, at));
            if (rowid <= page.max_rowid && i > 0)
                return std::nullopt;
            page.max_rowid = rowid;
        } else if (at < pointers + 2 * cells || !add_row(bytes, at, page)) {
            ++page.bad_rows;
        }
    }
    if (inner)
        page.children.push_back(uint32_at(bytes, begin + 8));
    for (const PageNumber child : page.children)
        if (child < 2 || child > named_pages_)
            return std::nullopt;
    return page;
}

std::vector<DamagedFile::PageNumber> DamagedFile::free_pages() {
    std::vector<PageNumber> free;
    if (!version_)
        return free;
    std::set<PageNumber> trunks;
    for (PageNumber trunk = uint32_at(bytes_of(1), 32);
         trunk != 0 && trunks.insert(trunk).second;) {
        const std::string bytes = bytes_of(trunk);
        free.push_back(trunk);
        for (std::uint32_t i = 0; !bytes.empty() && i < uint32_at(bytes, 4) && i < usable_ / 4 - 2;
             ++i)
            free.push_back(uint32_at(bytes, 8 + 4 * std::size_t{i}));
        trunk = bytes.empty() ? 0 : uint32_at(bytes, 0);
    }
    return free;
}

}  // namespace book
