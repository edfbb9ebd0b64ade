// Shorthand for prepared statements. Only for book/store/ and the folders below it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/ranges.h>
#include <sqlite3.h>
#include <SQLiteCpp/SQLiteCpp.h>

namespace book {

// What happened to the book, as the end of a sentence: "is damaged".
std::string describe(const SQLite::Exception& exception);

struct Blob {
    std::string_view bytes;
};

// A statement with values bound to ?1, ?2, …; an empty optional is NULL. Resets the statement at
// its end: an open one would keep the write-ahead log from being checkpointed.
class BoundStatement {
  public:
    template <typename... Values>
    explicit BoundStatement(SQLite::Statement& statement, const Values&... values)
        : statement_(statement) {
        int i = 0;
        (bind(++i, values), ...);
    }
    BoundStatement(const BoundStatement&) = delete;
    BoundStatement& operator=(const BoundStatement&) = delete;
    ~BoundStatement() { statement_.tryReset(); }

    bool step() { return statement_.executeStep(); }  // false: no further row
    int run() { return statement_.exec(); }           // returns the number of rows changed

  private:
    template <typename Value>
    void bind(int i, const Value& value) {
        statement_.bind(i, value);
    }
    template <typename Value>
    void bind(int i, const std::optional<Value>& value) {
        value ? statement_.bind(i, *value) : statement_.bind(i);
    }
    void bind(int i, const Blob& blob) {
        statement_.bind(i, blob.bytes.data(), static_cast<int>(blob.bytes.size()));
    }

    SQLite::Statement& statement_;
};

// A statement prepared on first use: with a book of an older format, a reader has views in place of
// some tables, and no statement that writes to a view can be prepared.
class KeptStatement {
  public:
    KeptStatement(SQLite::Database& db, std::string sql) : db_(db), sql_(std::move(sql)) {}
    SQLite::Statement& operator*() { return kept_ ? *kept_ : kept_.emplace(db_, sql_); }

  private:
    SQLite::Database& db_;
    std::string sql_;
    std::optional<SQLite::Statement> kept_{};
};

// Reads the columns of a row from left to right.
class RowReader {
  public:
    explicit RowReader(SQLite::Statement& statement) : statement_(statement) {}

    SQLite::Column column() { return statement_.getColumn(next_++); }
    std::int64_t int64() { return column().getInt64(); }  // 0 for NULL
    int integer() { return column().getInt(); }
    double real() { return column().getDouble(); }
    std::string text() { return column().getString(); }  // also of a blob
    std::optional<std::int64_t> optional_int64() {
        const SQLite::Column value = column();
        return value.isNull() ? std::nullopt : std::optional(value.getInt64());
    }
    std::optional<int> optional_integer() {
        const SQLite::Column value = column();
        return value.isNull() ? std::nullopt : std::optional(value.getInt());
    }

  private:
    SQLite::Statement& statement_;
    int next_ = 0;
};

template <typename... Values>
int run(SQLite::Statement& statement, const Values&... values) {
    return BoundStatement(statement, values...).run();
}

// Calls `take` with a RowReader for each row.
template <typename Take, typename... Values>
void each_row(SQLite::Statement& statement, Take take, const Values&... values) {
    BoundStatement bound(statement, values...);
    while (bound.step()) {
        RowReader row(statement);
        take(row);
    }
}

// The results of `read`, one for each row.
template <typename Read, typename... Values>
auto all_rows(SQLite::Statement& statement, Read read, const Values&... values) {
    std::vector<std::invoke_result_t<Read, RowReader&>> rows;
    each_row(
        statement, [&](RowReader& row) { rows.push_back(read(row)); }, values...);
    return rows;
}

inline std::int64_t read_int64(RowReader& row) {
    return row.int64();
}

// The result of `read` for the first row; nothing if there is no row.
template <typename Read, typename... Values>
auto first_row(SQLite::Statement& statement, Read read, const Values&... values)
    -> std::optional<std::invoke_result_t<Read, RowReader&>> {
    BoundStatement bound(statement, values...);
    if (!bound.step())
        return std::nullopt;
    RowReader row(statement);
    return read(row);
}

// SQL for the id of a new row: above the ids of all rows that the table has, or had before
// remove_rows(). Ids are never reused, since news and undo refer to rows by id.
inline std::string next_id(const std::string& table) {
    return "(SELECT 1 + max((SELECT ifnull(max(id), 0) FROM " + table +
           "), ifnull((SELECT value FROM meta WHERE name = 'last id of " + table + "'), 0)))";
}
// Removes rows of a table with next_id(). Returns how many. The table meta keeps the last id and
// the number of all removed rows.
template <typename... Values>
std::int64_t remove_rows(SQLite::Database& db,
                         const std::string& table,
                         const std::string& where,
                         const Values&... values) {
    SQLite::Statement remove(db, "DELETE FROM " + table + " WHERE " + where + " RETURNING id");
    const auto ids = all_rows(remove, read_int64, values...);
    if (ids.empty())
        return 0;
    SQLite::Statement keep(db,
                           "INSERT INTO meta VALUES ('last id of ' || ?1, ?2) ON CONFLICT (name)"
                           " DO UPDATE SET value = max(value, excluded.value)");
    run(keep, table, *std::max_element(ids.begin(), ids.end()));
    const auto removed = static_cast<std::int64_t>(ids.size());
    SQLite::Statement count(db,
                            "INSERT INTO meta VALUES ('removed from ' || ?1, ?2) ON CONFLICT (name)"
                            " DO UPDATE SET value = value + excluded.value");
    run(count, table, removed);
    return removed;
}

// The condition for the rows of these imports, in one pass: the tables have no index by source.
inline std::string of_sources(std::span<const std::int64_t> sources) {
    return fmt::format("source IN ({})", fmt::join(sources, ","));
}

// The number of rows of each of these imports that has any.
inline std::map<std::int64_t, std::int64_t> count_by_source(SQLite::Database& db,
                                                            const std::string& table,
                                                            std::span<const std::int64_t> sources) {
    SQLite::Statement s(db,
                        "SELECT source, count(*) FROM " + table + " WHERE " + of_sources(sources) +
                            " GROUP BY source");
    std::map<std::int64_t, std::int64_t> counts;
    each_row(s, [&counts](RowReader& row) {
        const std::int64_t source = row.int64();
        counts[source] = row.int64();
    });
    return counts;
}

}  // namespace book
