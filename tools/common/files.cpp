#include "tools/common/files.h"

#include <array>
#include <filesystem>
#include <fstream>

namespace tools {

namespace fs = std::filesystem;

Result<std::string> read_bytes(const std::string& path) {
    std::error_code unknown;  // a pipe has no size
    if (fs::is_character_file(path, unknown))
        return fail("\"" + path + "\" is a device");
    std::ifstream file(path, std::ios::binary);
    std::string bytes;
    if (const auto size = fs::file_size(path, unknown); !unknown)
        bytes.reserve(size);
    for (std::array<char, 1 << 16> block; file;) {
        file.read(block.data(), block.size());
        bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad())
        return fail("cannot read \"" + path + "\"");
    return bytes;
}

Result<void> replace_file(const std::string& path, std::string_view bytes) {
    std::error_code error;
    const bool direct = fs::exists(path, error) && !fs::is_regular_file(path, error);
    const std::string target = direct ? path : path + ".new";
    std::ofstream out(target, std::ios::binary);
    out << bytes;
    out.close();
    error.clear();
    if (out && !direct)
        fs::rename(target, path, error);
    if (!out || error)
        return fail("cannot write " + path);
    return {};
}

}  // namespace tools
