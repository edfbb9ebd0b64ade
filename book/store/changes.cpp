#include "book/store/changes.h"

#include "book/store/spool.h"
#include "book/store/statement.h"

#include <limits>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

namespace book {
namespace {

template <typename T>
std::string text_of(const std::optional<T>& number) {
    return number ? std::to_string(*number) : "-";
}

template <typename T>
void read_optional(std::istream& in, std::optional<T>& number) {
    std::string word;
    if (in >> word && word != "-")
        std::istringstream(word) >> number.emplace();
}

std::string values_text(const GameValues& v) {
    const auto key = v.exit_key ? std::optional(to_sql(*v.exit_key)) : std::nullopt;
    return fmt::format("values {} {} {} {} {} {} {} {} {} {} {} {} {}",
                       v.id,
                       text_of(v.exit_ply),
                       v.exit_cp,
                       v.exit_depth,
                       text_of(key),
                       text_of(v.analysed_nodes),
                       text_of(v.analysed_cp),
                       v.weight,
                       v.result,
                       v.overperformance,
                       text_of(v.source),
                       text_of(v.opponent),
                       v.record ? to_line(*v.record) : "\n");
}

// Reads the rest of such a line.
GameValues read_values(std::int64_t id, const std::string& text) {
    GameValues v{.id = id};
    std::istringstream in(text);
    std::optional<std::int64_t> key;
    read_optional(in, v.exit_ply);
    in >> v.exit_cp >> v.exit_depth;
    read_optional(in, key);
    read_optional(in, v.analysed_nodes);
    read_optional(in, v.analysed_cp);
    in >> v.weight >> v.result >> v.overperformance;
    read_optional(in, v.source);
    read_optional(in, v.opponent);
    if (key)
        v.exit_key = from_sql(*key);
    std::string record;
    if (std::getline(in >> std::ws, record))
        v.record = from_line(record);
    return v;
}

// A line for each item: a word and its numbers. Earlier versions stop reading at "values".
std::string undo_text(const Change& change) {
    std::ostringstream text;
    for (const Change::Mark& m : change.marks)
        text << "mark " << to_sql(m.key) << ' ' << m.move << ' ' << m.flags << '\n';
    for (const std::int64_t id : change.unlearned)
        text << "unlearned " << id << '\n';
    for (const std::int64_t id : change.relearned)
        text << "relearned " << id << '\n';
    for (const std::int64_t id : change.added)
        text << "added " << id << '\n';
    for (const std::int64_t source : change.imported)
        text << "imported " << source << '\n';
    for (const std::int64_t source : change.sources)
        text << "source " << source << '\n';
    for (const Change::Replaced& r : change.replaced)
        text << "replaced " << r.id << ' ' << static_cast<int>(r.state) << ' ' << r.plies << '\n';
    for (const std::int64_t source : change.merged)
        text << "merged " << source << '\n';
    for (const GameValues& v : change.values)
        text << values_text(v);
    return text.str();
}

void read_undo(const std::string& text, Change& change) {
    std::istringstream in(text);
    for (std::string word; in >> word;) {
        std::int64_t number = 0;
        in >> number;
        if (word == "unlearned") {
            change.unlearned.push_back(number);
        } else if (word == "relearned") {
            change.relearned.push_back(number);
        } else if (word == "added") {
            change.added.push_back(number);
        } else if (word == "merged") {
            change.merged.push_back(number);
        } else if (word == "values") {
            std::string rest;
            std::getline(in, rest);
            change.values.push_back(read_values(number, rest));
        } else if (word == "imported") {
            change.imported.push_back(number);
        } else if (word == "source") {
            change.sources.push_back(number);
        } else if (word == "mark") {
            Change::Mark mark{.key = from_sql(number)};
            in >> mark.move >> mark.flags;
            change.marks.push_back(mark);
        } else if (word == "replaced") {
            Change::Replaced replaced{.id = number};
            int state = 0;
            in >> state >> replaced.plies;
            replaced.state = static_cast<GameState>(state);
            change.replaced.push_back(replaced);
        }
    }
}

}  // namespace

GameValues GameValues::of(const LoggedGame& g) {
    return {.exit_ply = g.record.exit_ply,
            .exit_depth = g.record.exit_depth,
            .exit_cp = g.record.exit_cp,
            .exit_key = g.exit_key,
            .analysed_nodes = g.analysed_nodes,
            .analysed_cp = g.analysed_cp,
            .weight = g.evidence.weight,
            .result = g.evidence.result,
            .overperformance = g.overperformance,
            .id = g.id,
            .source = g.source,
            .opponent = g.opponent_id};
}

void GameValues::restore(LoggedGame& g) const {
    if (record)
        g.record = *record;
    g.record.exit_ply = exit_ply;
    g.record.exit_cp = exit_cp;
    g.record.exit_depth = exit_depth;
    g.exit_key = exit_key;
    g.analysed_nodes = analysed_nodes;
    g.analysed_cp = analysed_cp;
    g.evidence = {.weight = weight, .result = result};
    g.overperformance = overperformance;
    g.source = source.value_or(g.source);
    g.opponent_id = opponent.value_or(g.opponent_id);
}

bool GameValues::has_later_exit_than(const GameValues& other) const {
    const auto all = [](const GameValues& v) {
        return std::tie(v.exit_ply,
                        v.exit_depth,
                        v.exit_cp,
                        v.exit_key,
                        v.analysed_nodes,
                        v.analysed_cp,
                        v.weight,
                        v.result,
                        v.overperformance);
    };
    return all(*this) > all(other);
}

void add_change(Database& db, const Change& change) {
    SQLite::Statement s(*db.connection(),
                        "INSERT INTO change (id, at, who, what, undo, clock) VALUES (" +
                            next_id("change") + ", ?1, 'user', ?2, ?3, ?4)");
    run(s, change.at, change.what, undo_text(change), change.clock);
}

void add_import(Database& db,
                std::int64_t clock,
                const std::string& name,
                const std::vector<std::int64_t>& sources) {
    const std::size_t more = sources.size() - 1;
    add_change(db,
               {.at = seconds_now(),
                .clock = clock,
                .what = fmt::format("the import of \"{}\"", name) +
                        (more > 0 ? fmt::format(" and {} more", more) : ""),
                .sources = sources});
}

void remove_change(Database& db, std::int64_t id) {
    remove_rows(*db.connection(), "change", "id = ?1", id);
}

std::vector<Change> drop_imported(Database& db, std::span<const std::int64_t> sources) {
    const std::set<std::int64_t> forgotten(sources.begin(), sources.end());
    const auto drop = [&forgotten](std::vector<std::int64_t>& from) {
        return std::erase_if(from, [&](std::int64_t source) { return forgotten.contains(source); });
    };
    SQLite::Statement s(*db.connection(), "UPDATE change SET undo = ?2 WHERE id = ?1");
    std::vector<Change> emptied;
    for (Change& change : changes(db, std::numeric_limits<int>::max())) {
        const std::size_t own = drop(change.imported);
        if (own + drop(change.sources) + drop(change.merged) == 0)
            continue;
        const bool is_emptied = own > 0 && change.imported.empty();
        if (const std::string rest = undo_text(change); is_emptied || rest.empty())
            remove_change(db, change.id);
        else
            run(s, change.id, rest);
        if (is_emptied)
            emptied.push_back(std::move(change));
    }
    return emptied;
}

std::vector<Change> changes(Database& db, int max) {
    SQLite::Statement s(*db.connection(),
                        "SELECT id, at, clock, what, undo FROM change ORDER BY id DESC LIMIT ?1");
    const auto read = [](RowReader& row) {
        Change change{
            .id = row.int64(), .at = row.int64(), .clock = row.int64(), .what = row.text()};
        read_undo(row.text(), change);
        return change;
    };
    return all_rows(s, read, max);
}

}  // namespace book
