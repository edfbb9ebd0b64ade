#include "engine/syzygy/syzygy.h"

#include "engine/board/movegen.h"
#include "engine/platform/file.h"

#include <filesystem>

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr int sign(int n) {
    return (n > 0) - (n < 0);
}
// The distance of a position whose best move is a capture or pawn move.
constexpr int zeroing_now(Wdl wdl) {
    constexpr std::array<int, 5> Distance = {-1, -101, 0, 101, 1};
    return Distance[static_cast<std::size_t>(static_cast<int>(wdl) + 2)];
}
bool is_zeroing(const Position& pos, Move m) {
    return pos.is_capture(m) || type_of(pos.piece_on(m.from())) == Pawn;
}

}  // namespace

Result<std::shared_ptr<const Syzygy>> Syzygy::open(const std::string& folders) {
    auto tables = std::make_shared<Syzygy>();
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end =
            std::min(folders.find(platform::ListSeparator, begin), folders.size());
        const std::string folder = folders.substr(begin, end - begin);
        begin = end + 1;
        std::error_code error;
        fs::directory_iterator entries(platform::long_path(folder), error);
        for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
            const fs::path& path = entries->path();
            const std::string extension = path.extension().string();
            if (extension == ".rtbw" || extension == ".rtbz")
                tables->add(path.string(),
                            path.stem().string(),
                            extension == ".rtbw" ? SyzygyTable::Kind::Wdl : SyzygyTable::Kind::Dtz);
        }
        if (error)
            return fail("no tables can be read from the folder \"" + folder +
                        "\": " + error.message());
    }
    if (tables->max_men_ == 0)
        return fail(tables->refused_.empty() ? "no Syzygy tables in \"" + folders + '"'
                                             : tables->refused_.front());
    return std::shared_ptr<const Syzygy>(std::move(tables));
}

void Syzygy::add(const std::string& path, const std::string& name, SyzygyTable::Kind kind) {
    const std::optional<PieceCounts> material = PieceCounts::from_name(name);
    if (!material)
        return;
    Ending& ending = endings_[material->key()];
    std::unique_ptr<SyzygyTable>& slot = kind == SyzygyTable::Kind::Wdl ? ending.wdl : ending.dtz;
    if (slot)
        return;
    Result<std::unique_ptr<SyzygyTable>> table = SyzygyTable::open(path, *material, kind);
    if (!table) {
        refused_.push_back("the table " + path + ' ' + table.error().what);
        return;
    }
    slot = std::move(*table);
    ++count_;
    if (kind == SyzygyTable::Kind::Wdl)
        max_men_ = std::max(max_men_, material->men());
}

const Syzygy::Ending* Syzygy::find(const Position& pos) const {
    const PieceCounts material = PieceCounts::of(pos);
    auto found = endings_.find(material.key());
    if (found == endings_.end())
        found = endings_.find(material.swapped().key());
    return found == endings_.end() ? nullptr : &found->second;
}

std::optional<Wdl> Syzygy::wdl(const Position& pos) const {
    if (popcount(pos.pieces()) > max_men_ || pos.castling_rights() != 0)
        return std::nullopt;
    const std::optional<Resolved> resolved = resolve(pos, false);
    return resolved ? std::optional(resolved->value) : std::nullopt;
}

// The tables may hold any value where a capture is at least as good, and ignore en passant, so
// captures are searched until there are none.
std::optional<Syzygy::Resolved> Syzygy::resolve(const Position& pos, bool pawn_moves) const {
    if (popcount(pos.pieces()) == 2)
        return Resolved{Wdl::Drawn, false};
    Wdl best = Wdl::Loss;
    std::size_t tried = 0;
    const MoveList moves = legal_moves(pos);
    for (const Move m : moves) {
        if (!(pawn_moves ? is_zeroing(pos, m) : pos.is_capture(m)))
            continue;
        ++tried;
        Position next = pos;
        next.make(m);
        const std::optional<Resolved> after = resolve(next, false);
        if (!after)
            return std::nullopt;
        best = std::max(best, -after->value);
        if (best == Wdl::Win)
            return Resolved{best, true};
    }
    // If there is no other move, the table may hold any value, since it ignores en passant.
    if (tried > 0 && tried == moves.size())
        return Resolved{best, true};
    const Ending* const ending = find(pos);
    const std::optional<int> value =
        ending != nullptr && ending->wdl ? ending->wdl->wdl(pos) : std::nullopt;
    if (!value)
        return std::nullopt;
    const auto stored = static_cast<Wdl>(*value);
    return tried > 0 && best >= stored ? Resolved{best, best > Wdl::Drawn}
                                       : Resolved{stored, false};
}

std::optional<int> Syzygy::dtz(const Position& pos) const {
    if (popcount(pos.pieces()) > max_men_ || pos.castling_rights() != 0)
        return std::nullopt;
    const std::optional<Resolved> resolved = resolve(pos, true);
    if (!resolved || resolved->value == Wdl::Drawn)
        return resolved ? std::optional(0) : std::nullopt;
    if (resolved->zeroing)
        return zeroing_now(resolved->value);
    const Ending* const ending = find(pos);
    if (ending == nullptr || !ending->dtz)
        return std::nullopt;
    const int wdl = static_cast<int>(resolved->value);
    const std::optional<SyzygyTable::Found> found = ending->dtz->dtz(pos, wdl);
    if (!found)
        return std::nullopt;
    if (found->other_side)
        return dtz_by_moves(pos, resolved->value);
    return sign(wdl) * (found->value + (std::abs(wdl) == 1 ? 100 : 0));
}

// The table has only the other side to move: takes the best of the positions after our moves.
std::optional<int> Syzygy::dtz_by_moves(const Position& pos, Wdl wdl) const {
    const int wanted = sign(static_cast<int>(wdl));
    std::optional<int> best;
    for (const Move m : legal_moves(pos)) {
        Position next = pos;
        const std::optional<int> distance = dtz_after(next, m);
        if (!distance)
            return std::nullopt;
        if (sign(*distance) == wanted && (!best || *distance < *best))
            best = distance;
    }
    return best.value_or(-1);  // no move: checkmate
}

// The distance for the side that moves: after a capture or pawn move it counts from there.
std::optional<int> Syzygy::dtz_after(Position& pos, Move m) const {
    if (is_zeroing(pos, m)) {
        pos.make(m);
        const std::optional<Wdl> after = wdl(pos);
        return after ? std::optional(zeroing_now(-*after)) : std::nullopt;
    }
    pos.make(m);
    if (is_checkmate(pos))
        return 1;
    const std::optional<int> after = dtz(pos);
    return after ? std::optional(-*after + sign(-*after)) : std::nullopt;
}

}  // namespace engine
