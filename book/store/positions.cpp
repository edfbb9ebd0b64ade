#include "book/store/positions.h"

#include "book/store/edge_code.h"
#include "book/store/statement.h"

#include <algorithm>

#include <sqlite3.h>

namespace book {
namespace {

constexpr std::size_t EdgesAtOnce =
    64;  // rows an INSERT carries: most of the cost is per statement

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

// SQL's sum_of_counts(a, b).
void sum_of_counts(sqlite3_context* context, int, sqlite3_value** values) {
    Edge sum = from_value(values[0]);
    const Edge more = from_value(values[1]);
    sum.white += more.white;
    sum.draws += more.draws;
    sum.black += more.black;
    sum.unknown += more.unknown;
    sum.rated += more.rated;
    sum.ratings += more.ratings;
    sum.last = std::max(sum.last, more.last);
    std::array<char, MostBlobBytes> bytes{};
    const std::size_t size = to_blob(sum, bytes);
    sqlite3_result_blob(context, bytes.data(), static_cast<int>(size), SQLITE_TRANSIENT);
}

Edge read_edge(SQLite::Statement& s, int first) {
    const SQLite::Column counts = s.getColumn(first + 1);
    Edge e = counts.isInteger() ? from_number(counts.getInt64())
                                : from_blob(counts.getBlob(), counts.getBytes());
    e.move = column(s, first);
    return e;
}

Node read_node(SQLite::Statement& s, int first) {
    Node node{.bits = s.getColumn(first).getUInt(),
              .rank = column(s, first + 1),
              .n = long_column(s, first + 2),
              .exits = long_column(s, first + 3),
              .s0 = s.getColumn(first + 4).getDouble(),
              .s1 = s.getColumn(first + 5).getDouble(),
              .cp = std::nullopt,
              .cp_depth = column(s, first + 7),
              .cp_at = long_column(s, first + 8),
              .v = s.getColumn(first + 9).getDouble(),
              .e = s.getColumn(first + 10).getDouble(),
              .t = long_column(s, first + 11)};
    if (!s.getColumn(first + 6).isNull())
        node.cp = column(s, first + 6);
    return node;
}

Visit read_visit(SQLite::Statement& s, int first) {
    return {.move = column(s, first),
            .child = from_sql(long_column(s, first + 1)),
            .n = long_column(s, first + 2),
            .exits = long_column(s, first + 3),
            .wins = long_column(s, first + 4),
            .draws = long_column(s, first + 5),
            .losses = long_column(s, first + 6)};
}

Analysis read_analysis(SQLite::Statement& s, int first) {
    return {.move = column(s, first),
            .cp = column(s, first + 1),
            .depth = column(s, first + 2),
            .nodes = long_column(s, first + 3),
            .at = long_column(s, first + 4),
            .engine = s.getColumn(first + 5).getString()};
}

NodeKey read_name(SQLite::Statement& s) {
    return {.key = from_sql(long_column(s, 0)),
            .side = static_cast<Color>(column(s, 1)),
            .time = static_cast<TimeClass>(column(s, 2))};
}

#define NODE_COLUMNS "bits, rank, n, exits, s0, s1, cp, cp_depth, cp_at, v, e, t"
#define VISIT_COLUMNS "move, child, n, exits, wins, draws, losses"
#define EDGE_COLUMNS "move, counts"
#define ANALYSIS_COLUMNS "move, cp, depth, nodes, at, engine"

class SqlitePositions final : public Positions {
  public:
    explicit SqlitePositions(SQLite::Database& db) : db_(db) {
        db_.createFunction("sum_of_counts", 2, true, nullptr, sum_of_counts);
    }

