#include "tools/common/files.h"

#include "engine/platform/file.h"

#include <array>
#include <filesystem>
#include <fstream>

namespace tools {

namespace fs = std::filesystem;
using engine::platform::long_path;

Result<std::string> read_bytes(const std::string& name) {
    const fs::path path = long_path(name);
    std::error_code unknown;  // a pipe has no size
    if (fs::is_character_file(path, unknown))
        return fail("\"" + name + "\" is a device");
    std::ifstream file(path, std::ios::binary);
    std::string bytes;
    if (const auto size = fs::file_size(path, unknown); !unknown)
        bytes.reserve(size);
    for (std::array<char, 1 << 16> block; file;) {
        file.read(block.data(), block.size());
        bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad())
        return fail("cannot read \"" + name + "\"");
    return bytes;
}

Result<void> replace_file(const std::string& name, std::string_view bytes) {
    using engine::platform::File;
    const fs::path path = long_path(name);
    std::error_code error;
    const bool direct = fs::exists(path, error) && !fs::is_regular_file(path, error);
    if (direct) {
        std::ofstream out(path, std::ios::binary);
        out << bytes;
        out.close();
        return out ? Result<void>() : fail("cannot write " + name);
    }
    fs::path target = path;
    target += ".new";
    {
        const File file(target, File::Mode::Create);
        if (!file.is_open() || !file.truncate(0) || !file.write(bytes) || !file.sync())
            return fail("cannot write " + name);
    }
    error.clear();
    fs::rename(target, path, error);
    return error ? fail("cannot write " + name) : Result<void>();
}

}  // namespace tools
