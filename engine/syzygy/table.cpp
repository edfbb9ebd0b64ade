#include "engine/syzygy/table.h"

namespace engine {
namespace {

constexpr std::array<std::array<std::uint8_t, 4>, 2> Magic = {
    {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}}};
constexpr std::string_view Letters = "PNBRQK";

}  // namespace

std::optional<PieceCounts> PieceCounts::from_name(std::string_view name) {
    PieceCounts material;
    std::size_t side = 0;
    for (const char c : name) {
        if (c == 'v' && side == 0) {
            side = 1;
            continue;
        }
        const std::size_t type = Letters.find(c);
        if (type == std::string_view::npos)
            return std::nullopt;
        ++material.count[side][type];
    }
    const int men = material.men();
    if (men < 3 || men > MaxMen || material.count[0][King] != 1 || material.count[1][King] != 1)
        return std::nullopt;
    return material;
}

PieceCounts PieceCounts::of(const Position& pos) {
    PieceCounts material;
    for (const Color c : {White, Black})
        for (const PieceType t : {Pawn, Knight, Bishop, Rook, Queen, King})
            material.count[c][t] = popcount(pos.pieces(c, t));
    return material;
}

std::uint64_t PieceCounts::key() const {
    std::uint64_t key = 0;
    for (const auto& side : count)
        for (std::size_t t = Pawn; t < King; ++t)
            key = key << 4 | static_cast<std::uint64_t>(side[t]);
    return key;
}

int PieceCounts::men() const {
    int men = 0;
    for (const auto& side : count)
        for (const int pieces : side)
            men += pieces;
    return men;
}

Result<std::unique_ptr<SyzygyTable>>
SyzygyTable::open(const std::string& path, const PieceCounts& material, Kind kind) {
    Result<platform::MappedFile> file = platform::MappedFile::open(path);
    if (!file)
        return fail(file.error().what);
    Result<std::unique_ptr<SyzygyTable>> table = read(file->bytes(), material, kind);
    if (table)
        (*table)->file_ = std::move(*file);
    return table;
}

Result<std::unique_ptr<SyzygyTable>>
SyzygyTable::read(Bytes bytes, const PieceCounts& material, Kind kind) {
    std::unique_ptr<SyzygyTable> table(new SyzygyTable(material));
    if (const Result<void> done = table->read_all(bytes, kind); !done)
        return fail(done.error().what);
    return table;
}

Result<void> SyzygyTable::read_all(Bytes bytes, Kind kind) {
    constexpr int Split = 1, WithPawns = 2;
    constexpr std::size_t Unit = 64, Checksum = 16;
    const auto& magic = Magic[kind == Kind::Wdl ? 0 : 1];
    if (bytes.size() % Unit != Checksum)
        return fail("is cut short: a table has a multiple of 64 bytes and 16");
    if (!std::equal(magic.begin(), magic.end(), bytes.begin()))
        return fail("is not a table of this kind: its first bytes are wrong");
    ByteReader reader(bytes.first(bytes.size() - Checksum));
    const auto too_short = [] {
        return fail("is cut short or damaged: its parts are longer than the file");
    };
    reader.take(magic.size());
    const auto flags = static_cast<int>(reader.number(1));
    side_has_pawns_ = {material_.count[0][Pawn] > 0, material_.count[1][Pawn] > 0};
    pawns_ = side_has_pawns_[0] || side_has_pawns_[1];
    if (((flags & Split) != 0) == material_.symmetric() || ((flags & WithPawns) != 0) != pawns_)
        return fail("is of another material than its name says");
    parts_.assign(pawns_ ? Files : 1,
                  std::vector<Part>(kind == Kind::Wdl && !material_.symmetric() ? 2 : 1));
    if (!read_layouts(reader))
        return fail("is damaged: its order of pieces is impossible");
    bool good = true;
    for_parts([&](Part& p) { good = good && p.pairs.read_header(reader, p.layout.size()); });
    if (reader.failed())
        return too_short();
    if (!good)
        return fail("is damaged: its compression is impossible");
    if (kind == Kind::Dtz)
        read_maps(reader);
    for_parts([&](Part& p) { p.pairs.read_index(reader); });
    for_parts([&](Part& p) { p.pairs.read_lengths(reader); });
    for_parts([&](Part& p) { p.pairs.read_blocks(reader); });
    if (reader.failed())
        return too_short();
    return {};
}

bool SyzygyTable::read_layouts(ByteReader& reader) {
    for (std::size_t file = 0; file < parts_.size(); ++file)
        if (!read_layout(reader, file))
            return false;
    reader.align(2);
    return true;
}

bool SyzygyTable::read_layout(ByteReader& reader, std::size_t file) {
    const std::uint32_t first = reader.number(1);
    const std::uint32_t second = side_has_pawns_[0] && side_has_pawns_[1] ? reader.number(1) : 0xFF;
    std::array<Men, 2> men{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(material_.men()); ++i) {
        const std::uint32_t both = reader.number(1);
        men[0][i] = static_cast<std::uint8_t>(both & 15);
        men[1][i] = static_cast<std::uint8_t>(both >> 4);
    }
    const int leader = file == 0 ? men[0][0] : parts_[0][0].layout.piece(0);
    bool three = false;
    for (const auto& side : material_.count)
        three = three || std::count(side.begin(), side.begin() + King, 1) > 0;
    for (std::size_t side = 0; side < parts_[file].size(); ++side) {
        const bool kings = men[side][0] % 8 == King + 1 && men[side][1] % 8 == King + 1;
        if (!is_of_material(men[side]) || (!pawns_ && !three && !kings))
            return false;
        const std::array order = {static_cast<int>(side == 0 ? first & 15 : first >> 4),
                                  static_cast<int>(side == 0 ? second & 15 : second >> 4)};
        const std::optional<Layout> layout =
            Layout::make(men[side], material_.men(), pawns_, three, order, static_cast<int>(file));
        if (!layout || (pawns_ && men[side][0] != leader))
            return false;
        parts_[file][side].layout = *layout;
    }
    return true;
}

