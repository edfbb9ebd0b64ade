#include "engine/platform/file.h"

#include "engine/platform/events.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace engine::platform {
namespace {

int flags_of(File::Mode mode) {
    switch (mode) {
    case File::Mode::Read:
        return O_RDONLY;
    case File::Mode::Edit:
        return O_RDWR;
    case File::Mode::Create:
        return O_RDWR | O_CREAT;
    case File::Mode::Append:
        return O_WRONLY | O_CREAT | O_APPEND;
    case File::Mode::EditEnd:
        return O_RDWR | O_CREAT | O_APPEND;
    }
    return O_RDONLY;
}

// Repeats a system call that a signal interrupted.
template <typename Call>
auto repeated(const Call& call) {
    auto result = call();
    while (result < 0 && errno == EINTR)
        result = call();
    return result;
}

// False if `end` is set and there is still no room a little later.
bool wait_for_room(int descriptor, const Event& end) {
    constexpr int Patience = 300;  // milliseconds
    std::array<pollfd, 2> files{pollfd{descriptor, POLLOUT, 0},
                                pollfd{static_cast<int>(end.native()), POLLIN, 0}};
    repeated([&files] { return ::poll(files.data(), files.size(), -1); });
    return files[0].revents != 0 ||
           repeated([&files] { return ::poll(files.data(), 1, Patience); }) > 0;
}

}  // namespace

File::File(const std::filesystem::path& path, Mode mode)
    : descriptor_(::open(path.c_str(), flags_of(mode) | O_CLOEXEC, 0666)) {}

File File::standard_input() {
    return File(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
}

File File::temporary(const std::filesystem::path& folder) {
    std::string name = (folder / "nutcracker-temporary-XXXXXX").string();
    File file(::mkostemp(name.data(), O_CLOEXEC));
    if (file.is_open())
        ::unlink(name.c_str());
    return file;
}

void File::close() const {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

std::ptrdiff_t File::read(std::span<char> to) const {
    return repeated([&] { return ::read(descriptor_, to.data(), to.size()); });
}

std::ptrdiff_t File::read_at(std::span<char> to, std::int64_t offset) const {
    return repeated([&] { return ::pread(descriptor_, to.data(), to.size(), offset); });
}

bool File::write_at(std::string_view bytes, std::int64_t offset) const {
    while (!bytes.empty()) {
        const ssize_t n =
            repeated([&] { return ::pwrite(descriptor_, bytes.data(), bytes.size(), offset); });
        if (n < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
        offset += n;
    }
    return true;
}

bool File::sync() const {
    return ::fsync(descriptor_) == 0;
}

std::optional<std::int64_t> File::size() const {
    struct stat info {};
    return ::fstat(descriptor_, &info) == 0 ? std::optional<std::int64_t>(info.st_size)
                                            : std::nullopt;
}

bool File::truncate(std::int64_t size) const {
    return ::ftruncate(descriptor_, size) == 0;
}

bool File::rewind() const {
    return ::lseek(descriptor_, 0, SEEK_SET) == 0;
}

bool File::is_at(const std::filesystem::path& path) const {
    struct stat here {};
    struct stat there {};
    return ::fstat(descriptor_, &here) == 0 && ::stat(path.c_str(), &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

bool File::lock() const {
    return repeated([this] { return ::flock(descriptor_, LOCK_EX); }) == 0;
}

bool File::try_lock() const {
    return repeated([this] { return ::flock(descriptor_, LOCK_EX | LOCK_NB); }) == 0;
}

bool write_all(int descriptor, std::string_view bytes, const Event* end) {
    while (!bytes.empty()) {
        if (end && !wait_for_room(descriptor, *end))
            return false;
        // A pipe with room takes so many bytes at once.
        const std::size_t count =
            end ? std::min<std::size_t>(bytes.size(), PIPE_BUF) : bytes.size();
        const ssize_t written = repeated([&] { return ::write(descriptor, bytes.data(), count); });
        // Another process that shares the file may have made it non-blocking.
        pollfd room{descriptor, POLLOUT, 0};
        if (written < 0 && errno == EAGAIN &&
            repeated([&room] { return ::poll(&room, 1, -1); }) > 0)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::filesystem::path long_path(const std::filesystem::path& path) {
    return path;
}

bool remove_open(const std::filesystem::path& path) {
    return ::unlink(path.c_str()) == 0;
}

bool is_writable(const std::filesystem::path& path) {
    return ::access(path.c_str(), W_OK) == 0;
}

std::string stamp_of(const std::filesystem::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return "-";
    std::string stamp;
    for (const auto part : std::array<std::int64_t, 5>{static_cast<std::int64_t>(info.st_dev),
                                                       static_cast<std::int64_t>(info.st_ino),
                                                       info.st_size,
                                                       info.st_mtim.tv_sec,
                                                       info.st_mtim.tv_nsec})
        stamp += std::to_string(part) + ':';
    return stamp;
}

}  // namespace engine::platform
