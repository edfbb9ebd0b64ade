#include "book/store/database.h"

#include "book/store/statement.h"

#include <chrono>
#include <utility>

#include <poll.h>
#include <sqlite3.h>

namespace book {
namespace {

namespace fs = std::filesystem;

constexpr int ApplicationId = 0x4E43'424B;  // "NCBK"
constexpr int FormatVersion = 2;
constexpr int BusyMilliseconds = 2000;            // how long to wait for another writer
constexpr int Alone = SQLITE_OPEN_NOMUTEX;        // a connection belongs to one thread
constexpr std::uintmax_t SmallFile = 16'000'000;  // checked whole at every opening

constexpr const char* Schema = R"(
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE source (                    -- one row: one file of games that was imported
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, digest BLOB, bytes INTEGER NOT NULL,
    added INTEGER NOT NULL,              -- seconds since 1970
    games INTEGER NOT NULL, moves INTEGER NOT NULL, settings TEXT NOT NULL) STRICT;
CREATE TABLE imported (hash INTEGER PRIMARY KEY) STRICT;  -- every game that was imported, by its content
CREATE TABLE edge (                      -- one row: one move in imported games
    key INTEGER NOT NULL,                -- PolyGlot's key of the position
    move INTEGER NOT NULL,               -- 16 bits, complemented when Black moves
    -- One game as a number: outcome (0 White won, 1 drawn, 2 Black won, 3 unknown) + 4 * year code (0 unknown,
    -- else year - 1899) + 1024 * the mover's rating (0 unknown). More as a blob of numbers of 7 bits a byte, low
    -- ones first: White won, drawn, Black won, unknown, rated games, sum of their ratings, latest year's code.
    counts ANY NOT NULL,
    PRIMARY KEY (key, move)) STRICT, WITHOUT ROWID;
CREATE TABLE analysis (                  -- what a search said of a move
    key INTEGER NOT NULL, move INTEGER NOT NULL, cp INTEGER NOT NULL,  -- the mover's
    depth INTEGER NOT NULL, nodes INTEGER NOT NULL, engine TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (key, move)) STRICT, WITHOUT ROWID;
CREATE TABLE flag (key INTEGER NOT NULL, move INTEGER NOT NULL, flags INTEGER NOT NULL,
    PRIMARY KEY (key, move)) STRICT, WITHOUT ROWID;
CREATE TABLE opponent (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, server TEXT NOT NULL COLLATE NOCASE,
    computer INTEGER NOT NULL, rating INTEGER NOT NULL,
    games INTEGER NOT NULL DEFAULT 0, wins INTEGER NOT NULL DEFAULT 0, draws INTEGER NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0,   -- ours
    sn REAL NOT NULL DEFAULT 0, ss REAL NOT NULL DEFAULT 0,  -- decayed: games, our overperformance in them
    last INTEGER NOT NULL DEFAULT 0, UNIQUE (name, server)) STRICT;
CREATE TABLE opponent_line (             -- positions after our move that this opponent beat
    opponent INTEGER NOT NULL, key INTEGER NOT NULL, losses INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (opponent, key)) STRICT, WITHOUT ROWID;
CREATE TABLE game (                      -- own games: the truth that the tables below are made of
    id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, content INTEGER NOT NULL,  -- hash of start, moves, result
    clock INTEGER NOT NULL, epoch INTEGER NOT NULL, played INTEGER NOT NULL, side INTEGER NOT NULL,
    opponent INTEGER, own_rating INTEGER NOT NULL, their_rating INTEGER NOT NULL, class INTEGER NOT NULL,
    score REAL, term INTEGER NOT NULL,
    state INTEGER NOT NULL,              -- 0 pending, 1 applied, 2 unlearned, 3 rejected
    exit_ply INTEGER, exit_cp INTEGER NOT NULL, exit_depth INTEGER NOT NULL,
    weight REAL NOT NULL, result REAL NOT NULL, overperformance REAL NOT NULL,  -- fixed when the game was learned
    engine TEXT NOT NULL, reason TEXT NOT NULL, start TEXT, moves BLOB NOT NULL, draws TEXT NOT NULL,
    exit_key INTEGER, analysed_cp INTEGER) STRICT;  -- fixed too; the second: of our last book move, ours
CREATE INDEX game_content ON game (content);
CREATE INDEX game_clock ON game (clock);
CREATE INDEX game_applied ON game (clock) WHERE state = 1;
CREATE TABLE node (                      -- positions of own games
    key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL,  -- side: ours
    bits INTEGER NOT NULL,               -- 32 bits of a second hash
    rank INTEGER NOT NULL,               -- rises along every line
    n INTEGER NOT NULL, exits INTEGER NOT NULL, s0 REAL NOT NULL, s1 REAL NOT NULL,
    cp INTEGER, cp_depth INTEGER NOT NULL, cp_at INTEGER NOT NULL,
    v REAL NOT NULL, e REAL NOT NULL, t INTEGER NOT NULL,
    PRIMARY KEY (key, side, class)) STRICT, WITHOUT ROWID;
CREATE TABLE visit (                     -- moves of own games
    key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL, move INTEGER NOT NULL,
    child INTEGER NOT NULL, n INTEGER NOT NULL,
    exits INTEGER NOT NULL,              -- games that left the book here and went on with this move
    wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    PRIMARY KEY (key, side, class, move)) STRICT, WITHOUT ROWID;
CREATE INDEX visit_child ON visit (child, side, class);
CREATE TABLE queue (key INTEGER PRIMARY KEY, fen TEXT NOT NULL, priority REAL NOT NULL, owner TEXT NOT NULL,
    lease INTEGER NOT NULL) STRICT;
CREATE TABLE change (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
    undo TEXT NOT NULL) STRICT;
)";

// Of books made before calibration was a function of the log.
constexpr const char* FromFormat1 = R"(
ALTER TABLE game ADD COLUMN exit_key INTEGER;
ALTER TABLE game ADD COLUMN analysed_cp INTEGER;
CREATE INDEX game_applied ON game (clock) WHERE state = 1;
)";

