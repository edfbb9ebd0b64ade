#include "book/store/changes.h"

#include "book/store/statement.h"

#include <sstream>

namespace book {
namespace {

tl::unexpected<Error> failure(const SQLite::Exception& e) {
    return fail(std::string("the book's list of changes: ") + e.what());
}

// One word and its numbers a line.
std::string undo_text(const Change& change) {
    std::ostringstream text;
    text << "clock " << change.clock << '\n';
    for (const Change::Mark& m : change.marks)
        text << "mark " << to_sql(m.key) << ' ' << m.move << ' ' << m.flags << '\n';
    for (const std::int64_t id : change.unlearned)
        text << "unlearned " << id << '\n';
    for (const std::int64_t id : change.relearned)
        text << "relearned " << id << '\n';
    return text.str();
}

void read_undo(const std::string& text, Change& change) {
    std::istringstream in(text);
    for (std::string word; in >> word;) {
        std::int64_t number = 0;
        in >> number;
        if (word == "clock") {
            change.clock = number;
        } else if (word == "unlearned") {
            change.unlearned.push_back(number);
        } else if (word == "relearned") {
            change.relearned.push_back(number);
        } else if (word == "mark") {
            Change::Mark mark{.key = from_sql(number)};
            in >> mark.move >> mark.flags;
            change.marks.push_back(mark);
        }
    }
}

}  // namespace

Result<void> add_change(Database& db, const Change& change) try {
    SQLite::Statement s(db.handle(),
                        "INSERT INTO change (at, who, what, undo) VALUES (?1, 'user', ?2, ?3)");
    Use(s).with(change.at, change.what, undo_text(change)).exec();
    return {};
} catch (const SQLite::Exception& e) {
    return failure(e);
}

Result<void> remove_change(Database& db, std::int64_t id) try {
    SQLite::Statement s(db.handle(), "DELETE FROM change WHERE id = ?1");
    Use(s).with(id).exec();
    return {};
} catch (const SQLite::Exception& e) {
    return failure(e);
}

Result<std::vector<Change>> changes(Database& db, int most) try {
    SQLite::Statement s(db.handle(),
                        "SELECT id, at, what, undo FROM change ORDER BY id DESC LIMIT ?1");
    s.bind(1, most);
    std::vector<Change> found;
    while (s.executeStep()) {
        Change change{.id = s.getColumn(0).getInt64(),
                      .at = s.getColumn(1).getInt64(),
                      .what = s.getColumn(2).getString()};
        read_undo(s.getColumn(3).getString(), change);
        found.push_back(std::move(change));
    }
    return found;
} catch (const SQLite::Exception& e) {
    return failure(e);
}

}  // namespace book
