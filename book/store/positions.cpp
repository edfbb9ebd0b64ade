#include "book/store/positions.h"

#include "book/store/edge_code.h"
#include "book/store/statement.h"

#include <algorithm>
#include <array>
#include <limits>

namespace book {
namespace {

constexpr std::size_t EdgesPerInsert = 64;  // most of the cost is per statement

std::string insert_edges(std::size_t rows, bool add) {
    std::string sql = "INSERT INTO edge (key, move, counts) VALUES ";
    for (std::size_t i = 0; i < rows; ++i)
        sql += i == 0 ? "(?,?,?)" : ",(?,?,?)";
    if (add)
        sql += " ON CONFLICT (key, move) DO UPDATE SET counts = sum_of_counts(counts, "
               "excluded.counts)";
    return sql;
}

Edge from_value(sqlite3_value* value) {
    return sqlite3_value_type(value) == SQLITE_INTEGER
               ? from_number(sqlite3_value_int64(value))
               : from_blob(sqlite3_value_blob(value), sqlite3_value_bytes(value));
}

// The SQL function sum_of_counts(a, b), called by C code: must not throw.
void sum_of_counts(sqlite3_context* context, int, sqlite3_value** values) noexcept {
    Edge sum = from_value(values[0]);
    sum.add(from_value(values[1]));
    std::array<char, MaxBlobBytes> bytes{};
    const std::size_t size = to_blob(sum, bytes);
    sqlite3_result_blob(context, bytes.data(), static_cast<int>(size), SQLITE_TRANSIENT);
}

// move, counts
Edge read_edge(RowReader& row) {
    const StoredMove move = row.integer();
    const SQLite::Column counts = row.column();
    Edge edge = counts.isInteger() ? from_number(counts.getInt64())
                                   : from_blob(counts.getBlob(), counts.getBytes());
    edge.move = move;
    return edge;
}

#define NODE_COLUMNS "bits, rank, n, exits, s0, s1, cp, cp_depth, cp_at, v, e, t, w"
Node read_node(RowReader& row) {
    return {.bits = static_cast<std::uint32_t>(row.int64()),
            .rank = row.integer(),
            .visits = row.int64(),
            .exits = row.int64(),
            .weight_sum = row.real(),
            .score_sum = row.real(),
            .cp = row.optional_integer(),
            .cp_depth = row.integer(),
            .cp_at = row.int64(),
            .value = row.real(),
            .evidence = row.real(),
            .clock = row.int64(),
            .exit_weight = row.real()};
}

#define VISIT_COLUMNS "move, child, n, exits, wins, draws, losses, w"
Visit read_visit(RowReader& row) {
    return {.move = row.integer(),
            .child = from_sql(row.int64()),
            .visits = row.int64(),
            .exits = row.int64(),
            .wins = row.int64(),
            .draws = row.int64(),
            .losses = row.int64(),
            .weight = row.real()};
}

#define ANALYSIS_COLUMNS "move, cp, depth, nodes, at, engine, source"
Analysis read_analysis(RowReader& row) {
    return {.move = row.integer(),
            .cp = row.integer(),
            .depth = row.integer(),
            .nodes = row.int64(),
            .at = row.int64(),
            .engine = row.text(),
            .source = row.int64()};
}

// key, side, class
NodeKey read_node_key(RowReader& row) {
    return {.key = from_sql(row.int64()),
            .side = static_cast<Color>(row.integer()),
            .time = static_cast<TimeClass>(row.integer())};
}

// A reader of rows that begin with the time class: pairs it with the result of `read`.
template <typename Read>
auto with_time_class(Read read) {
    return [read](RowReader& row) {
        const auto time = static_cast<TimeClass>(row.integer());
        return std::pair(time, read(row));
    };
}

}  // namespace

void Edge::add(const Edge& more) {
    white += more.white;
    draws += more.draws;
    black += more.black;
    unknown += more.unknown;
    rated += more.rated;
    ratings += more.ratings;
    last = std::max(last, more.last);
}

struct Positions::Impl {
    explicit Impl(std::shared_ptr<SQLite::Database> shared) : connection(std::move(shared)) {
        db.createFunction("sum_of_counts", 2, true, nullptr, sum_of_counts);
    }
    void insert(std::span<const KeyedEdge> rows, bool all_new);