// True if the pieces are those of the material, with the leading pawns first, then the pawns of the
// other side.
bool SyzygyTable::is_of_material(const Men& men) const {
    std::array<std::array<int, 6>, 2> count{};
    for (int i = 0; i < material_.men(); ++i) {
        const int man = men[static_cast<std::size_t>(i)], type = man % 8 - 1;
        if (type < Pawn || type > King)
            return false;
        ++count[man / 8 == 0 ? 0 : 1][static_cast<std::size_t>(type)];
    }
    const int pawns = material_.count[0][Pawn] + material_.count[1][Pawn];
    for (int i = 0; i < pawns; ++i)
        if (men[static_cast<std::size_t>(i)] % 8 != 1)
            return false;
    const auto leading = static_cast<std::size_t>(material_.count[men[0] / 8 == 0 ? 0 : 1][Pawn]);
    for (std::size_t i = 1; i < static_cast<std::size_t>(pawns); ++i)
        if ((men[i] == men[0]) != (i < leading))
            return false;
    return count == material_.count;
}

void SyzygyTable::read_maps(ByteReader& reader) {
    for_parts([&](Part& part) {
        if ((part.pairs.flags() & Pairs::Mapped) == 0)
            return;
        const std::size_t width = (part.pairs.flags() & Pairs::Wide) != 0 ? 2 : 1;
        reader.align(width);
        for (Bytes& map : part.map)
            map = reader.take(width * reader.number(width));
    });
    reader.align(2);
}

// The part of the table that holds the position, and the squares of its pieces.
SyzygyTable::Lookup SyzygyTable::look_up(const Position& pos) const {
    const Color side = pos.side_to_move();
    const bool swap =
        material_.symmetric() ? side == Black : PieceCounts::of(pos).count != material_.count;
    const auto squares_of = [&](const Layout& layout) {
        std::array<Bitboard, 16> left{};
        Squares squares{};
        for (std::size_t i = 0; i < static_cast<std::size_t>(layout.men()); ++i) {
            const auto code = static_cast<std::size_t>(layout.piece(static_cast<int>(i)));
            const auto color = static_cast<Color>((code >= 8) != swap);
            if (i == 0 ||
                layout.piece(static_cast<int>(i)) != layout.piece(static_cast<int>(i) - 1))
                left[code] = pos.pieces(color, static_cast<PieceType>(code % 8 - 1));
            squares[i] = pop_lowest(left[code]) ^ (swap ? 56 : 0);
        }
        return squares;
    };
    const bool second = (side == Black) != swap;
    std::size_t file = 0;
    const Layout& any = parts_[0][0].layout;
    if (pawns_) {
        Squares squares = squares_of(any);
        const auto pawns = static_cast<int>(material_.count[any.piece(0) < 8 ? 0 : 1][Pawn]);
        const int lead = Layout::lead(squares, pawns);
        file = static_cast<std::size_t>(std::min(lead, 7 - lead));
    }
    const Part& part = parts_[file][parts_[file].size() > 1 && second ? 1 : 0];
    Lookup found{&part, squares_of(part.layout), second};
    if (pawns_)
        Layout::lead(found.squares, material_.count[any.piece(0) < 8 ? 0 : 1][Pawn]);
    return found;
}

std::optional<int> SyzygyTable::wdl(const Position& pos) const {
    const Lookup found = look_up(pos);
    const std::optional<int> value = found.part->pairs.at(found.part->layout.number(found.squares));
    return value && *value <= 4 ? std::optional(*value - 2) : std::nullopt;
}

std::optional<SyzygyTable::Found> SyzygyTable::dtz(const Position& pos, int wdl) const {
    // Which list of values belongs to a result from loss to win.
    constexpr std::array<std::size_t, 5> MapOf = {1, 3, 0, 2, 0};
    const Lookup found = look_up(pos);
    const int flags = found.part->pairs.flags();
    if (((flags & Pairs::SideToMove) != 0) != found.second && !(material_.symmetric() && !pawns_))
        return Found{.other_side = true};
    std::optional<int> value = found.part->pairs.at(found.part->layout.number(found.squares));
    if (!value)
        return std::nullopt;
    if ((flags & Pairs::Mapped) != 0) {
        const Bytes map = found.part->map[MapOf[static_cast<std::size_t>(wdl + 2)]];
        const std::size_t width = (flags & Pairs::Wide) != 0 ? 2 : 1;
        const std::size_t at = width * static_cast<std::size_t>(*value);
        if (at >= map.size())
            return std::nullopt;
        value = static_cast<int>(little_endian(map, at, width));
    }
    const bool in_plies = (wdl == 2 && (flags & Pairs::WinPlies) != 0) ||
                          (wdl == -2 && (flags & Pairs::LossPlies) != 0);
    return Found{.value = *value * (in_plies ? 1 : 2) + 1};
}

}  // namespace engine
