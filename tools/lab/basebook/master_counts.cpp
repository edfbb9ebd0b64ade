#include "tools/lab/basebook/master_counts.h"

#include "book/import/filter.h"
#include "book/import/pgn_source.h"
#include "book/model/key.h"
#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/common/move_tree.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include <fmt/format.h>

namespace tools::basebook {
namespace {

using engine::Key;
using engine::Move;
using Table = std::unordered_map<Key, std::vector<CountedMove>>;

constexpr std::string_view Head = "# base counts 1";

std::string place(const std::string& file, std::int64_t line) {
    return line > 0 ? fmt::format("{} line {}", file, line) : file;
}

void count_move(std::vector<CountedMove>& moves, Move move) {
    const auto known = std::find_if(
        moves.begin(), moves.end(), [move](const CountedMove& m) { return m.move == move; });
    if (known == moves.end())
        moves.push_back({.move = move, .games = 1});
    else
        ++known->games;
}

// Games that are missing would change the table.
void check_complete(const std::string& file, const book::PgnReader& reader) {
    for (const book::TextRemark& remark : reader.remarks())
        if (remark.lost)
            throw Failure(fmt::format("{}: {}", place(file, remark.line), remark.what));
}

// Returns the number of distinct games.
std::size_t count_files(const std::vector<std::filesystem::path>& files,
                        int max_ply,
                        Table& table,
                        CountedGames& counted) {
    std::unordered_set<std::int64_t> seen;
    for (const std::filesystem::path& path : files) {
        const book::GamesFile file = book::open_games(path);
        book::PgnReader reader(file.read, file.trouble);
        for (book::PgnGame game; reader.next(game);) {
            if (!game.trouble.empty()) {
                if (++counted.bad == 1)
                    counted.first_bad =
                        fmt::format("{}: {}", place(file.name, game.trouble_line), game.trouble);
                continue;
            }
            if (game.keys.empty() || game.keys[0] != engine::Position().key() ||
                !seen.insert(book::game_hash(game, book::Duplicates::ByGame)).second)
                continue;
            const std::size_t plies =
                std::min(game.moves.size(), static_cast<std::size_t>(max_ply));
            for (std::size_t i = 0; i < plies; ++i)
                count_move(table[game.keys[i]], game.moves[i]);
        }
        check_complete(file.name, reader);
    }
    return seen.size();
}

bool more_games(const CountedMove& a, const CountedMove& b) {
    return a.games != b.games ? a.games > b.games : a.move.raw() < b.move.raw();
}

}  // namespace

const std::vector<CountedMove>& MasterCounts::moves(Key key) const {
    static const std::vector<CountedMove> None;
    const auto found = table_.find(key);
    return found == table_.end() ? None : found->second;
}

int MasterCounts::games(Key key) const {
    int sum = 0;
    for (const CountedMove& move : moves(key))
        sum += move.games;
    return sum;
}

int MasterCounts::games(Key key, Move move) const {
    for (const CountedMove& counted : moves(key))
        if (counted.move == move)
            return counted.games;
    return 0;
}

CountedGames count_games(const std::vector<std::filesystem::path>& files, const CountRules& rules) {
    Table table;
    CountedGames counted;
    const std::size_t games = count_files(files, rules.max_ply, table, counted);
    for (auto& [key, moves] : table) {
        std::erase_if(moves, [&](const CountedMove& m) { return m.games < rules.min_games; });
        std::sort(moves.begin(), moves.end(), more_games);
    }
    std::string& text = counted.text;
    text = fmt::format("{}; {} games, {} plies, moves of {} games or more\n",
                       Head,
                       games,
                       rules.max_ply,
                       rules.min_games);
    std::unordered_set<Key> written{engine::Position().key()};
    const std::function<void(const engine::Position&, int)> write = [&](const engine::Position& pos,
                                                                        int ply) {
        for (const CountedMove& m : table[pos.key()]) {
            engine::Position after = pos;
            after.make(m.move);
            const auto next = table.find(after.key());
            const bool known = next != table.end() && !next->second.empty();
            const bool repeated = known && !written.insert(after.key()).second;
            text += fmt::format(
                "{} {}{} {}\n", ply, repeated ? "=" : "", engine::to_san(pos, m.move), m.games);
            if (known && !repeated)
                write(after, ply + 1);
        }
    };
    write(engine::Position(), 1);
    return counted;
}

MasterCounts read_counts(std::string_view text) {
    MasterCounts counts;
    if (!text.starts_with(Head))
        throw Failure(fmt::format("line 1: \"{}\" expected", Head));
    MoveTree tree;
    int number = 0;
    for (const std::string& line : split(text, '\n')) {
        ++number;
        const auto words = fields(line);
        if (number == 1 || words.empty())
            continue;
        const auto ply =
            number > 1 && words.size() == 3 ? tools::number<int>(words[0]) : std::nullopt;
        const auto games = words.size() == 3 ? tools::number<int>(words[2]) : std::nullopt;
        if (!ply || !games || *games < 1)
            throw Failure(fmt::format("line {}: not \"PLY MOVE GAMES\": {}", number, line));
        std::string_view san = words[1];
        if (san.starts_with('='))
            san.remove_prefix(1);
        const auto step = to_result([&] { return tree.step(*ply, san); });
        if (!step)
            throw Failure(fmt::format("line {}: {}", number, step.error().what));
        counts.add(step->before.key(), {.move = step->move, .games = *games});
    }
    book::Digest digest;
    digest.add(text);
    counts.digest = fmt::format("{:016x}", digest.finish_word());
    return counts;
}

}  // namespace tools::basebook