    std::shared_ptr<SQLite::Database> connection;
    SQLite::Database& db = *connection;
    std::unique_ptr<SQLite::Statement> batch;  // of EdgesPerInsert edges
    bool batch_is_plain = false;               // does not add to rows that are there
    std::array<std::array<char, MaxBlobBytes>, EdgesPerInsert> blobs{};
    SQLite::Statement edges{db, "SELECT move, counts FROM edge WHERE key = ?1"};
    KeptStatement remove_edge{db, "DELETE FROM edge WHERE key = ?1 AND move = ?2"};
    SQLite::Statement analyses{db, "SELECT " ANALYSIS_COLUMNS " FROM analysis WHERE key = ?1"};
    KeptStatement set_analysis{
        db,
        "INSERT INTO analysis (key, move, cp, depth, nodes, engine, at, source)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        " ON CONFLICT (key, move) DO UPDATE SET cp = excluded.cp, depth = excluded.depth,"
        " nodes = excluded.nodes, engine = excluded.engine, at = excluded.at,"
        " source = excluded.source"
        " WHERE excluded.depth >= depth OR excluded.nodes >= nodes"};
    SQLite::Statement flags{db, "SELECT move, flags FROM flag WHERE key = ?1"};
    SQLite::Statement node{
        db, "SELECT " NODE_COLUMNS " FROM node WHERE key = ?1 AND side = ?2 AND class = ?3"};
    SQLite::Statement nodes{
        db, "SELECT class, " NODE_COLUMNS " FROM node WHERE key = ?1 AND side = ?2"};
    KeptStatement put_node{
        db,
        "INSERT OR REPLACE INTO node (key, side, class, " NODE_COLUMNS
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"};
    SQLite::Statement visits{
        db,
        "SELECT " VISIT_COLUMNS
        " FROM visit WHERE key = ?1 AND side = ?2 AND class = ?3 ORDER BY move"};
    SQLite::Statement visits_of_all_classes{
        db, "SELECT class, " VISIT_COLUMNS " FROM visit WHERE key = ?1 AND side = ?2"};
    KeptStatement add_visit{
        db,
        "INSERT INTO visit (key, side, class, " VISIT_COLUMNS
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
        " ON CONFLICT (key, side, class, move) DO UPDATE SET n = n + excluded.n,"
        " exits = exits + excluded.exits, wins = wins + excluded.wins,"
        " draws = draws + excluded.draws, losses = losses + excluded.losses,"
        " w = w + excluded.w"};
    SQLite::Statement parents{
        db, "SELECT key FROM visit WHERE child = ?1 AND side = ?2 AND class = ?3 AND n > 0"};
};

void Positions::Impl::insert(std::span<const KeyedEdge> rows, bool all_new) {
    // The statement for a full batch is kept, the one for the last few rows is not.
    std::unique_ptr<SQLite::Statement> rest;
    if (rows.size() != EdgesPerInsert) {
        rest = std::make_unique<SQLite::Statement>(db, insert_edges(rows.size(), !all_new));
    } else if (!batch || batch_is_plain != all_new) {
        batch = std::make_unique<SQLite::Statement>(db, insert_edges(rows.size(), !all_new));
        batch_is_plain = all_new;
    }
    SQLite::Statement& s = rest ? *rest : *batch;
    BoundStatement insert(s);
    int i = 0;
    std::size_t blob = 0;
    for (const KeyedEdge& e : rows) {
        s.bind(++i, to_sql(e.key));
        s.bind(++i, e.edge.move);
        if (const std::optional<std::int64_t> number = to_number(e.edge)) {
            s.bind(++i, *number);
        } else {  // the bytes must stay until the statement has run
            std::array<char, MaxBlobBytes>& bytes = blobs[blob++];
            const std::size_t size = to_blob(e.edge, bytes);
            s.bindNoCopy(++i, bytes.data(), static_cast<int>(size));
        }
    }
    insert.run();
}

Positions::Positions(Database& db) : impl_(std::make_unique<Impl>(db.connection())) {}
Positions::Positions(Positions&&) noexcept = default;
Positions& Positions::operator=(Positions&&) noexcept = default;
Positions::~Positions() = default;

std::vector<Edge> Positions::edges(Key key) {
    return all_rows(impl_->edges, read_edge, to_sql(key));
}

void Positions::add_edges(std::span<const KeyedEdge> edges, bool all_new) {
    for (; !edges.empty(); edges = edges.subspan(std::min(EdgesPerInsert, edges.size())))
        impl_->insert(edges.first(std::min(EdgesPerInsert, edges.size())), all_new);
}

void Positions::replace_edge(const KeyedEdge& e) {
    run(*impl_->remove_edge, to_sql(e.key), e.edge.move);
    if (e.edge.games() > 0)
        add_edges(std::span(&e, 1), true);
}

bool Positions::has_edges() {
    return impl_->db.execAndGet("SELECT EXISTS (SELECT 1 FROM edge)").getInt() != 0;
}

void Positions::each_edge(std::int64_t first,
                          std::int64_t last,
                          const std::function<bool(const KeyedEdge&)>& take) {
    SQLite::Statement s(impl_->db,
                        "SELECT key, move, counts FROM edge WHERE key BETWEEN ?1 AND ?2"
                        " ORDER BY key, move");
    BoundStatement bound(s, first, last);
    while (bound.step()) {
        RowReader row(s);
        const Key key = from_sql(row.int64());
        if (!take({.key = key, .edge = read_edge(row)}))
            break;
    }
}

std::vector<Analysis> Positions::analyses(Key key) {
    return all_rows(impl_->analyses, read_analysis, to_sql(key));
}

void Positions::set_analysis(Key key, const Analysis& a) {
    run(*impl_->set_analysis,
        to_sql(key),
        a.move,
        a.cp,
        a.depth,
        a.nodes,
        a.engine,
        a.at,
        a.source);
}

bool Positions::offer_analysis(Key key, const Analysis& a) {
    for (const Analysis& known : analyses(key))
        if (known.move == a.move && (known.source == 0 || known.depth >= a.depth))
            return false;
    set_analysis(key, a);
    return true;
}

std::map<std::int64_t, std::int64_t>
Positions::remove_analyses(std::span<const std::int64_t> sources) {
    auto removed = count_by_source(impl_->db, "analysis", sources);
    impl_->db.exec("DELETE FROM analysis WHERE " + of_sources(sources));
    return removed;
}

void Positions::keep_analyses(std::span<const std::int64_t> sources) {
    impl_->db.exec("UPDATE analysis SET source = 0 WHERE " + of_sources(sources));
}

void Positions::each_analysis(const std::function<void(Key, const Analysis&)>& take) {
    SQLite::Statement s(impl_->db, "SELECT key, " ANALYSIS_COLUMNS " FROM analysis");
    each_row(s, [&take](RowReader& row) {
        const Key key = from_sql(row.int64());
        take(key, read_analysis(row));
    });
}

std::vector<std::pair<StoredMove, int>> Positions::flags(Key key) {
    const auto read = [](RowReader& row) {
        const StoredMove move = row.integer();
        return std::pair(move, row.integer());
    };
    return all_rows(impl_->flags, read, to_sql(key));
}

int Positions::flags(Key key, StoredMove move) {
    for (const auto& [flagged, flags] : flags(key))
        if (flagged == move)
            return flags;
    return 0;
}

void Positions::set_flags(Key key, StoredMove move, int flags) {
    SQLite::Statement s(impl_->db,
                        flags == 0 ? "DELETE FROM flag WHERE key = ?1 AND move = ?2 AND ?3 = 0"
                                   : "INSERT OR REPLACE INTO flag VALUES (?1, ?2, ?3)");
    run(s, to_sql(key), move, flags);
}

void Positions::each_flag(const std::function<void(Key, StoredMove, int)>& take) {
    SQLite::Statement s(impl_->db, "SELECT key, move, flags FROM flag");
    each_row(s, [&take](RowReader& row) {
        const Key key = from_sql(row.int64());
        const StoredMove move = row.integer();
        take(key, move, row.integer());
    });
}

std::optional<Node> Positions::node(const NodeKey& k) {
    return first_row(impl_->node, read_node, to_sql(k.key), int{k.side}, static_cast<int>(k.time));
}

std::vector<std::pair<TimeClass, Node>> Positions::nodes(Key key, Color side) {
    return all_rows(impl_->nodes, with_time_class(read_node), to_sql(key), int{side});
}

void Positions::put_node(const NodeKey& k, const Node& node) {
    run(*impl_->put_node,
        to_sql(k.key),
        int{k.side},
        static_cast<int>(k.time),
        node.bits,
        node.rank,
        node.visits,
        node.exits,
        node.weight_sum,
        node.score_sum,
        node.cp,
        node.cp_depth,
        node.cp_at,
        node.value,
        node.evidence,
        node.clock,
        node.exit_weight);
}

void Positions::each_node(const std::function<void(const NodeKey&, const Node&)>& take) {
    SQLite::Statement s(impl_->db,
                        "SELECT key, side, class, " NODE_COLUMNS
                        " FROM node ORDER BY rank DESC, key, side, class");
    each_row(s, [&take](RowReader& row) {
        const NodeKey key = read_node_key(row);
        take(key, read_node(row));
    });
}

std::vector<Visit> Positions::visits(const NodeKey& k) {
    return all_rows(
        impl_->visits, read_visit, to_sql(k.key), int{k.side}, static_cast<int>(k.time));
}

std::vector<std::pair<TimeClass, Visit>> Positions::visits(Key key, Color side) {
    return all_rows(
        impl_->visits_of_all_classes, with_time_class(read_visit), to_sql(key), int{side});
}

void Positions::add_visit(const NodeKey& from, const Visit& v) {
    run(*impl_->add_visit,
        to_sql(from.key),
        int{from.side},
        static_cast<int>(from.time),
        v.move,
        to_sql(v.child),
        v.visits,
        v.exits,
        v.wins,
        v.draws,
        v.losses,
        v.weight);
}

void Positions::each_visit(const std::function<void(const NodeKey&, const Visit&)>& take) {
    SQLite::Statement s(impl_->db,
                        "SELECT key, side, class, " VISIT_COLUMNS
                        " FROM visit ORDER BY key, side, class, move");
    each_row(s, [&take](RowReader& row) {
        const NodeKey key = read_node_key(row);
        take(key, read_visit(row));
    });
}

std::vector<Key> Positions::parents(const NodeKey& child) {
    return all_rows(
        impl_->parents,
        [](RowReader& row) { return from_sql(row.int64()); },
        to_sql(child.key),
        int{child.side},
        static_cast<int>(child.time));
}

void Positions::clear_own_games() {
    impl_->db.exec("DELETE FROM node; DELETE FROM visit");
}

Positions::Counts Positions::counts() {
    const auto count = [this](const char* sql) { return impl_->db.execAndGet(sql).getInt64(); };
    Counts counts{.nodes = count("SELECT count(*) FROM node"),
                  .visits = count("SELECT count(*) FROM visit"),
                  .analyses = count("SELECT count(*) FROM analysis")};
    std::optional<Key> last;
    using Limits = std::numeric_limits<std::int64_t>;
    each_edge(Limits::min(), Limits::max(), [&](const KeyedEdge& e) {
        counts.positions += e.key != last ? 1 : 0;
        last = e.key;
        ++counts.edges;
        counts.occurrences += e.edge.games();
        return true;
    });
    return counts;
}

}  // namespace book
