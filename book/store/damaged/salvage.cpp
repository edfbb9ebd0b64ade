#include "book/store/damaged/salvage.h"

#include "book/store/damaged/damaged_file.h"
#include "book/store/database.h"
#include "book/store/failure.h"
#include "book/store/statement.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

namespace book {
namespace {

namespace fs = std::filesystem;
using PageNumber = DamagedFile::PageNumber;

// The tables that cannot be computed anew.
constexpr std::array Tables{
    "game", "opponent", "flag", "change", "meta", "source", "imported", "edge", "analysis", "kept"};

// Whether a book of any format has the table.
bool is_old(std::string_view table) {
    return table != "kept";
}

bool is_int(const RawValue& value) {
    return std::holds_alternative<std::int64_t>(value);
}
bool is_text(const RawValue& value) {
    return std::holds_alternative<std::string>(value);
}
std::int64_t int_of(const RawValue& value) {
    const auto* const number = std::get_if<std::int64_t>(&value);
    return number ? *number : 0;
}
std::string text_of(const RawValue& value) {
    const auto* const text = std::get_if<std::string>(&value);
    return text ? *text : "";
}

// True if the values are possible; SQLite accepts any value of a column's type.
bool is_plausible(const std::string& table, const RawRow& row) {
    const auto value = [&row](std::size_t i) { return int_of(row.values[i]); };
    if ((table == "edge" || table == "flag") &&
        (row.values.size() != 3 || value(1) < -65'536 || value(1) > 65'535))
        return false;
    return table != "flag" || (value(2) > 0 && value(2) < 16);
}

struct SchemaRow {
    std::string name, sql;
    PageNumber root = 0;
};

// The new book.
class Target {
  public:
    Target(const fs::path& file, const std::vector<SchemaRow>& schema, std::optional<int> version);
    enum class Added { Yes, Known, Refused };
    Added add(const std::string& table, const RawRow& row);
    [[nodiscard]] std::int64_t rows(const std::string& table) {
        if (columns(table) == 0)
            return 0;
        return sql_.execAndGet("SELECT count(*) FROM " + table).getInt64();
    }
    [[nodiscard]] std::size_t columns(const std::string& table) const {
        const auto known = columns_.find(table);
        return known == columns_.end() ? 0 : known->second.size();
    }
    [[nodiscard]] bool has_rowids(const std::string& table) const {
        return with_rowids_.contains(table);
    }
    // A number of the table meta; 0 if it is not known.
    [[nodiscard]] std::int64_t number(const std::string& name) {
        SQLite::Statement value(sql_, "SELECT value FROM meta WHERE name = ?1");
        return first_row(value, read_int64, name).value_or(0);
    }
    void commit() { transaction_.commit(); }

