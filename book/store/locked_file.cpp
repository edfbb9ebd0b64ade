#include "book/store/locked_file.h"

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace book {

LockedFile::LockedFile(const std::filesystem::path& path, int flags)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0)
        if (errno != EINTR) {
            ::close(descriptor_);
            descriptor_ = -1;
        }
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

LockedFile::~LockedFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

bool LockedFile::write(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t n = ::write(descriptor_, text.data(), text.size());
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            text.remove_prefix(static_cast<std::size_t>(n));
    }
    return ::fsync(descriptor_) == 0;
}

std::optional<std::string> read_to_end(int descriptor) {
    std::string text;
    std::array<char, 65536> part{};
    for (ssize_t n = 0; (n = ::read(descriptor, part.data(), part.size())) != 0;) {
        if (n < 0 && errno != EINTR)
            return std::nullopt;
        if (n > 0)
            text.append(part.data(), static_cast<std::size_t>(n));
    }
    return text;
}

}  // namespace book
