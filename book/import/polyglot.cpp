#include "book/import/polyglot.h"

#include "book/import/kept_games.h"
#include "book/learn/learn.h"
#include "book/model/polyglot_entry.h"
#include "book/store/changes.h"
#include "book/store/failure.h"
#include "engine/board/movegen.h"
#include "engine/platform/file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

namespace book {
namespace {

constexpr double MaxWeight = 0xFFFF;

struct CountedMove {
    StoredMove move = 0;
    double wins = 0, draws = 0, games = 0;  // the mover's
    [[nodiscard]] double weight() const { return 2 * wins + draws; }
};

// Collects the moves of a position and writes them when the next position begins.
class EntryWriter {
  public:
    EntryWriter(Store& store, const PolyglotOptions& options, std::ofstream& out)
        : options_(options), out_(out) {
        store.positions.each_flag([this](Key key, StoredMove move, int flags) {
            if ((flags & Never) != 0)
                never_.emplace(key, move);
        });
    }

    void add(const KeyedEdge& e) {
        begin(e.key);
        const bool white = mover(e.edge.move) == engine::White;
        moves_.push_back(
            {.move = e.edge.move,
             .wins = static_cast<double>(white ? e.edge.white : e.edge.black),
             .draws = static_cast<double>(e.edge.draws + e.edge.unknown),  // as PolyGlot does
             .games = static_cast<double>(e.edge.games())});
    }
    // Adds moves of own games to those imported.
    void add_own(Key key, const std::vector<Visit>& visits) {
        begin(key);
        for (const Visit& v : visits) {
            auto known = std::find_if(moves_.begin(), moves_.end(), [&v](const CountedMove& m) {
                return m.move == v.move;
            });
            if (known == moves_.end())
                known = moves_.insert(moves_.end(), {.move = v.move});
            known->wins += static_cast<double>(v.wins);
            known->draws += static_cast<double>(v.draws);
            known->games += static_cast<double>(v.visits);
        }
    }
    void flush() {
        double max = 0;
        for (const CountedMove& m : moves_)
            max = std::max(max, m.weight());
        const double scale = max > MaxWeight ? MaxWeight / max : 1;
        std::vector<PolyglotEntry> entries;
        for (const CountedMove& m : moves_) {
            const bool white = mover(m.move) == engine::White;
            if (m.games < options_.min_games || m.weight() < options_.min_score ||
                (white ? !options_.white : !options_.black) || never_.contains({key_, m.move}))
                continue;
            const auto scaled = static_cast<std::uint16_t>(scale * m.weight());
            if (scaled > 0)
                entries.push_back({.key = key_,
                                   .move = to_polyglot(stored_move(m.move)),
                                   .weight = options_.uniform ? std::uint16_t{1} : scaled});
        }
        std::stable_sort(
            entries.begin(), entries.end(), [](const PolyglotEntry& a, const PolyglotEntry& b) {
                return a.weight != b.weight ? a.weight > b.weight : a.move < b.move;
            });
        std::string bytes;
        for (const PolyglotEntry& e : entries)
            append(bytes, e);
        out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        written_ += static_cast<std::int64_t>(entries.size());
        moves_.clear();
    }
    [[nodiscard]] std::int64_t written() const { return written_; }

  private:
    void begin(Key key) {
        if (key != key_)
            flush();
        key_ = key;
    }