    Result<std::vector<Edge>> edges(Key key) override try {
        Use use(edges_);
        SQLite::Statement& s = use.with(to_sql(key));
        std::vector<Edge> found;
        while (s.executeStep())
            found.push_back(read_edge(s, 0));
        return found;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> add_edges(std::span<const KeyedEdge> edges, bool empty) override try {
        for (std::size_t i = 0; i < edges.size();) {
            const std::size_t rows = std::min(EdgesAtOnce, edges.size() - i);
            insert(rows, edges.subspan(i, rows), empty);
            i += rows;
        }
        return {};
    } catch (const SQLite::Exception& e) {
        return writing(e);
    }

    Result<bool> has_edges() override try {
        return db_.execAndGet("SELECT EXISTS (SELECT 1 FROM edge)").getInt() != 0;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> each_edge(std::int64_t first,
                           std::int64_t last,
                           const std::function<bool(const KeyedEdge&)>& take) override try {
        SQLite::Statement s(db_,
                            "SELECT key, " EDGE_COLUMNS
                            " FROM edge WHERE key BETWEEN ?1 AND ?2 ORDER BY key, move");
        s.bind(1, first);
        s.bind(2, last);
        while (s.executeStep())
            if (!take({.key = from_sql(long_column(s, 0)), .edge = read_edge(s, 1)}))
                break;
        return {};
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<std::vector<Analysis>> analyses(Key key) override try {
        Use use(analyses_);
        SQLite::Statement& s = use.with(to_sql(key));
        std::vector<Analysis> found;
        while (s.executeStep())
            found.push_back(read_analysis(s, 0));
        return found;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> set_analysis(Key key, const Analysis& a) override try {
        Use use(set_analysis_);
        use.with(to_sql(key), a.move, a.cp, a.depth, a.nodes, a.engine, a.at).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return writing(e);
    }

    Result<std::vector<std::pair<StoredMove, int>>> flags(Key key) override try {
        Use use(flags_);
        SQLite::Statement& s = use.with(to_sql(key));
        std::vector<std::pair<StoredMove, int>> found;
        while (s.executeStep())
            found.emplace_back(column(s, 0), column(s, 1));
        return found;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> set_flags(Key key, StoredMove move, int flags) override try {
        SQLite::Statement s(db_,
                            flags == 0 ? "DELETE FROM flag WHERE key = ?1 AND move = ?2 AND ?3 = 0"
                                       : "INSERT OR REPLACE INTO flag VALUES (?1, ?2, ?3)");
        Use(s).with(to_sql(key), move, flags).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return writing(e);
    }

    Result<void> each_analysis(const std::function<void(Key, const Analysis&)>& take) override try {
        SQLite::Statement s(db_, "SELECT key, " ANALYSIS_COLUMNS " FROM analysis");
        while (s.executeStep())
            take(from_sql(long_column(s, 0)), read_analysis(s, 1));
        return {};
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> each_flag(const std::function<void(Key, StoredMove, int)>& take) override try {
        SQLite::Statement s(db_, "SELECT key, move, flags FROM flag");
        while (s.executeStep())
            take(from_sql(long_column(s, 0)), column(s, 1), column(s, 2));
        return {};
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<std::optional<Node>> node(const NodeKey& name) override try {
        Use use(node_);
        SQLite::Statement& s =
            use.with(to_sql(name.key), int{name.side}, static_cast<int>(name.time));
        if (!s.executeStep())
            return std::optional<Node>();
        return std::optional<Node>(read_node(s, 0));
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<std::vector<std::pair<TimeClass, Node>>> nodes(Key key, Color side) override try {
        Use use(nodes_);
        SQLite::Statement& s = use.with(to_sql(key), int{side});
        std::vector<std::pair<TimeClass, Node>> found;
        while (s.executeStep())
            found.emplace_back(static_cast<TimeClass>(column(s, 0)), read_node(s, 1));
        return found;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> put(const NodeKey& name, const Node& node) override try {
        Use use(put_);
        use.with(to_sql(name.key),
                 int{name.side},
                 static_cast<int>(name.time),
                 node.bits,
                 node.rank,
                 node.n,
                 node.exits,
                 node.s0,
                 node.s1,
                 node.cp,
                 node.cp_depth,
                 node.cp_at,
                 node.v,
                 node.e,
                 node.t)
            .exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return writing(e);
    }

    Result<void> each_node(const std::function<void(const NodeKey&, const Node&)>& take) override
        try {
        SQLite::Statement s(db_,
                            "SELECT key, side, class, " NODE_COLUMNS
                            " FROM node ORDER BY rank DESC, key, side, class");
        while (s.executeStep())
            take(read_name(s), read_node(s, 3));
        return {};
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<std::vector<Visit>> visits(const NodeKey& name) override try {
        Use use(visits_);
        SQLite::Statement& s =
            use.with(to_sql(name.key), int{name.side}, static_cast<int>(name.time));
        std::vector<Visit> found;
        while (s.executeStep())
            found.push_back(read_visit(s, 0));
        return found;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<std::vector<std::pair<TimeClass, Visit>>> all_visits(Key key, Color side) override try {
        Use use(all_visits_);
        SQLite::Statement& s = use.with(to_sql(key), int{side});
        std::vector<std::pair<TimeClass, Visit>> found;
        while (s.executeStep())
            found.emplace_back(static_cast<TimeClass>(column(s, 0)), read_visit(s, 1));
        return found;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> add_visit(const NodeKey& from, const Visit& v) override try {
        Use use(add_visit_);
        use.with(to_sql(from.key),
                 int{from.side},
                 static_cast<int>(from.time),
                 v.move,
                 to_sql(v.child),
                 v.n,
                 v.exits,
                 v.wins,
                 v.draws,
                 v.losses)
            .exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return writing(e);
    }

    Result<void> each_visit(const std::function<void(const NodeKey&, const Visit&)>& take) override
        try {
        SQLite::Statement s(db_,
                            "SELECT key, side, class, " VISIT_COLUMNS
                            " FROM visit ORDER BY key, side, class, move");
        while (s.executeStep())
            take(read_name(s), read_visit(s, 3));
        return {};
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<std::vector<Key>> parents(const NodeKey& child) override try {
        Use use(parents_);
        SQLite::Statement& s =
            use.with(to_sql(child.key), int{child.side}, static_cast<int>(child.time));
        std::vector<Key> found;
        while (s.executeStep())
            found.push_back(from_sql(long_column(s, 0)));
        return found;
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

    Result<void> forget_own() override try {
        db_.exec("DELETE FROM node; DELETE FROM visit");
        return {};
    } catch (const SQLite::Exception& e) {
        return writing(e);
    }

    Result<Counts> counts() override try {
        const auto count = [this](const char* sql) { return db_.execAndGet(sql).getInt64(); };
        std::int64_t positions = 0, edges = 0, occurrences = 0, last = 0;
        SQLite::Statement s(db_, "SELECT key, " EDGE_COLUMNS " FROM edge ORDER BY key, move");
        while (s.executeStep()) {
            const std::int64_t key = long_column(s, 0);
            positions += edges == 0 || key != last ? 1 : 0;
            last = key;
            ++edges;
            occurrences += read_edge(s, 1).games();
        }
        return Counts{.positions = positions,
                      .edges = edges,
                      .occurrences = occurrences,
                      .nodes = count("SELECT count(*) FROM node"),
                      .visits = count("SELECT count(*) FROM visit"),
                      .analyses = count("SELECT count(*) FROM analysis")};
    } catch (const SQLite::Exception& e) {
        return reading(e);
    }

  private:
    static tl::unexpected<Error> reading(const SQLite::Exception& e) {
        return fail(std::string("reading the book: ") + e.what());
    }
    static tl::unexpected<Error> writing(const SQLite::Exception& e) {
        return fail(std::string("writing the book: ") + e.what());
    }

    void insert(std::size_t rows, std::span<const KeyedEdge> edges, bool empty) {
        // The statement for full batches is kept, the one for the last few rows is not.
        std::unique_ptr<SQLite::Statement> rest;
        if (rows != EdgesAtOnce)
            rest = std::make_unique<SQLite::Statement>(db_, insert_edges(rows, !empty));
        else if (!batch_ || batch_is_plain_ != empty)
            batch_ = std::make_unique<SQLite::Statement>(
                db_, insert_edges(rows, !(batch_is_plain_ = empty)));
        SQLite::Statement& s = rest ? *rest : *batch_;
        int i = 0;
        std::size_t blobs = 0;
        for (const KeyedEdge& e : edges) {
            s.bind(++i, to_sql(e.key));
            s.bind(++i, e.edge.move);
            if (const std::optional<std::int64_t> number = to_number(e.edge)) {
                s.bind(++i, *number);
            } else {  // the bytes must stay until the statement has run
                std::array<char, MostBlobBytes>& bytes = blobs_[blobs++];
                const std::size_t size = to_blob(e.edge, bytes);
                s.bindNoCopy(++i, bytes.data(), static_cast<int>(size));
            }
        }
        Use use(s);
        s.exec();
    }

    SQLite::Database& db_;
    std::unique_ptr<SQLite::Statement> batch_;
    bool batch_is_plain_ = false;
    std::array<std::array<char, MostBlobBytes>, EdgesAtOnce> blobs_{};
    SQLite::Statement edges_{db_, "SELECT " EDGE_COLUMNS " FROM edge WHERE key = ?1"};
    SQLite::Statement analyses_{db_, "SELECT " ANALYSIS_COLUMNS " FROM analysis WHERE key = ?1"};
    SQLite::Statement set_analysis_{
        db_,
        "INSERT INTO analysis (key, move, cp, depth, nodes, engine, at) VALUES (?1, ?2, ?3, ?4, "
        "?5, ?6, ?7)"
        " ON CONFLICT (key, move) DO UPDATE SET cp = excluded.cp, depth = excluded.depth, nodes = "
        "excluded.nodes,"
        " engine = excluded.engine, at = excluded.at"
        " WHERE excluded.depth >= depth OR excluded.nodes >= nodes"};
    SQLite::Statement flags_{db_, "SELECT move, flags FROM flag WHERE key = ?1"};
    SQLite::Statement node_{
        db_, "SELECT " NODE_COLUMNS " FROM node WHERE key = ?1 AND side = ?2 AND class = ?3"};
    SQLite::Statement nodes_{
        db_, "SELECT class, " NODE_COLUMNS " FROM node WHERE key = ?1 AND side = ?2"};
    SQLite::Statement put_{
        db_,
        "INSERT OR REPLACE INTO node (key, side, class, " NODE_COLUMNS
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"};
    SQLite::Statement visits_{
        db_,
        "SELECT " VISIT_COLUMNS
        " FROM visit WHERE key = ?1 AND side = ?2 AND class = ?3 ORDER BY move"};
    SQLite::Statement all_visits_{
        db_, "SELECT class, " VISIT_COLUMNS " FROM visit WHERE key = ?1 AND side = ?2"};
    SQLite::Statement add_visit_{db_,
                                 "INSERT INTO visit (key, side, class, " VISIT_COLUMNS
                                 ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
                                 " ON CONFLICT (key, side, class, move) DO UPDATE SET n = n + "
                                 "excluded.n, exits = exits + excluded.exits,"
                                 " wins = wins + excluded.wins, draws = draws + excluded.draws, "
                                 "losses = losses + excluded.losses"};
    SQLite::Statement parents_{
        db_, "SELECT key FROM visit WHERE child = ?1 AND side = ?2 AND class = ?3 AND n > 0"};
};

#undef NODE_COLUMNS
#undef VISIT_COLUMNS
#undef EDGE_COLUMNS
#undef ANALYSIS_COLUMNS

}  // namespace

Result<std::unique_ptr<Positions>> Positions::on(Database& db) try {
    return std::make_unique<SqlitePositions>(db.handle());
} catch (const SQLite::Exception& e) {
    return fail(std::string("the book lacks a table: ") + e.what());
}

}  // namespace book
