#include "book/store/leases.h"

#include "book/store/statement.h"

#include <random>

#include <unistd.h>

namespace book {
namespace {

class SqliteLeases final : public Leases {
  public:
    explicit SqliteLeases(SQLite::Database& db) : db_(db) {}

    Result<bool> take(const Lease& lease, std::int64_t now) override try {
        SQLite::Statement held(db_,
                               "SELECT 1 FROM queue WHERE key = ?1 AND owner != ?2 AND lease > ?3");
        if (Use(held).with(to_sql(lease.key), lease.owner, now).executeStep())
            return false;
        SQLite::Statement write(db_, "INSERT OR REPLACE INTO queue VALUES (?1, ?2, ?3, ?4, ?5)");
        Use(write)
            .with(to_sql(lease.key), lease.fen, lease.priority, lease.owner, lease.until)
            .exec();
        return true;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<void> give_back(Key key, const std::string& owner) override try {
        SQLite::Statement remove(db_, "DELETE FROM queue WHERE key = ?1 AND owner = ?2");
        Use(remove).with(to_sql(key), owner).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::set<Key>> taken(const std::string& owner, std::int64_t now) override try {
        SQLite::Statement read(db_, "SELECT key FROM queue WHERE owner != ?1 AND lease > ?2");
        Use use(read);
        use.with(owner, now);
        std::set<Key> keys;
        while (read.executeStep())
            keys.insert(from_sql(long_column(read, 0)));
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