std::string quoted(const fs::path& file) {
    return "book \"" + file.string() + "\"";
}

// Why SQLite could not, in our words where we know better.
std::string because(const SQLite::Exception& e) {
    switch (e.getErrorCode()) {
    case SQLITE_NOTADB:
        return "is not a book: it is no SQLite file";
    case SQLITE_CORRUPT:
        return "is damaged";
    case SQLITE_CANTOPEN:
        return "cannot be opened";
    case SQLITE_FULL:
        return "cannot be written: the disk is full";
    default:
        return std::string("cannot be used: ") + e.what();
    }
}

class SqliteDatabase final : public Database {
  public:
    SqliteDatabase(std::unique_ptr<SQLite::Database> db, fs::path file, bool read_only)
        : db_(std::move(db)), file_(std::move(file)), read_only_(read_only) {}

    SQLite::Database& handle() override { return *db_; }
    bool read_only() const override { return read_only_; }
    std::string notice() const override { return notice_; }
    std::int64_t bytes() const override {
        std::error_code none;
        const std::uintmax_t size = fs::file_size(file_, none);
        return none ? 0 : static_cast<std::int64_t>(size);
    }

    Result<bool> begin() override try {
        db_->exec("BEGIN IMMEDIATE");
        return true;
    } catch (const SQLite::Exception& e) {
        if (e.getErrorCode() == SQLITE_BUSY)
            return false;
        return failure(e);
    }
    Result<bool> begin_reading() override try {
        if (sqlite3_get_autocommit(db_->getHandle()) == 0)
            return false;
        Use(statement(begin_, "BEGIN")).with().exec();
        return true;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> commit() override try {
        db_->exec("COMMIT");
        return {};
    } catch (const SQLite::Exception& e) {
        rollback();
        return failure(e);
    }
    void rollback() override {
        if (sqlite3_get_autocommit(db_->getHandle()) == 0)
            db_->tryExec("ROLLBACK");
    }

    Result<std::optional<double>> number(const std::string& name) override try {
        Use use(statement(read_, "SELECT value FROM meta WHERE name = ?1"));
        if (!use.with(name).executeStep())
            return std::optional<double>();
        return std::optional<double>(read_->getColumn(0).getDouble());
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> set_number(const std::string& name, double value) override try {
        Use use(statement(write_, "INSERT OR REPLACE INTO meta VALUES (?1, ?2)"));
        use.with(name, value).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> forget(const std::string& name) override try {
        SQLite::Statement remove(*db_, "DELETE FROM meta WHERE name = ?1");
        Use(remove).with(name).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<std::optional<std::string>> text(const std::string& name) override try {
        SQLite::Statement read(*db_, "SELECT value FROM meta WHERE name = ?1");
        Use use(read);
        if (!use.with(name).executeStep())
            return std::optional<std::string>();
        return std::optional<std::string>(read.getColumn(0).getString());
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> set_text(const std::string& name, const std::string& value) override try {
        SQLite::Statement write(*db_, "INSERT OR REPLACE INTO meta VALUES (?1, ?2)");
        Use(write).with(name, value).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::string> check() override try {
        const std::string found = db_->execAndGet("PRAGMA integrity_check(1)").getString();
        return found == "ok" ? std::string() : found;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> copy_to(const fs::path& target) override try {
        if (fs::exists(target))
            return fail("\"" + target.string() + "\" exists already");
        SQLite::Statement copy(*db_, "VACUUM INTO ?1");
        Use(copy).with(target.string()).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return fail("copying to \"" + target.string() + "\": " + e.what());
    }
    Result<void> seal() override try {
        db_->exec("PRAGMA wal_checkpoint(TRUNCATE)");
        db_->exec("PRAGMA journal_mode = DELETE");
        db_->exec("VACUUM");
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> relax(bool relaxed) override try {
        db_->exec(relaxed ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    void* waiting_since() { return &waiting_since_; }
    // What must hold before anything else is done with the file; creates the tables in a new one.
    Result<void> prepare();

  private:
    tl::unexpected<Error> failure(const SQLite::Exception& e) const {
        return fail(quoted(file_) + " " + because(e));
    }
    struct Identity {
        int application = 0, version = 0;
        bool empty = false;  // without any table
    };
    Identity identity();
    Result<void> create();
    void log_ahead();
    Result<void> migrate();

    // Kept, since every choice reads several numbers; made when first wanted, when there are
    // tables.
    using Kept = std::unique_ptr<SQLite::Statement>;
    SQLite::Statement& statement(Kept& kept, const char* sql) {
        if (!kept)
            kept = std::make_unique<SQLite::Statement>(*db_, sql);
        return *kept;
    }

    std::chrono::steady_clock::time_point waiting_since_{};  // for a lock; outlives db_
    std::unique_ptr<SQLite::Database> db_;
    Kept read_, write_, begin_;
    fs::path file_;
    bool read_only_;
    std::string notice_;
};

SqliteDatabase::Identity SqliteDatabase::identity() {
    db_->exec("BEGIN");  // another program may be making the tables at this moment
    const Identity found{db_->execAndGet("PRAGMA application_id").getInt(),
                         db_->execAndGet("PRAGMA user_version").getInt(),
                         db_->execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0};
    db_->exec("COMMIT");
    return found;
}

Result<void> SqliteDatabase::create() try {
    db_->exec("BEGIN EXCLUSIVE");
    if (db_->execAndGet("PRAGMA application_id").getInt() != ApplicationId) {
        db_->exec(Schema);
        db_->exec("PRAGMA application_id = " + std::to_string(ApplicationId));
        db_->exec("PRAGMA user_version = " + std::to_string(FormatVersion));
    }
    db_->exec("COMMIT");
    return {};
} catch (const SQLite::Exception& e) {
    rollback();
    return failure(e);
}

void SqliteDatabase::log_ahead() {
    constexpr int Tries = 200, Milliseconds = 10;
    for (int i = 0; i < Tries; ++i) {
        try {
            if (db_->execAndGet("PRAGMA journal_mode = WAL").getString() == "delete")
                notice_ = quoted(file_) +
                          " lies on a file system without shared memory: one program at a time";
            return;
        } catch (const SQLite::Exception& e) {
            if (e.getErrorCode() != SQLITE_BUSY)
                throw;
        }
        sqlite3_sleep(Milliseconds);  // SQLite does not wait for the lock that this takes
    }
}

Result<void> SqliteDatabase::migrate() try {
    // Readers migrate, too: they may come before any writer does.
    std::unique_ptr<SQLite::Database> writer;
    if (read_only_)
        writer = std::make_unique<SQLite::Database>(
            file_.string(), SQLite::OPEN_READWRITE, BusyMilliseconds);
    SQLite::Database& db = writer ? *writer : *db_;
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    if (db.execAndGet("PRAGMA user_version").getInt() < FormatVersion) {
        db.exec(FromFormat1);
        db.exec("PRAGMA user_version = " + std::to_string(FormatVersion));
    }
    transaction.commit();
    return {};
} catch (const SQLite::Exception& e) {
    return fail(quoted(file_) +
                " is of an older format and cannot be brought up to date: " + e.what());
}

Result<void> SqliteDatabase::prepare() try {
    const Identity found = identity();
    if (found.application != ApplicationId) {
        if (!found.empty || found.application != 0)
            return fail(quoted(file_) + " is not a book: another program made it");
        if (read_only_)
            return fail(quoted(file_) + " is empty");
        if (const Result<void> made = create(); !made)
            return made;
    } else if (found.version > FormatVersion) {
        return fail(quoted(file_) + " comes from a newer version (format " +
                    std::to_string(found.version) + ", this program knows " +
                    std::to_string(FormatVersion) + ")");
    } else if (found.version < FormatVersion) {
        if (const Result<void> migrated = migrate(); !migrated)
            return migrated;
    }
    if (!read_only_)
        log_ahead();
    db_->exec("PRAGMA synchronous = FULL");
    db_->exec("PRAGMA cache_size = -16000");
    std::error_code none;
    const std::uintmax_t size = fs::file_size(file_, none);
    if (!none && size < SmallFile && db_->execAndGet("PRAGMA quick_check(1)").getString() != "ok")
        return fail(quoted(file_) + " is damaged");
    return {};
} catch (const SQLite::Exception& e) {
    return failure(e);
}

// With `immutable`, a file in write-ahead mode can be read in a folder that cannot be written.
std::string read_only_uri(const fs::path& file) {
    std::string uri = "file:";
    for (const char c : file.string()) {
        if (c == '?' || c == '#' || c == '%') {
            constexpr const char* Hex = "0123456789ABCDEF";
            uri += {'%', Hex[c >> 4 & 15], Hex[c & 15]};
        } else {
            uri += c;
        }
    }
    return uri + "?immutable=1";
}

// Asks for a lock again every two milliseconds. SQLite's own handler waits longer each time, so
// that among many writers whoever has waited long has the worst chance.
int wait_for_lock(void* since, int asked_before) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point& begun = *static_cast<Clock::time_point*>(since);
    if (asked_before == 0)
        begun = Clock::now();
    else if (Clock::now() - begun > std::chrono::milliseconds(BusyMilliseconds))
        return 0;
    ::poll(nullptr, 0, 2);
    return 1;
}

Result<std::unique_ptr<Database>>
prepared(std::unique_ptr<SQLite::Database> db, const fs::path& file, bool read_only) {
    SQLite::Database& raw = *db;
    auto opened = std::make_unique<SqliteDatabase>(std::move(db), file, read_only);
    sqlite3_busy_handler(raw.getHandle(), wait_for_lock, opened->waiting_since());
    if (const Result<void> ready = opened->prepare(); !ready)
        return tl::unexpected<Error>(ready.error());
    return opened;
}

Result<std::unique_ptr<Database>> open_for_reading(const fs::path& file) try {
    try {
        auto db = std::make_unique<SQLite::Database>(
            file.string(), SQLite::OPEN_READONLY | Alone, BusyMilliseconds);
        db->execAndGet("SELECT count(*) FROM sqlite_schema");
        return prepared(std::move(db), file, true);
    } catch (const SQLite::Exception& e) {
        if (e.getErrorCode() != SQLITE_CANTOPEN && e.getErrorCode() != SQLITE_READONLY)
            throw;
        return prepared(std::make_unique<SQLite::Database>(
                            read_only_uri(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI | Alone),
                        file,
                        true);
    }
} catch (const SQLite::Exception& e) {
    return fail(quoted(file) + " " + because(e));
}

bool is_there(const fs::path& file) {
    std::error_code none;
    return fs::exists(file, none);
}

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const fs::path& file, bool write) try {
    if (!write)
        return open_for_reading(file);
    const bool in_memory = file == ":memory:";
    std::error_code trouble;
    if (!in_memory && file.has_parent_path())
        fs::create_directories(file.parent_path(),
                               trouble);  // what is wrong shows in the next step
    try {
        auto db = std::make_unique<SQLite::Database>(
            file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | Alone, BusyMilliseconds);
        if (sqlite3_db_readonly(db->getHandle(), "main") == 0)
            return prepared(std::move(db), file, false);
    } catch (const SQLite::Exception& e) {
        if (e.getErrorCode() != SQLITE_CANTOPEN || !is_there(file))
            throw;
    }
    return open_for_reading(file);
} catch (const SQLite::Exception& e) {
    return fail(quoted(file) + " " + because(e));
}

Result<std::optional<Transaction>> Transaction::begin(Database& db) {
    const Result<bool> begun = db.begin();
    if (!begun)
        return tl::unexpected<Error>(begun.error());
    if (!*begun)
        return std::optional<Transaction>();
    return std::optional<Transaction>(Transaction(db));
}

Result<Transaction> begin_writing(Database& db) {
    Result<std::optional<Transaction>> transaction = Transaction::begin(db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    if (!*transaction)
        return fail("another program is writing to the book");
    return std::move(**transaction);
}

Result<Reading> Reading::begin(Database& db) {
    const Result<bool> begun = db.begin_reading();
    if (!begun)
        return tl::unexpected<Error>(begun.error());
    return Reading(*begun ? &db : nullptr);
}

Reading::~Reading() {
    if (db_)
        db_->rollback();
}

Transaction::~Transaction() {
    if (db_)
        db_->rollback();
}

Result<void> Transaction::commit() {
    Database* db = std::exchange(db_, nullptr);
    return db->commit();
}

}  // namespace book
