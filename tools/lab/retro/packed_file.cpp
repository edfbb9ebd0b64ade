#include "tools/lab/retro/packed_file.h"

#include "tools/common/checksum.h"
#include "tools/common/files.h"

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

namespace tools::retro {
namespace {

namespace io = boost::iostreams;

constexpr std::size_t NameBytes = 16, ChecksumBytes = 8;

std::string little_endian(std::uint64_t value) {
    std::string bytes;
    for (std::size_t i = 0; i < ChecksumBytes; ++i)
        bytes += static_cast<char>(value >> (8 * i) & 255);
    return bytes;
}

std::string header(const PackedFile& file) {
    std::string name = file.ending;
    name.resize(NameBytes);
    return std::string(file.kind) + name;
}

// False if there are more bytes or fewer.
bool unpack(std::string_view packed, const std::vector<std::span<char>>& parts) {
    io::filtering_istream in;
    in.push(io::zstd_decompressor());
    in.push(io::array_source(packed.data(), packed.size()));
    in.exceptions(std::ios::badbit);
    for (const std::span<char> part : parts)
        if (!in.read(part.data(), static_cast<std::streamsize>(part.size())))
            return false;
    return in.peek() == std::char_traits<char>::eof();
}

}  // namespace

Result<void> save_packed(const PackedFile& file, const std::vector<std::span<const char>>& parts) {
    std::string bytes = header(file);
    io::filtering_ostream out;
    out.push(io::zstd_compressor(io::zstd_params(static_cast<std::uint32_t>(file.level))));
    out.push(io::back_inserter(bytes));
    for (const std::span<const char> part : parts)
        out.write(part.data(), static_cast<std::streamsize>(part.size()));
    out.reset();
    bytes += little_endian(checksum(bytes));
    return replace_file(file.path, bytes);
}

Result<void> load_packed(const PackedFile& file, const std::vector<std::span<char>>& parts) {
    const Result<std::string> bytes = read_bytes(file.path);
    if (!bytes)
        return fail(bytes.error().what);
    const std::string head = header(file);
    if (!bytes->starts_with(head))
        return fail(file.path + ": not a table of " + file.ending + " of this version");
    if (bytes->size() < head.size() + ChecksumBytes)
        return fail(file.path + ": damaged: it ends too early");
    const std::string_view sealed(bytes->data(), bytes->size() - ChecksumBytes);
    if (bytes->substr(sealed.size()) != little_endian(checksum(sealed)))
        return fail(file.path + ": damaged: its checksum is wrong");
    try {
        if (!unpack(sealed.substr(head.size()), parts))
            return fail(file.path + ": damaged: it has the wrong size");
    } catch (const std::exception& e) {
        return fail(file.path + ": damaged: " + e.what());
    }
    return {};
}

}  // namespace tools::retro
