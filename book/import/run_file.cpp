#include "book/import/run_file.h"

#include "book/store/failure.h"

#include <fmt/format.h>

namespace book {
namespace {

constexpr auto RecordBytes = static_cast<std::int64_t>(sizeof(SortRecord));

[[noreturn]] void
fail(const char* doing, const std::filesystem::path& folder, const std::string& why) {
    throw Failure(fmt::format("{} a temporary file in \"{}\": {}", doing, folder.string(), why));
}

}  // namespace

RunFile::RunFile(std::filesystem::path folder)
    : folder_(std::move(folder)), file_(engine::platform::File::temporary(folder_)) {
    if (!file_.is_open())
        fail("making", folder_, engine::platform::error_text());
}

void RunFile::append(std::span<const SortRecord> sorted) {
    const std::string_view bytes(reinterpret_cast<const char*>(sorted.data()), sorted.size_bytes());
    if (!file_.write_at(bytes, size_))
        fail("writing", folder_, engine::platform::error_text());
    size_ += static_cast<std::int64_t>(bytes.size());
}

void RunFile::end_run() {
    ends_.push_back(size_);
}

Run::Read RunFile::reader(std::size_t run, std::size_t memory) const {
    constexpr std::size_t MinRecords = 1 << 8, MaxRecords = 1 << 12;
    const std::size_t records =
        std::clamp(memory / ends_.size() / sizeof(SortRecord), MinRecords, MaxRecords);
    return [this, records, at = run == 0 ? 0 : ends_[run - 1], end = ends_[run]](
               std::vector<SortRecord>& part) mutable {
        part.resize(std::min(records, static_cast<std::size_t>((end - at) / RecordBytes)));
        std::span bytes(reinterpret_cast<char*>(part.data()), part.size() * sizeof(SortRecord));
        while (!bytes.empty()) {
            const std::ptrdiff_t n = file_.read_at(bytes, at);
            if (n <= 0)
                fail("reading",
                     folder_,
                     n < 0 ? engine::platform::error_text() : "the file has become shorter");
            at += n;
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        }
    };
}

void RunFile::clear() {
    if (size_ > 0 && !file_.truncate(0))
        fail("emptying", folder_, engine::platform::error_text());
    size_ = 0;
    ends_.clear();
}

}  // namespace book