    const PolyglotOptions& options_;
    std::ofstream& out_;
    std::set<std::pair<Key, StoredMove>> never_;
    Key key_ = 0;
    std::vector<CountedMove> moves_;
    std::int64_t written_ = 0;
};

using OwnMoves = std::map<std::int64_t, std::vector<Visit>>;

// Moves of own games where we were to move, by signed key.
OwnMoves own_moves(Store& store) {
    OwnMoves own;
    store.positions.each_visit([&own](const NodeKey& from, const Visit& visit) {
        if (mover(visit.move) == from.side)
            own[to_sql(from.key)].push_back(visit);
    });
    return own;
}

// Writes all entries in order of the unsigned key; stops early if the file cannot be written.
void write_entries(Store& store, const OwnMoves& own, EntryWriter& writer, std::ofstream& out) {
    // The table is in order of signed keys: its second half comes first.
    using Limits = std::numeric_limits<std::int64_t>;
    for (const auto& [first, last] :
         {std::pair{std::int64_t{0}, Limits::max()}, std::pair{Limits::min(), std::int64_t{-1}}}) {
        auto next_own = own.lower_bound(first);
        const auto add_own_up_to = [&](std::int64_t key) {
            for (; next_own != own.end() && next_own->first <= key; ++next_own)
                writer.add_own(from_sql(next_own->first), next_own->second);
        };
        store.positions.each_edge(first, last, [&](const KeyedEdge& e) {
            if (to_sql(e.key) > Limits::min())
                add_own_up_to(to_sql(e.key) - 1);
            writer.add(e);
            return out.good();
        });
        add_own_up_to(last);
        writer.flush();
    }
}

}  // namespace

std::uint16_t to_polyglot(Move m) {
    const int promotion =
        m.kind() == engine::MoveKind::Promotion ? m.promoted() - engine::Knight + 1 : 0;
    return static_cast<std::uint16_t>(m.to() | m.from() << 6 | promotion << 12);
}

Move from_polyglot(const engine::Position& pos, std::uint16_t bits) {
    for (const Move m : engine::legal_moves(pos))
        if (to_polyglot(m) == bits)
            return m;
    return engine::NoMove;
}

namespace {

// Writes the file completely or not at all; no file if there are no entries.
std::int64_t write_book(const std::filesystem::path& file,
                        const std::function<std::int64_t(std::ofstream&)>& write) {
    std::filesystem::path unfinished = file;
    unfinished += ".part";
    std::error_code error;
    try {
        std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
        const std::int64_t entries = write(out);
        out.close();
        if (!out.fail() && entries > 0)
            std::filesystem::rename(unfinished, file, error);
        if (out.fail() || error)
            throw Failure(fmt::format(
                "\"{}\" cannot be written: {}", file.string(), engine::platform::error_text()));
        if (entries == 0)
            std::filesystem::remove(unfinished, error);
        return entries;
    } catch (...) {
        std::filesystem::remove(unfinished, error);
        throw;
    }
}

}  // namespace

std::int64_t
export_polyglot(Store& store, const std::filesystem::path& file, const PolyglotOptions& options) {
    return write_book(file, [&](std::ofstream& out) {
        EntryWriter writer(store, options, out);
        write_entries(store, options.experience ? own_moves(store) : OwnMoves(), writer, out);
        return writer.written();
    });
}

void write_polyglot(const std::filesystem::path& file, std::span<const WeightedMove> moves) {
    write_book(file, [&](std::ofstream& out) {
        std::string bytes;
        for (const WeightedMove& m : moves)
            append(bytes,
                   {.key = m.key,
                    .move = to_polyglot(m.move),
                    .weight = static_cast<std::uint16_t>(
                        std::clamp(std::round(MaxWeight * m.weight), 1.0, MaxWeight))});
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return static_cast<std::int64_t>(moves.size());
    });
}

namespace {

struct PolyglotFile {
    std::multimap<Key, PolyglotEntry> entries{};
    std::string digest{};
};

PolyglotFile read_polyglot(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        throw Failure("\"" + file.string() + "\" cannot be read");
    PolyglotFile read;
    Digest whole;
    std::array<char, PolyglotEntry::Bytes> bytes{};
    while (in.read(bytes.data(), bytes.size())) {
        whole.add(std::string_view(bytes.data(), bytes.size()));
        const PolyglotEntry e = polyglot_entry(bytes);
        if (e.key != 0 && e.move != 0)  // key 0: a header of newer programs
            read.entries.emplace(e.key, e);
    }
    if (in.bad())
        throw Failure("\"" + file.string() + "\" cannot be read to its end");
    if (in.gcount() != 0 || read.entries.empty())
        throw Failure("\"" + file.string() + "\" is not a PolyGlot book");
    read.digest = whole.finish();
    return read;
}

// The entries that are reached from the start position, in the order of the edge table: by moves of
// the file, and by any others that lead to a position of the file, since a book may have the moves
// of one side only.
std::vector<KeyedEdge> reachable(const std::multimap<Key, PolyglotEntry>& entries) {
    std::unordered_set<Key> known, visited;
    for (const auto& [key, entry] : entries)
        known.insert(key);
    std::vector<KeyedEdge> edges;
    std::vector<engine::Position> to_visit{engine::Position()};
    visited.insert(to_visit.front().key());
    while (!to_visit.empty()) {
        const engine::Position pos = to_visit.back();
        to_visit.pop_back();
        const auto [first, last] = known.contains(pos.key())
                                       ? entries.equal_range(pos.key())
                                       : std::pair(entries.end(), entries.end());
        for (const Move m : engine::legal_moves(pos)) {
            bool follow = false;
            for (auto at = first; at != last; ++at) {
                if (at->second.move != to_polyglot(m) || at->second.weight == 0)
                    continue;  // 0: not to be played
                Edge edge{.move = book::store(m, pos.side_to_move())};
                edge.draws = std::max(1, at->second.weight / 2);
                edges.push_back({.key = pos.key(), .edge = edge});
                follow = true;
            }
            engine::Position after = pos;
            after.make(m);
            if ((follow || known.contains(after.key())) && visited.insert(after.key()).second)
                to_visit.push_back(after);
        }
    }
    std::sort(edges.begin(), edges.end(), [](const KeyedEdge& a, const KeyedEdge& b) {
        return std::pair(to_sql(a.key), a.edge.move) < std::pair(to_sql(b.key), b.edge.move);
    });
    return edges;
}

}  // namespace

PolyglotImport import_polyglot(Store& store, const std::filesystem::path& file) {
    const PolyglotFile read = read_polyglot(file);
    PolyglotImport report{.entries = static_cast<std::int64_t>(read.entries.size())};
    const std::vector<KeyedEdge> edges = reachable(read.entries);
    std::int64_t games = 0;
    for (const KeyedEdge& e : edges)
        games += e.edge.draws;

    Transaction transaction(store.db);
    for (const Source& known : store.games.sources())
        if (known.digest == read.digest) {
            report.known = true;
            return report;
        }
    report.taken = static_cast<std::int64_t>(edges.size());
    report.unreachable = report.entries - report.taken;
    store.positions.add_edges(edges, false);
    const std::int64_t source = store.games.add_source(
        {.kind = "polyglot",
         .name = file.string(),
         .digest = read.digest,
         .bytes = static_cast<std::int64_t>(PolyglotEntry::Bytes) * report.entries,
         .added = seconds_now(),
         .games = 0,
         .moves = games});
    store.games.keep(source, pack_edges(edges));
    add_import(store.db, store.clock(), file.string(), {source});
    rebuild_derived(store);
    transaction.commit();
    return report;
}

}  // namespace book
