#include "tools/lab/datagen/pack_command.h"

#include "engine/platform/file.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/lab/datagen/game_file.h"

#include <filesystem>
#include <iostream>

#include <fmt/format.h>

namespace tools::datagen {
namespace {

namespace fs = std::filesystem;

std::string read_source(const std::string& from, const std::string& to) {
    std::error_code none;
    if (fs::exists(engine::platform::long_path(to), none))
        throw Failure(to + " exists");
    return value_or_throw(read_bytes(from));
}

}  // namespace

int pack_file(const std::string& from, const std::string& to) {
    const std::string file = read_source(from, to);
    const std::string packed = value_or_throw(pack_games(file), from + ": ");
    value_or_throw(replace_file(to, packed));
    const Extent extent = value_or_throw(measure_games(file));
    std::cout << fmt::format("{} games, {} plies, {} bytes instead of {}, {:.3f} a ply\n",
                             extent.games,
                             extent.plies,
                             packed.size(),
                             file.size(),
                             static_cast<double>(packed.size()) /
                                 static_cast<double>(std::max<std::uint64_t>(extent.plies, 1)));
    return 0;
}

int unpack_file(const std::string& from, const std::string& to, Damage damage) {
    const std::string packed = read_source(from, to);
    const UnpackedGames unpacked = value_or_throw(unpack_games(packed, damage), from + ": ");
    value_or_throw(replace_file(to, unpacked.file));
    const Extent extent = value_or_throw(measure_games(unpacked.file));
    std::cout << fmt::format("{} games, {} plies\n", extent.games, extent.plies);
    if (unpacked.skipped == 0)
        return 0;
    std::cerr << fmt::format("{}: {} games are lost\n", from, unpacked.skipped);
    return 1;
}

}  // namespace tools::datagen
