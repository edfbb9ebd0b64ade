#include "book/import/polyglot.h"

#include "book/learn/learn.h"
#include "engine/board/movegen.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <set>

namespace book {
namespace {

constexpr std::size_t EntryBytes = 16;
constexpr double MostWeight = 0xFFFF;

struct Entry {
    Key key = 0;
    std::uint16_t move = 0, weight = 0;
};

template <typename Number>
void put_big_endian(std::string& bytes, Number number) {
    for (int shift = 8 * static_cast<int>(sizeof(Number)) - 8; shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift & 0xFF);
}
std::uint64_t big_endian(const char* bytes, int count) {
    std::uint64_t number = 0;
    for (int i = 0; i < count; ++i)
        number = number << 8 | static_cast<unsigned char>(bytes[i]);
    return number;
}

struct Move16 {
    StoredMove move = 0;
    double wins = 0, draws = 0, games = 0;  // the mover's
};

// Moves of one position after another, on their way into the file.
class Writer {
  public:
    Writer(const PolyglotOptions& options, std::ofstream& out) : options_(options), out_(out) {}

    void add(const KeyedEdge& e) {
        if (e.key != key_)
            flush();
        key_ = e.key;
        const bool white = mover(e.edge.move) == engine::White;
        moves_.push_back(
            {.move = e.edge.move,
             .wins = static_cast<double>(white ? e.edge.white : e.edge.black),
             .draws = static_cast<double>(e.edge.draws + e.edge.unknown),  // as PolyGlot does
             .games = static_cast<double>(e.edge.games())});
    }
    // Moves of own games, which may be new to a position.
    void add_own(Key key, const std::vector<Visit>& visits) {
        if (key != key_)
            flush();
        key_ = key;
        for (const Visit& v : visits) {
            auto known = std::find_if(
                moves_.begin(), moves_.end(), [&v](const Move16& m) { return m.move == v.move; });
            if (known == moves_.end())
                known = moves_.insert(moves_.end(), {.move = v.move});
            known->wins += static_cast<double>(v.wins);
            known->draws += static_cast<double>(v.draws);
            known->games += static_cast<double>(v.n);
        }
    }
    void flush() {
        const auto weight = [](const Move16& m) { return 2 * m.wins + m.draws; };
        double most = 0;
        for (const Move16& m : moves_)
            most = std::max(most, weight(m));
        const double scale = most > MostWeight ? MostWeight / most : 1;
        std::vector<Entry> entries;
        for (const Move16& m : moves_) {
            const bool white = mover(m.move) == engine::White;
            if (m.games < options_.min_games || weight(m) < options_.min_score ||
                (white ? !options_.white : !options_.black))
                continue;
            const auto scaled = static_cast<std::uint16_t>(scale * weight(m));
            if (scaled > 0)
                entries.push_back({.key = key_,
                                   .move = to_polyglot(stored_move(m.move)),
                                   .weight = options_.uniform ? std::uint16_t{1} : scaled});
        }
        std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return a.weight != b.weight ? a.weight > b.weight : a.move < b.move;
        });
        std::string bytes;
        for (const Entry& e : entries) {
            put_big_endian(bytes, e.key);
            put_big_endian(bytes, e.move);
            put_big_endian(bytes, e.weight);
            put_big_endian(bytes, std::uint32_t{0});
        }
        out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        written_ += static_cast<std::int64_t>(entries.size());
        moves_.clear();
    }
    [[nodiscard]] std::int64_t written() const { return written_; }

  private:
    const PolyglotOptions& options_;
    std::ofstream& out_;
    Key key_ = 0;
    std::vector<Move16> moves_;
    std::int64_t written_ = 0;
};

