// The parts that are the same on all systems.
#include "engine/platform/file.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace engine::platform {

File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

File::~File() {
    close();
}

File File::locked(const std::filesystem::path& path, Mode mode) {
    File file(path, mode);
    return file.is_open() && file.lock() ? std::move(file) : File();
}

std::optional<std::string> File::read_all() const {
    std::string text;
    std::array<char, 65536> part{};
    for (std::ptrdiff_t n = 0; (n = read(part)) != 0;) {
        if (n < 0)
            return std::nullopt;
        text.append(part.data(), static_cast<std::size_t>(n));
    }
    return text;
}

std::string error_text() {
    return std::generic_category().message(errno);
}

std::filesystem::path resolved(std::filesystem::path path) {
    constexpr int MaxLinks = 40;  // as the system allows
    std::error_code none;
    for (int i = 0; i < MaxLinks && std::filesystem::is_symlink(path, none); ++i) {
        std::filesystem::path target =
            path.parent_path() / std::filesystem::read_symlink(path, none);
        if (std::filesystem::exists(path, none) && !std::filesystem::exists(target, none))
            break;  // as /proc/self/fd/1, whose text "pipe:[12]" is no path
        path = std::move(target);
    }
    return long_path(path);
}

bool File::write(std::string_view bytes) const {
    return write_all(descriptor_, bytes);
}

}  // namespace engine::platform
