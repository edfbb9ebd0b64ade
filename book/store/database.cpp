#include "book/store/database.h"

#include "book/store/copies.h"
#include "book/store/failure.h"
#include "book/store/statement.h"
#include "book/store/tables/schema.h"
#include "engine/platform/file.h"
#include "engine/platform/program.h"

#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace book {
namespace {

namespace fs = std::filesystem;

constexpr int ApplicationId = 0x4E43'424B;  // "NCBK"
constexpr int BusyMilliseconds = static_cast<int>(UsualPatience.count());
constexpr int OneThread = SQLITE_OPEN_NOMUTEX;    // a connection belongs to one thread
constexpr std::uintmax_t SmallFile = 16'000'000;  // bytes; checked as a whole at every opening

std::string quoted(const fs::path& file) {
    return "book \"" + file.string() + "\"";
}

// Runs a function and adds the name of the file to the exceptions of SQLite.
template <typename Function>
auto naming(const fs::path& file, Function&& function) {
    try {
        return function();
    } catch (const SQLite::Exception& e) {
        const std::string what = quoted(file) + " " + describe(e);
        if (const int code = e.getErrorCode();
            code == SQLITE_BUSY || code == SQLITE_FULL || code == SQLITE_IOERR)
            throw PassingFailure(what);
        throw Failure(what);
    }
}

// What a reader made beside a read-only file is read-only too. Where the file can be written again,
// so must these files.
void let_write_beside(const fs::path& file) {
    std::error_code ignored;
    if (!engine::platform::is_writable(file))
        return;
    for (const char* const ending : {"-shm", "-wal"}) {
        const fs::path beside = fs::path(file) += ending;
        if (fs::exists(beside, ignored) && !engine::platform::is_writable(beside))
            fs::permissions(beside, fs::status(file, ignored).permissions(), ignored);
    }
}

// With `immutable`, a file in write-ahead mode can be read in a folder that cannot be written.
std::string read_only_uri(const fs::path& file) {
    std::string uri = "file:";
    for (const char c : file.string())
        uri += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02X}", c) : std::string(1, c);
    return uri + "?immutable=1";
}

// Changes whenever the file does; SQLite's counter of changes helps where times are coarse.
std::string lockless_stamp(const fs::path& file) {
    constexpr std::int64_t ChangeCounter = 24;  // its place in the header
    std::array<char, 4> counter{};
    (void)engine::platform::File(file, engine::platform::File::Mode::Read)
        .read_at(counter, ChangeCounter);
    return engine::platform::stamp_of(file) + std::string(counter.data(), counter.size());
}

struct Waiting {  // for another writer
    using Clock = std::chrono::steady_clock;
    Clock::time_point since{};
    std::chrono::milliseconds limit{UsualPatience};
};

// The busy handler: asks for a lock again every two milliseconds. SQLite's own handler waits longer
// each time, so that among many writers the one that has waited longest has the worst chance.
int wait_for_lock(void* waiting, int tries) {
    Waiting& w = *static_cast<Waiting*>(waiting);
    if (tries == 0)
        w.since = Waiting::Clock::now();
    else if (Waiting::Clock::now() - w.since > w.limit)
        return 0;
    engine::platform::pause(std::chrono::milliseconds(2));
    return 1;
}

}  // namespace

struct Database::Impl {
    Impl(const fs::path& name,
         const std::string& uri,
         int flags,
         std::chrono::milliseconds patience)
        : file(name), read_only((flags & SQLite::OPEN_READWRITE) == 0), waiting{.limit = patience},
          sql(uri, flags) {
        sqlite3_busy_handler(sql.getHandle(), wait_for_lock, &waiting);
    }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    // SQLite empties the write-ahead log when its last user closes it, unless that is a reader.
    // Whoever copies the file alone expects it whole.
    ~Impl() {
        if (!read_only)
            sql.tryExec("PRAGMA wal_checkpoint(PASSIVE)");
    }

    // Checks the file before any other use; creates the tables in a new one.
    void prepare();
    void create_tables();
    void use_write_ahead_log();
    void migrate();
    void bring_up_to_date(int version);
    void read_older(int version);

