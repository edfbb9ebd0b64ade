#include "book/lease.h"

#include <random>

#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

namespace book {
namespace {

class SqliteLeases final : public Leases {
  public:
    explicit SqliteLeases(SQLite::Database& db) : db_(db) {}

    Result<bool> take(const Lease& lease, std::int64_t now) override try {
        SQLite::Statement held(db_,
                               "SELECT 1 FROM queue WHERE key = ?1 AND owner != ?2 AND lease > ?3");
        held.bind(1, to_sql(lease.key));
        held.bind(2, lease.owner);
        held.bind(3, now);
        if (held.executeStep())
            return false;
        SQLite::Statement write(db_, "INSERT OR REPLACE INTO queue VALUES (?1, ?2, ?3, ?4, ?5)");
        write.bind(1, to_sql(lease.key));
        write.bind(2, lease.fen);
        write.bind(3, lease.priority);
        write.bind(4, lease.owner);
        write.bind(5, lease.until);
        write.exec();
        return true;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<void> give_back(Key key, const std::string& owner) override try {
        SQLite::Statement remove(db_, "DELETE FROM queue WHERE key = ?1 AND owner = ?2");
        remove.bind(1, to_sql(key));
        remove.bind(2, owner);
        remove.exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::set<Key>> taken(const std::string& owner, std::int64_t now) override try {
        SQLite::Statement read(db_, "SELECT key FROM queue WHERE owner != ?1 AND lease > ?2");
        read.bind(1, owner);
        read.bind(2, now);
        std::set<Key> keys;
        while (read.executeStep())
            keys.insert(from_sql(read.getColumn(0).getInt64()));
        return keys;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

  private:
    static tl::unexpected<Error> failure(const SQLite::Exception& e) {
        return fail(std::string("the book's list of work: ") + e.what());
    }

    SQLite::Database& db_;
};

}  // namespace

std::string unique_name() {
    std::random_device random;
    return std::to_string(::getpid()) + '-' + std::to_string(random()) + std::to_string(random());
}

Result<std::unique_ptr<Leases>> Leases::on(Database& db) {
    return std::make_unique<SqliteLeases>(db.handle());
}

}  // namespace book
