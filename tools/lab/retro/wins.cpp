#include "tools/lab/retro/wins.h"

#include <bit>

namespace tools::retro {
namespace {

static_assert(std::endian::native == std::endian::little);  // of the words in files

PackedFile file(const std::string& path, const std::string& ending) {
    // Hundreds of megabytes, for some minutes: fast is better than small.
    return {.path = path, .kind = "Nutcracker wins 1\n", .ending = ending, .level = 1};
}

}  // namespace

Wins::Wins(const Ending& ending, std::array<Table, 2> tables)
    : name_(ending.name()), tables_(std::move(tables)) {
    for (const Color attacker : {engine::White, engine::Black}) {
        const auto& men = tables_[attacker]->men();
        std::array<bool, MaxMen> used{};
        for (std::size_t i = 0; i < men.size(); ++i) {
            const Man wanted{men[i].attacks ? attacker : ~attacker, men[i].type};
            std::size_t own = 2;
            while (used[own] || !(ending[own] == wanted))
                ++own;
            used[own] = true;
            order_[attacker][i] = own;
        }
    }
}

engine::WinMaterial Wins::material(const Ending& ending, Color attacker) {
    engine::WinMaterial material;
    for (std::size_t i = 2; i < ending.size(); ++i)
        ++material.count[ending[i].color == attacker ? 0 : 1][ending[i].type];
    return material;
}

WinPlacement Wins::seen_by(Color attacker, const Squares& squares) const {
    const int flip = attacker == engine::White ? 0 : 56;
    WinPlacement placement{squares[attacker] ^ flip, squares[~attacker] ^ flip};
    for (std::size_t i = 0; i < tables_[attacker]->men().size(); ++i)
        placement.men[i] = squares[order_[attacker][i]] ^ flip;
    return placement;
}

Value Wins::value(Color side, const Squares& squares) const {
    const engine::WinTable& own = *tables_[side];
    const WinPlacement at = seen_by(side, squares);
    const Bitboard target = engine::bit(at.target);
    if ((own.legal(at.king, at.men) & target) == 0)
        return Illegal;
    if ((own.open(at.king, at.men) & target) == 0)
        return won_in(own.has_distances() ? own.won_plies(own.place(at.king, at.men), at.target)
                                          : 1);
    const engine::WinTable& other = *tables_[~side];
    const WinPlacement from = seen_by(~side, squares);
    if ((other.lost(from.king, from.men) & engine::bit(from.target)) == 0)
        return 0;
    return lost_in(other.has_distances()
                       ? other.lost_plies(other.place(from.king, from.men), from.target)
                       : 1);
}

Result<void> Wins::save(const std::string& path) const {
    std::vector<std::span<const char>> parts;
    for (const Table& table : tables_)
        for (const std::span<const Bitboard> words : table->words())
            parts.emplace_back(reinterpret_cast<const char*>(words.data()), words.size_bytes());
    return save_packed(file(path, name_), parts);
}

Result<Wins> Wins::load(const std::string& path, const Ending& ending) {
    std::array<Table, 2> tables;
    std::vector<std::span<char>> parts;
    for (const Color attacker : {engine::White, engine::Black}) {
        auto table = std::make_shared<engine::WinTable>(material(ending, attacker), false);
        for (const std::span<Bitboard> words : table->words())
            parts.emplace_back(reinterpret_cast<char*>(words.data()), words.size_bytes());
        tables[attacker] = std::move(table);
    }
    const Result<void> loaded = load_packed(file(path, ending.name()), parts);
    if (!loaded)
        return fail(loaded.error().what);
    return Wins(ending, tables);
}

}  // namespace tools::retro
