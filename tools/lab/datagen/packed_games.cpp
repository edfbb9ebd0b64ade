#include "tools/lab/datagen/packed_games.h"

#include "tools/common/checksum.h"
#include "tools/common/errors.h"
#include "tools/lab/datagen/block_coder.h"
#include "tools/lab/datagen/game_file.h"
#include "tools/lab/datagen/raw_bytes.h"

#include <optional>

#include <fmt/format.h>

namespace tools::datagen {
namespace {

constexpr std::string_view Name = "NUTPACK", Magic = "NUTPACK1", BlockMagic = "NPBK";
constexpr std::size_t HeaderSize = 96, BlockHeaderSize = 24, ChecksumSize = 8;

struct Header {
    std::string_view games_header;
    std::uint64_t games = 0, bytes = 0;  // of the whole file of games
};

Header parse_header(std::string_view packed) {
    if (!is_packed(packed))
        throw Failure("not a packed file of games");
    if (packed.size() < HeaderSize)
        throw Failure("the header is cut off");
    if (!packed.starts_with(Magic))
        throw Failure("packed in a format that this version does not know");
    const std::size_t end = HeaderSize - ChecksumSize;
    if (read_at<std::uint64_t>(packed, end) != checksum(packed.substr(0, end)))
        throw Failure("the header is damaged");
    return {packed.substr(Magic.size(), GamesHeaderSize),
            read_at<std::uint64_t>(packed, Magic.size() + GamesHeaderSize),
            read_at<std::uint64_t>(packed, Magic.size() + GamesHeaderSize + 8)};
}

struct Block {
    std::uint32_t games = 0, records = 0;  // records in bytes
    std::string_view coded;

    [[nodiscard]] std::size_t size() const { return BlockHeaderSize + coded.size(); }
};

std::string encode(const Block& block) {
    std::string bytes(BlockMagic);
    append(bytes, block.games);
    append(bytes, block.records);
    append(bytes, static_cast<std::uint32_t>(block.coded.size()));
    append(bytes, checksum(block.coded, checksum(bytes)));
    return bytes.append(block.coded);
}

// The block at the front of `bytes`; nothing if there is none, or not as it was written.
std::optional<Block> find_block(std::string_view bytes) {
    if (bytes.size() < BlockHeaderSize || !bytes.starts_with(BlockMagic))
        return std::nullopt;
    const auto size = read_at<std::uint32_t>(bytes, 12);
    if (size > bytes.size() - BlockHeaderSize)
        return std::nullopt;
    const std::string_view coded = bytes.substr(BlockHeaderSize, size);
    const std::size_t end = BlockHeaderSize - ChecksumSize;
    if (read_at<std::uint64_t>(bytes, end) != checksum(coded, checksum(bytes.substr(0, end))))
        return std::nullopt;
    return Block{read_at<std::uint32_t>(bytes, 4), read_at<std::uint32_t>(bytes, 8), coded};
}

// The bytes of the records at the front that make one block.
Extent next_block(std::string_view records, std::size_t block_size) {
    Extent extent;
    while (extent.bytes < block_size && extent.bytes < records.size()) {
        const std::size_t plies = read_at<std::uint16_t>(records, extent.bytes + 24);
        extent.bytes += GameHeaderSize + PlySize * plies;
        extent.plies += plies;
        ++extent.games;
    }
    return extent;
}

}  // namespace

bool is_packed(std::string_view bytes) {
    return bytes.starts_with(Name);
}

Result<std::string> pack_games(std::string_view file, std::size_t block_size) {
    return to_result([&] {
        const Extent all = value_or_throw(measure_games(file));
        if (all.bytes != file.size())
            throw Failure(fmt::format("the record after game {} is cut off", all.games));
        std::string packed(Magic);
        packed += file.substr(0, GamesHeaderSize);
        append(packed, all.games);
        append(packed, std::uint64_t{file.size()});
        append(packed, checksum(packed));
        std::uint64_t games = 0;
        for (std::string_view rest = file.substr(GamesHeaderSize); !rest.empty();) {
            const Extent extent = next_block(rest, block_size);
            const std::string_view records = rest.substr(0, extent.bytes);
            const std::string where =
                fmt::format("games {} to {}: ", games + 1, games + extent.games);
            const std::string coded = value_or_throw(encode_block(records), where);
            if (decode_block(coded, extent.games, extent.bytes) != std::string(records))
                throw Failure(where + "a record has a form that this program does not write");
            packed += encode(Block{static_cast<std::uint32_t>(extent.games),
                                   static_cast<std::uint32_t>(extent.bytes),
                                   coded});
            rest.remove_prefix(extent.bytes);
            games += extent.games;
        }
        return packed;
    });
}

Result<std::uint64_t> for_each_block(std::string_view packed,
                                     Damage damage,
                                     const std::function<void(std::string_view)>& take) {
    return to_result([&] {
        const Header header = parse_header(packed);
        packed.remove_prefix(HeaderSize);
        std::uint64_t games = 0, bytes = GamesHeaderSize;
        while (!packed.empty()) {
            if (const auto block = find_block(packed)) {
                take(value_or_throw(decode_block(block->coded, block->games, block->records)));
                games += block->games;
                bytes += block->records;
                packed.remove_prefix(block->size());
            } else if (damage == Damage::Refuse) {
                throw Failure(
                    fmt::format("damaged or cut off after {} of {} games", games, header.games));
            } else {
                packed.remove_prefix(std::min(packed.find(BlockMagic, 1), packed.size()));
            }
        }
        if (damage == Damage::Refuse && (games != header.games || bytes != header.bytes))
            throw Failure(fmt::format("cut off after {} of {} games", games, header.games));
        return header.games - std::min(games, header.games);
    });
}

Result<UnpackedGames> unpack_games(std::string_view packed, Damage damage) {
    return to_result([&] {
        UnpackedGames games{std::string(parse_header(packed).games_header)};
        games.skipped = value_or_throw(for_each_block(
            packed, damage, [&games](std::string_view records) { games.file += records; }));
        return games;
    });
}

}  // namespace tools::datagen
