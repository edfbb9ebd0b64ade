#include "book/import/run_file.h"

#include "book/store/failure.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace book {
namespace {

constexpr auto RecordBytes = static_cast<std::int64_t>(sizeof(SortRecord));

[[noreturn]] void fail(const char* doing, const std::filesystem::path& folder, const char* why) {
    throw Failure(fmt::format("{} a temporary file in \"{}\": {}", doing, folder.string(), why));
}

}  // namespace

RunFile::RunFile(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::string name = (folder_ / "nutcracker-import-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0)
        fail("making", folder_, std::strerror(errno));
    ::unlink(name.c_str());
}

RunFile::~RunFile() {
    ::close(descriptor_);
}

void RunFile::append(std::span<const SortRecord> sorted) {
    auto bytes = std::as_bytes(sorted);
    while (!bytes.empty()) {
        const ssize_t n = ::pwrite(descriptor_, bytes.data(), bytes.size(), size_);
        if (n < 0 && errno != EINTR)
            fail("writing", folder_, std::strerror(errno));
        if (n > 0) {
            size_ += n;
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        }
    }
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
        auto bytes = std::as_writable_bytes(std::span(part));
        while (!bytes.empty()) {
            const ssize_t n = ::pread(descriptor_, bytes.data(), bytes.size(), at);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                fail("reading", folder_, n < 0 ? std::strerror(errno) : "it has become shorter");
            at += n;
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        }
    };
}

void RunFile::clear() {
    if (size_ > 0 && ::ftruncate(descriptor_, 0) != 0)
        fail("emptying", folder_, std::strerror(errno));
    size_ = 0;
    ends_.clear();
}

}  // namespace book
