#include "tools/common/files.h"

#include "engine/platform/file.h"

#include <array>
#include <filesystem>
#include <fstream>

namespace tools {

namespace fs = std::filesystem;
using engine::platform::long_path;
using engine::platform::resolved;

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

namespace {

bool write_stream(const fs::path& path, const std::function<void(std::ostream&)>& write) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    if (!out)
        return false;
    write(out);
    out.close();
    return !out.fail();
}

bool write_to_disk(const fs::path& path, const std::function<void(std::ostream&)>& write) {
    using engine::platform::File;
    return write_stream(path, write) && File(path, File::Mode::Edit).sync();
}

}  // namespace

Result<std::string> file_to_replace(const std::string& name) {
    const fs::path path = resolved(name);
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error))
        return fail("\"" + name + "\" is a folder, a pipe or a device: name a file");
    return path.string();
}

Result<void> replace_file(const std::string& name,
                          const std::function<void(std::ostream&)>& write) {
    const fs::path path = resolved(name);
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error))
        return write_stream(path, write) ? Result<void>() : fail("cannot write " + name);
    fs::path unfinished = path;
    unfinished += ".new";
    try {
        if (write_to_disk(unfinished, write)) {
            fs::rename(unfinished, path, error);
            if (!error)
                return {};
        }
    } catch (...) {
        fs::remove(unfinished, error);
        throw;
    }
    fs::remove(unfinished, error);
    return fail("cannot write " + name);
}

Result<void> replace_file(const std::string& name, std::string_view bytes) {
    return replace_file(name, [bytes](std::ostream& out) { out << bytes; });
}

}  // namespace tools