    [[nodiscard]] bool in_transaction() const {
        return sqlite3_get_autocommit(sql.getHandle()) == 0;
    }
    void rollback() noexcept {
        if (in_transaction())
            sql.tryExec("ROLLBACK");
    }
    // Returns false if another process held the lock too long.
    bool begin();
    void commit();

    // A statement kept for reuse, since every choice reads several numbers. Prepared on first use,
    // when the tables exist.
    using Kept = std::optional<SQLite::Statement>;
    SQLite::Statement& statement(Kept& kept, const char* text) {
        return kept ? *kept : kept.emplace(sql, text);
    }

    fs::path file;
    bool read_only, as_it_is = false;
    bool older = false;  // has views of the tables of an older format
    std::string notice;
    std::string lockless_stamp;  // at the opening; "" if SQLite notices the changes of others
    Waiting waiting;             // for wait_for_lock
    SQLite::Database sql;
    Kept read_setting, write_setting, begin_reading;
};

bool Database::Impl::begin() {
    try {
        sql.exec("BEGIN IMMEDIATE");
        int moved = 0;
        sqlite3_file_control(sql.getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
        if (moved == 0)
            return true;
        rollback();
        throw Failure(quoted(file) + " was moved or removed while it was open");
    } catch (const SQLite::Exception& e) {
        if (e.getErrorCode() == SQLITE_BUSY)
            return false;
        throw Failure(quoted(file) + " " + describe(e));
    }
}

void Database::Impl::commit() {
    naming(file, [this] { sql.exec("COMMIT"); });
}

void Database::Impl::create_tables() {
    SQLite::Transaction transaction(sql, SQLite::TransactionBehavior::EXCLUSIVE);
    if (sql.execAndGet("PRAGMA application_id").getInt() != ApplicationId) {
        sql.exec(Schema);
        sql.exec(fmt::format("PRAGMA application_id = {}", ApplicationId));
        sql.exec(fmt::format("PRAGMA user_version = {}", FormatVersion));
    }
    transaction.commit();
}

void Database::Impl::use_write_ahead_log() {
    constexpr int Milliseconds = 10;
    for (auto left = waiting.limit.count(); left > 0; left -= Milliseconds) {
        try {
            if (sql.execAndGet("PRAGMA journal_mode = WAL").getString() == "delete")
                notice = quoted(file) + " is on a file system without shared memory: only one "
                                        "program can use it at a time";
            return;
        } catch (const SQLite::Exception& e) {
            if (e.getErrorCode() != SQLITE_BUSY)
                throw;
        }
        sqlite3_sleep(Milliseconds);  // SQLite calls no busy handler for the lock needed here
    }
}

void Database::Impl::migrate() try {
    // Readers migrate, too: they may come before any writer does.
    std::optional<SQLite::Database> writer;
    if (read_only)
        writer.emplace(
            sqlite_name(file), SQLite::OPEN_READWRITE, static_cast<int>(waiting.limit.count()));
    SQLite::Database& db = writer ? *writer : sql;
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    bool copied = false;
    for (int v = db.execAndGet("PRAGMA user_version").getInt(); v < FormatVersion; ++v) {
        if (!copied) {
            // Others can read, but not write while the transaction is open.
            SQLite::Database reader(sqlite_name(file), SQLite::OPEN_READONLY, BusyMilliseconds);
            replace_by_copy(reader, copy_before(v, file));
            copied = true;
        }
        db.exec(FormatSteps.at(static_cast<std::size_t>(v - 1)).migrate);
        db.exec(fmt::format("PRAGMA user_version = {}", v + 1));
    }
    transaction.commit();
} catch (const Failure& e) {
    throw Failure(
        quoted(file) +
        " has an older format and was not converted, because it could not be copied: " + e.what());
}

void Database::Impl::read_older(int version) {
    sql.exec("PRAGMA temp_store = MEMORY");
    sql.exec(FormatSteps.at(static_cast<std::size_t>(version - 1)).read);
    older = true;
}

// Brings a book of an older format up to date. A reader that cannot do that reads it as it is.
void Database::Impl::bring_up_to_date(int version) try {
    constexpr int Tries = 30;  // of BusyMilliseconds each: another program may be copying the book
    if (read_only && as_it_is)
        return read_older(version);
    for (int i = 1;; ++i) {
        try {
            return migrate();
        } catch (const SQLite::Exception& e) {
            if (read_only || e.getErrorCode() != SQLITE_BUSY || i == Tries)
                throw;
        }
    }
} catch (const std::exception&) {
    if (!read_only)
        throw;
    read_older(version);
}

void Database::Impl::prepare() {
    sql.exec("BEGIN");  // another program may be making the tables at this moment
    const int application = sql.execAndGet("PRAGMA application_id").getInt();
    const int version = sql.execAndGet("PRAGMA user_version").getInt();
    const bool empty = sql.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
    sql.exec("COMMIT");
    if (application != ApplicationId) {
        if (!empty || application != 0)
            throw Failure(quoted(file) + " is not a book: another program made it");
        if (read_only)
            throw Failure(quoted(file) + " is empty");
        create_tables();
    } else if (version > FormatVersion) {
        throw Failure(fmt::format(
            "{} comes from a newer version (format {}, this program knows {}): update it",
            quoted(file),
            version,
            FormatVersion));
    } else if (version < 1) {
        throw Failure(quoted(file) + " " + IsDamaged);
    } else if (version < FormatVersion) {
        bring_up_to_date(version);
    }
    if (!read_only)
        use_write_ahead_log();
    sql.exec("PRAGMA synchronous = FULL");
    sql.exec("PRAGMA cache_size = -16000");
    std::error_code none;
    const std::uintmax_t size = fs::file_size(file, none);
    if (!none && size < SmallFile && sql.execAndGet("PRAGMA quick_check(1)").getString() != "ok")
        throw Failure(quoted(file) + " " + IsDamaged);
}

Database::Database(const fs::path& file,
                   bool write,
                   bool as_it_is,
                   std::chrono::milliseconds patience) {
    const auto open = [&](const std::string& uri, int flags) {
        impl_ = std::make_shared<Impl>(file, uri, flags | OneThread, patience);
        impl_->as_it_is = as_it_is;
    };
    const auto open_for_reading = [&] {
        try {
            open(sqlite_name(file), SQLite::OPEN_READONLY);
            impl_->sql.execAndGet("SELECT count(*) FROM sqlite_schema");
        } catch (const SQLite::Exception& e) {
            if (e.getErrorCode() != SQLITE_CANTOPEN && e.getErrorCode() != SQLITE_READONLY)
                throw;
            std::string stamp = lockless_stamp(file);
            open(read_only_uri(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
            impl_->lockless_stamp = std::move(stamp);
            std::error_code none;
            if (const auto bytes = fs::file_size(fs::path(file) += "-wal", none);
                !none && bytes > 0)
                impl_->notice = quoted(file) +
                                " is read without its last changes: its -wal file can be read only "
                                "if the folder can be written";
        }
        impl_->prepare();
    };
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
        throw Failure(quoted(file) + " is a folder, a pipe or a device, not a book");
    naming(file, [&] {
        if (!write)
            return open_for_reading();
        // Errors of the folder show when the file is opened.
        if (file != ":memory:" && file.has_parent_path())
            fs::create_directories(file.parent_path(), ignored);
        let_write_beside(file);
        try {
            open(sqlite_name(file), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        } catch (const SQLite::Exception& e) {
            if (e.getErrorCode() != SQLITE_CANTOPEN || !fs::exists(file, ignored))
                throw;
            return open_for_reading();
        }
        if (sqlite3_db_readonly(impl_->sql.getHandle(), "main") != 0)
            return open_for_reading();
        try {
            impl_->prepare();
        } catch (const SQLite::Exception& e) {  // where the -wal cannot be made beside the file
            if (e.getErrorCode() != SQLITE_READONLY && e.getErrorCode() != SQLITE_CANTOPEN)
                throw;
            open_for_reading();
        }
    });
}

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

bool Database::read_only() const {
    return impl_->read_only;
}

bool Database::reads_older_format() const {
    return impl_->older;
}

bool Database::outdated() const {
    return !impl_->lockless_stamp.empty() && impl_->lockless_stamp != lockless_stamp(impl_->file);
}

std::string Database::notice() const {
    return impl_->notice;
}

std::int64_t Database::bytes() const {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(impl_->file, none);
    return none ? 0 : static_cast<std::int64_t>(size);
}

std::shared_ptr<SQLite::Database> Database::connection() const {
    return {impl_, &impl_->sql};
}

namespace {

constexpr const char* ReadSetting = "SELECT value FROM meta WHERE name = ?1";
constexpr const char* WriteSetting = "INSERT OR REPLACE INTO meta VALUES (?1, ?2)";

}  // namespace

std::optional<double> Database::number(const std::string& name) {
    return first_row(
        impl_->statement(impl_->read_setting, ReadSetting),
        [](RowReader& row) { return row.real(); },
        name);
}

void Database::set_number(const std::string& name, double value) {
    run(impl_->statement(impl_->write_setting, WriteSetting), name, value);
}

std::optional<std::string> Database::text(const std::string& name) {
    return first_row(
        impl_->statement(impl_->read_setting, ReadSetting),
        [](RowReader& row) { return row.text(); },
        name);
}

void Database::set_text(const std::string& name, const std::string& value) {
    run(impl_->statement(impl_->write_setting, WriteSetting), name, value);
}

void Database::erase(const std::string& name) {
    SQLite::Statement erase(impl_->sql, "DELETE FROM meta WHERE name = ?1");
    run(erase, name);
}

std::string Database::integrity_check() {
    const std::string found = naming(impl_->file, [this] {
        return impl_->sql.execAndGet("PRAGMA integrity_check(1)").getString();
    });
    return found == "ok" ? "" : found;
}

void Database::copy_to(const fs::path& target) {
    if (fs::exists(target))
        throw Failure("\"" + target.string() + "\" exists already");
    replace_copy(target);
}

void Database::replace_copy(const fs::path& target) {
    replace_by_copy(impl_->sql, target);
}

std::error_code Database::remove_file(const fs::path& file) {
    std::error_code error;
    for (const char* const suffix : FileSuffixes)
        if (!error)
            fs::remove(fs::path(file) += suffix, error);
    return error;
}

void Database::seal() {
    naming(impl_->file, [this] {
        impl_->sql.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        impl_->sql.exec("PRAGMA journal_mode = DELETE");
        impl_->sql.exec("VACUUM");
    });
}

void Database::set_patience(std::chrono::milliseconds limit) {
    impl_->waiting.limit = limit;
}

void Database::set_synchronous(Synchronous mode) {
    impl_->sql.exec(mode == Synchronous::Full ? "PRAGMA synchronous = FULL"
                                              : "PRAGMA synchronous = NORMAL");
}

Transaction::Transaction(Database& db) : db_(db.impl_) {
    if (!db_->begin())
        throw Failure("another program is writing to the book");
}

Transaction::Transaction(std::shared_ptr<Database::Impl> db) : db_(std::move(db)) {}

std::optional<Transaction> Transaction::try_begin(Database& db) {
    return db.impl_->begin() ? std::optional(Transaction(db.impl_)) : std::nullopt;
}

Transaction::Transaction(Transaction&& other) noexcept = default;

Transaction::~Transaction() {
    if (db_)
        db_->rollback();
}

void Transaction::commit() {
    db_->commit();
    db_.reset();
}

ReadTransaction::ReadTransaction(Database& db) {
    if (db.impl_->in_transaction())
        return;
    run(db.impl_->statement(db.impl_->begin_reading, "BEGIN"));
    db_ = db.impl_;
}

ReadTransaction::~ReadTransaction() {
    if (db_)
        db_->rollback();
}

}  // namespace book