// Own moves of the side to move, by signed key.
Result<std::map<std::int64_t, std::vector<Visit>>> own_moves(Store& store) {
    std::map<std::int64_t, std::vector<Visit>> own;
    const Result<void> read =
        store.positions->each_visit([&own](const NodeKey& name, const Visit& v) {
            if (mover(v.move) == name.side)
                own[to_sql(name.key)].push_back(v);
        });
    if (!read)
        return tl::unexpected<Error>(read.error());
    return own;
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

Result<std::int64_t>
export_polyglot(Store& store, const std::filesystem::path& file, const PolyglotOptions& options) {
    std::filesystem::path unfinished = file;
    unfinished += ".part";
    std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
    Writer writer(options, out);
    std::map<std::int64_t, std::vector<Visit>> own;
    if (options.experience) {
        Result<std::map<std::int64_t, std::vector<Visit>>> moves = own_moves(store);
        if (!moves)
            return tl::unexpected<Error>(moves.error());
        own = std::move(*moves);
    }
    // The file is in order of unsigned keys, the table of signed ones: its second half comes first.
    using Limits = std::numeric_limits<std::int64_t>;
    for (const auto& [first, last] :
         {std::pair{std::int64_t{0}, Limits::max()}, std::pair{Limits::min(), std::int64_t{-1}}}) {
        auto next_own = own.lower_bound(first);
        const auto own_up_to = [&](std::int64_t key) {
            for (; next_own != own.end() && next_own->first <= key; ++next_own)
                writer.add_own(from_sql(next_own->first), next_own->second);
        };
        const Result<void> read = store.positions->each_edge(first, last, [&](const KeyedEdge& e) {
            if (to_sql(e.key) > Limits::min())
                own_up_to(to_sql(e.key) - 1);
            writer.add(e);
            return out.good();
        });
        if (!read)
            return tl::unexpected<Error>(read.error());
        own_up_to(last);
        writer.flush();
    }
    out.close();
    std::error_code error;
    if (!out.fail())
        std::filesystem::rename(unfinished, file, error);
    if (out.fail() || error) {
        const std::string why = std::strerror(errno);
        std::filesystem::remove(unfinished, error);
        return fail("\"" + file.string() + "\" cannot be written: " + why);
    }
    return writer.written();
}

namespace {

Result<std::multimap<Key, Entry>> read_entries(const std::filesystem::path& file,
                                               std::string& digest) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return fail("\"" + file.string() + "\" cannot be read");
    std::multimap<Key, Entry> entries;
    Digest whole;
    std::array<char, EntryBytes> bytes{};
    while (in.read(bytes.data(), bytes.size())) {
        whole.add(std::string_view(bytes.data(), bytes.size()));
        const Entry e{.key = big_endian(bytes.data(), 8),
                      .move = static_cast<std::uint16_t>(big_endian(bytes.data() + 8, 2)),
                      .weight = static_cast<std::uint16_t>(big_endian(bytes.data() + 10, 2))};
        if (e.key != 0 && e.move != 0)  // key 0: a header of newer programs
            entries.emplace(e.key, e);
    }
    if (in.gcount() != 0 || entries.empty())
        return fail("\"" + file.string() + "\" is no PolyGlot book");
    digest = whole.finish();
    return entries;
}

// The entries of positions that moves of the book lead to from the start, sorted as the book keeps
// them.
std::vector<KeyedEdge> reachable(const std::multimap<Key, Entry>& entries) {
    std::vector<KeyedEdge> edges;
    std::vector<engine::Position> to_visit{engine::Position()};
    std::set<Key> visited{to_visit.front().key()};
    while (!to_visit.empty()) {
        const engine::Position pos = to_visit.back();
        to_visit.pop_back();
        const auto [first, last] = entries.equal_range(pos.key());
        for (auto at = first; at != last; ++at) {
            const Move m = from_polyglot(pos, at->second.move);
            if (!m)
                continue;
            Edge edge{.move = book::store(m, pos.side_to_move())};
            edge.draws = std::max(1, at->second.weight / 2);
            edges.push_back({.key = pos.key(), .edge = edge});
            engine::Position after = pos;
            after.make(m);
            if (visited.insert(after.key()).second)
                to_visit.push_back(after);
        }
    }
    std::sort(edges.begin(), edges.end(), [](const KeyedEdge& a, const KeyedEdge& b) {
        return std::pair(to_sql(a.key), a.edge.move) < std::pair(to_sql(b.key), b.edge.move);
    });
    return edges;
}

}  // namespace

Result<PolyglotImport> import_polyglot(Store& store, const std::filesystem::path& file) {
    std::string digest;
    const Result<std::multimap<Key, Entry>> entries = read_entries(file, digest);
    if (!entries)
        return tl::unexpected<Error>(entries.error());
    PolyglotImport report{.entries = static_cast<std::int64_t>(entries->size())};
    const std::vector<KeyedEdge> edges = reachable(*entries);
    std::int64_t games = 0;
    for (const KeyedEdge& e : edges)
        games += e.edge.draws;
    report.taken = static_cast<std::int64_t>(edges.size());
    report.unreachable = report.entries - report.taken;

    Result<Transaction> transaction = begin_writing(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    const Result<std::vector<Source>> sources = store.games->sources();
    if (!sources)
        return tl::unexpected<Error>(sources.error());
    for (const Source& known : *sources)
        if (known.digest == digest)
            return PolyglotImport{.entries = report.entries, .taken = 0, .unreachable = 0};
    using std::chrono::system_clock;
    Result<void> done = store.positions->add_edges(edges, false);
    if (done)
        done = store.games->add_source(
            {.kind = "polyglot",
             .name = file.string(),
             .digest = digest,
             .bytes = static_cast<std::int64_t>(EntryBytes) * report.entries,
             .added = system_clock::to_time_t(system_clock::now()),
             .games = 0,
             .moves = games});
    if (done)
        done = rebuild_derived(store);
    if (done)
        done = transaction->commit();
    if (!done)
        return tl::unexpected<Error>(done.error());
    return report;
}

}  // namespace book
