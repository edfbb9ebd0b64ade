#include "book/store/leases.h"

#include "book/store/statement.h"
#include "engine/platform/program.h"

#include <random>

#include <fmt/format.h>

namespace book {

std::string unique_name() {
    std::random_device random;
    return fmt::format("{}-{}{}", engine::platform::process_number(), random(), random());
}

bool Leases::take(const Lease& lease, std::int64_t now) {
    const auto connection = db_.connection();
    SQLite::Statement held(*connection,
                           "SELECT 1 FROM queue WHERE key = ?1 AND owner != ?2 AND lease > ?3");
    if (BoundStatement(held, to_sql(lease.key), lease.owner, now).step())
        return false;
    SQLite::Statement write(*connection,
                            "INSERT OR REPLACE INTO queue VALUES (?1, ?2, ?3, ?4, ?5)");
    run(write, to_sql(lease.key), lease.fen, lease.priority, lease.owner, lease.until);
    return true;
}

void Leases::give_back(Key key, const std::string& owner) {
    SQLite::Statement remove(*db_.connection(), "DELETE FROM queue WHERE key = ?1 AND owner = ?2");
    run(remove, to_sql(key), owner);
}

std::set<Key> Leases::taken(const std::string& owner, std::int64_t now) {
    SQLite::Statement read(*db_.connection(),
                           "SELECT key FROM queue WHERE owner != ?1 AND lease > ?2");
    std::set<Key> keys;
    each_row(
        read, [&keys](RowReader& row) { keys.insert(from_sql(row.int64())); }, owner, now);
    return keys;
}

}  // namespace book