  private:
    SQLite::Database sql_;
    SQLite::Transaction transaction_{sql_};
    std::map<std::string, std::vector<std::string>> columns_;
    std::set<std::string> with_rowids_;
    std::map<std::pair<std::string, std::size_t>, std::unique_ptr<SQLite::Statement>> inserts_;
};

// The statements that make an empty book of the present format, and the number of the format.
std::pair<std::vector<SchemaRow>, int> present_schema() {
    const Database empty(":memory:", true);
    SQLite::Statement s(*empty.connection(),
                        "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
    std::vector<SchemaRow> rows = all_rows(s, [](RowReader& row) {
        const std::string name = row.text();
        return SchemaRow{.name = name, .sql = row.text()};
    });
    return {std::move(rows), empty.connection()->execAndGet("PRAGMA user_version").getInt()};
}

std::vector<std::string> columns_of(SQLite::Database& sql, const std::string& table) {
    SQLite::Statement s(sql, "SELECT name FROM pragma_table_info(?1) ORDER BY cid");
    return all_rows(
        s, [](RowReader& row) { return row.text(); }, table);
}

// True if each table has the columns of the present format, or all but the last ones: the schema
// itself may be damaged, too.
bool is_schema_of_book(const std::vector<SchemaRow>& schema, SQLite::Database& present) try {
    SQLite::Database made(":memory:", SQLite::OPEN_READWRITE);
    for (const SchemaRow& row : schema)
        made.exec(row.sql);
    return std::all_of(Tables.begin(), Tables.end(), [&](const char* table) {
        const std::vector<std::string> old = columns_of(made, table);
        const std::vector<std::string> now = columns_of(present, table);
        return (!old.empty() || !is_old(table)) && old.size() <= now.size() &&
               std::equal(old.begin(), old.end(), now.begin());
    });
} catch (const SQLite::Exception&) {
    return false;
}

Target::Target(const fs::path& file,
               const std::vector<SchemaRow>& schema,
               std::optional<int> version)
    : sql_(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
    const auto [present, present_version] = present_schema();
    const Database empty(":memory:", true);
    if (version && !is_schema_of_book(schema, *empty.connection()))
        version.reset();
    for (const SchemaRow& row : version ? schema : present)
        sql_.exec(row.sql);
    sql_.exec(fmt::format("PRAGMA application_id = {}",
                          empty.connection()->execAndGet("PRAGMA application_id").getInt()));
    sql_.exec(fmt::format("PRAGMA user_version = {}", version.value_or(present_version)));
    for (const char* const table : Tables)
        columns_[table] = columns_of(sql_, table);
    SQLite::Statement s(sql_, "SELECT name FROM pragma_table_list WHERE NOT wr");
    for (const std::string& table : all_rows(s, [](RowReader& row) { return row.text(); }))
        with_rowids_.insert(table);
}

// A row of an older format lacks the last columns.
std::string
insert_into(const std::string& table, const std::vector<std::string>& names, std::size_t count) {
    std::string columns, values;
    for (std::size_t i = 0; i < count; ++i) {
        columns += (i == 0 ? "" : ", ") + names[i];
        values += i == 0 ? "?" : ", ?";
    }
    return fmt::format(
        "INSERT INTO {} ({}) VALUES ({}) ON CONFLICT DO NOTHING", table, columns, values);
}

Target::Added Target::add(const std::string& table, const RawRow& row) {
    const std::vector<std::string>& names = columns_[table];
    const std::size_t count = row.values.size();
    if (count == 0 || count > names.size() || !is_plausible(table, row))
        return Added::Refused;
    std::unique_ptr<SQLite::Statement>& kept = inserts_[{table, count}];
    if (!kept)
        kept = std::make_unique<SQLite::Statement>(sql_, insert_into(table, names, count));
    SQLite::Statement& insert = *kept;
    const BoundStatement reset(insert);
    insert.clearBindings();
    for (int i = 0; i < static_cast<int>(count); ++i) {
        const RawValue& value = row.values[static_cast<std::size_t>(i)];
        if (const auto* const number = std::get_if<std::int64_t>(&value))
            insert.bind(i + 1, *number);
        else if (const auto* const real = std::get_if<double>(&value))
            insert.bind(i + 1, *real);
        else if (const auto* const text = std::get_if<std::string>(&value))
            insert.bind(i + 1, *text);
        else if (const auto* const blob = std::get_if<RawBlob>(&value))
            insert.bind(i + 1, blob->bytes.data(), static_cast<int>(blob->bytes.size()));
        else if (i == 0 && row.rowid != 0)  // the primary key is stored as the rowid
            insert.bind(1, row.rowid);
    }
    try {
        return insert.exec() > 0 ? Added::Yes : Added::Known;
    } catch (const SQLite::Exception& e) {
        if (e.getErrorCode() != SQLITE_CONSTRAINT && e.getErrorCode() != SQLITE_MISMATCH)
            throw;
        return Added::Refused;
    }
}

class Salvage {
  public:
    Salvage(DamagedFile& file, Target& target) : file_(file), target_(target) {}
    void walk(const std::string& table, PageNumber root);
    void claim_rest();
    Salvaged result();

  private:
    struct Found {
        std::int64_t pages = 0, bad_rows = 0, unreadable_pages = 0, max_rowid = 0;
    };

    // `in_tree`: as one of the pages of the table, which has no row twice.
    void take(const std::string& table, const DamagedFile::Page& page, bool in_tree);
    [[nodiscard]] bool
    belongs_to(const std::string& table, const DamagedFile::Page& page, bool root) const;
    void count_lost_games(const Found& found, SalvagedTable& games);
    [[nodiscard]] std::string table_of(const DamagedFile::Page& page) const;

    DamagedFile& file_;
    Target& target_;
    std::set<PageNumber> visited_;
    std::map<std::string, Found> found_;
    std::int64_t unreadable_pages_ = 0;
    std::int64_t last_game_ = 0;  // the highest number of a game in the indexes
};

void Salvage::take(const std::string& table, const DamagedFile::Page& page, bool in_tree) {
    visited_.insert(page.overflow.begin(), page.overflow.end());
    if (table.starts_with("game_") || table.starts_with("sqlite_autoindex_game_"))
        for (const RawRow& row : page.rows)  // only to know how many games there were
            last_game_ = std::max(last_game_, int_of(row.values.back()));
    if (target_.columns(table) == 0)
        return;  // an index, or derived
    Found& found = found_[table];
    found.pages += page.rows.empty() ? 0 : 1;
    found.bad_rows += page.bad_rows;
    found.max_rowid = std::max(found.max_rowid, page.max_rowid);
    for (const RawRow& row : page.rows) {
        const Target::Added added = target_.add(table, row);
        const bool fits =
            added == Target::Added::Yes || (added == Target::Added::Known && !in_tree);
        found.bad_rows += fits ? 0 : 1;
    }
}

// False for a page that was written to the wrong place.
bool Salvage::belongs_to(const std::string& table, const DamagedFile::Page& page, bool root) const {
    if (!root && page.rows.empty() && page.bad_rows == 0 && page.children.empty())
        return false;  // of an intact tree only the root can be a leaf without rows
    return target_.columns(table) == 0 || page.has_rowids == target_.has_rowids(table);
}

void Salvage::walk(const std::string& table, PageNumber root) {
    std::vector<PageNumber> waiting{root};
    while (!waiting.empty()) {
        const PageNumber number = waiting.back();
        waiting.pop_back();
        if (!visited_.insert(number).second) {
            ++found_[table].unreadable_pages;  // an intact tree leads to each page once
            continue;
        }
        const std::optional<DamagedFile::Page> page = file_.read(number);
        if (!page || !belongs_to(table, *page, number == root)) {
            ++found_[table].unreadable_pages;
            continue;
        }
        waiting.insert(waiting.end(), page->children.begin(), page->children.end());
        take(table, *page, true);
    }
}

// By the shape of the first row; "" of pages of indexes and of what is derived.
std::string Salvage::table_of(const DamagedFile::Page& page) const {
    if (page.rows.empty())
        return "";
    const std::vector<RawValue>& first = page.rows.front().values;
    const std::size_t count = first.size();
    if (page.has_rowids) {
        constexpr std::size_t ColumnsOfFirstFormat = 25;
        if (count == 1)
            return "imported";
        if (count >= ColumnsOfFirstFormat && is_text(first[1]))
            return "game";
        if (count == target_.columns("kept") && is_int(first[1]) &&
            std::holds_alternative<RawBlob>(first[2]))
            return "kept";
        constexpr std::size_t SourceInFirstFormat = 9;
        for (const char* const table : {"source", "opponent"})
            if ((count == target_.columns(table) ||
                 (count == SourceInFirstFormat && table == std::string_view("source"))) &&
                is_text(first[1]) && is_text(first[2]))
                return table;
        constexpr std::size_t OpponentInFirstFormat = 12;
        if (count == OpponentInFirstFormat && is_text(first[1]) && is_text(first[2]))
            return "opponent";
        constexpr std::size_t ChangeInFirstFormat = 5;
        return count >= ChangeInFirstFormat && count <= target_.columns("change") &&
                       is_int(first[1]) && is_text(first[2]) && is_text(first[3])
                   ? "change"
                   : "";
    }
    if (count == 2 && is_text(first[0]) && !is_int(first[1]))
        return "meta";
    constexpr std::size_t AnalysisInFirstFormat = 6;
    if (count >= AnalysisInFirstFormat && count <= target_.columns("analysis") &&
        is_int(first[0]) && is_text(first[5]))
        return "analysis";
    if (count != 3 || !is_int(first[0]) || !is_int(first[1]) || is_text(first[2]))
        return "";
    // A mark is 1, 2, 4 or 8, and so is hardly ever a single imported game.
    const bool marks = std::all_of(page.rows.begin(), page.rows.end(), [](const RawRow& row) {
        const std::int64_t flags = row.values.size() == 3 ? int_of(row.values[2]) : 0;
        return flags == 1 || flags == 2 || flags == 4 || flags == 8;
    });
    return marks ? "flag" : "edge";
}

// Takes the pages that no tree reaches any more.
void Salvage::claim_rest() {
    const std::vector<PageNumber> free = file_.free_pages();
    visited_.insert(free.begin(), free.end());
    std::vector<PageNumber> unreadable;
    for (PageNumber number = 2; number <= file_.pages(); ++number) {
        if (visited_.contains(number))
            continue;
        if (const std::optional<DamagedFile::Page> page = file_.read(number))
            take(table_of(*page), *page, false);
        else
            unreadable.push_back(number);  // unless it belongs to a long row that comes later
    }
    for (const PageNumber number : unreadable)
        unreadable_pages_ += visited_.contains(number) ? 0 : 1;
    // Pages missing from a truncated file, except those that a tree has counted already.
    const auto missed = std::distance(visited_.upper_bound(file_.pages()), visited_.end());
    unreadable_pages_ += std::max<std::int64_t>(file_.named_pages() - file_.pages() - missed, 0);
}

// The ids of games are 1, 2, 3…, so the highest one shows how many there were, removed ones
// included.
void Salvage::count_lost_games(const Found& found, SalvagedTable& games) {
    const std::int64_t removed = target_.number("removed from game");
    std::int64_t last = std::max(last_game_, found.max_rowid);
    if (removed > 0)
        last = std::max(last, target_.number("last id of game"));
    if (last_game_ > 0 || last > games.rows)
        games.lost = std::max<std::int64_t>(last - games.rows - removed, 0);
}

Salvaged Salvage::result() {
    Salvaged salvaged{.tables = {}, .unreadable_pages = unreadable_pages_};
    for (const char* const table : Tables) {
        const Found& found = found_[table];
        const std::int64_t rows = target_.rows(table);
        const std::int64_t on_a_page = found.pages == 0 ? 1 : rows / found.pages + 1;
        SalvagedTable& result = salvaged.tables.emplace_back(
            SalvagedTable{.name = table,
                          .rows = rows,
                          .lost = found.bad_rows + found.unreadable_pages * on_a_page});
        const bool whole = result.lost == 0 && unreadable_pages_ == 0;
        if (result.name == "game" && !whole)
            count_lost_games(found, result);
    }
    return salvaged;
}

struct Schema {
    std::vector<SchemaRow> rows;
    bool whole = true;
};

Schema read_schema(DamagedFile& file) {
    Schema schema;
    std::vector<PageNumber> waiting{1};
    for (std::set<PageNumber> visited; !waiting.empty();) {
        const PageNumber number = waiting.back();
        waiting.pop_back();
        const std::optional<DamagedFile::Page> page = file.read(number);
        schema.whole = schema.whole && page && page->bad_rows == 0;
        if (!page || !visited.insert(number).second)
            continue;
        waiting.insert(waiting.end(), page->children.begin(), page->children.end());
        for (const RawRow& row : page->rows) {
            if (row.values.size() != 5)
                continue;
            schema.rows.push_back({.name = text_of(row.values[1]),
                                   .sql = text_of(row.values[4]),
                                   .root = static_cast<PageNumber>(int_of(row.values[3]))});
        }
    }
    // Indexes need their tables.
    std::stable_partition(schema.rows.begin(), schema.rows.end(), [](const SchemaRow& row) {
        return row.sql.starts_with("CREATE TABLE");
    });
    for (const char* const table : Tables)
        schema.whole =
            schema.whole &&
            (!is_old(table) ||
             std::any_of(schema.rows.begin(), schema.rows.end(), [table](const SchemaRow& row) {
                 return row.name == table;
             }));
    return schema;
}

}  // namespace

Salvaged salvage(const fs::path& damaged, const fs::path& target) {
    DamagedFile file(damaged);
    const Schema schema = read_schema(file);
    const int present = present_schema().second;
    std::optional<int> version = schema.whole ? file.version() : std::nullopt;
    if (version && *version > present)
        throw Failure(fmt::format(
            "book \"{}\" comes from a newer version (format {}, this program knows {}): update it",
            damaged.string(),
            *version,
            present));
    if (version && *version < 1)
        version.reset();
    Target book(target, schema.rows, version);
    Salvage salvage(file, book);
    for (const SchemaRow& row : schema.rows)
        salvage.walk(row.name, row.root);
    salvage.claim_rest();
    Salvaged salvaged = salvage.result();
    if (std::all_of(salvaged.tables.begin(), salvaged.tables.end(), [](const SalvagedTable& t) {
            return t.rows == 0;
        }))
        throw Failure(
            fmt::format("nothing that belongs to a book can be read in \"{}\"", damaged.string()));
    book.commit();
    return salvaged;
}

}  // namespace book
