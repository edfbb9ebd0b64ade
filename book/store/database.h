// A book file: opened, created, checked and migrated. The contents of its tables belong to
// Positions, Games, Opponents, Leases and changes.h. One thread only. Every function may throw
// Failure or an exception of SQLite, unless noted.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace book {

// The files of a book: its own, and those that SQLite keeps beside it.
inline constexpr std::array<const char*, 4> FileSuffixes{"", "-wal", "-shm", "-journal"};

// How long to wait for another program's lock, unless told otherwise.
inline constexpr std::chrono::milliseconds UsualPatience{2'000};

class Database {
  public:
    // `write`: opens the file for writing and creates it with its folders if it is missing; falls
    // back to reading where it cannot be written. Without `write` the file must exist. ":memory:"
    // works. A book of an older format is copied and then migrated, unless it is only read with
    // `as_it_is`. Throws Failure on a file that is no book, is damaged, has a newer format, or is
    // locked for longer than the patience.
    Database(const std::filesystem::path& file,
             bool write,
             bool as_it_is = false,
             std::chrono::milliseconds patience = UsualPatience);
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    [[nodiscard]] bool read_only() const;
    // True if the file had an older format and could not or should not be written: what is derived
    // from own games has the old values.
    [[nodiscard]] bool reads_older_format() const;
    // True if the file is read without locks, because its folder cannot be written, and has been
    // written since it was opened: open it again, or old and new pages are mixed. Does not throw.
    [[nodiscard]] bool outdated() const;
    [[nodiscard]] std::string notice() const;  // a warning for the user, or ""; does not throw
    [[nodiscard]] std::int64_t bytes() const;  // size of the file, 0 if unknown; does not throw

    // Named settings; nothing if there is none of the name.
    std::optional<double> number(const std::string& name);
    void set_number(const std::string& name, double value);
    std::optional<std::string> text(const std::string& name);
    void set_text(const std::string& name, const std::string& value);
    void erase(const std::string& name);  // a number or a text

    // SQLite's own check of the file's structure: the first fault, or "".
    std::string integrity_check();
    // Make a complete copy while others go on writing; a failure leaves no target. For copy_to()
    // the target must not exist; replace_copy() replaces it, or waits if another process is making
    // the copy.
    void copy_to(const std::filesystem::path& target);
    void replace_copy(const std::filesystem::path& target);
    // Removes a file and SQLite's files beside it, if they exist. Call it in a Transaction that has
    // copied the contents elsewhere; later Transactions of others that have the file open fail.
    static std::error_code remove_file(const std::filesystem::path& file);
    // Turns the file into a plain one without a write-ahead log, for books that are installed.
    void seal();
    // Full, the default, survives a power cut after each commit. Normal is for bulk work: a power
    // cut may lose the last commits, a killed process still loses nothing.
    enum class Synchronous { Normal, Full };
    void set_synchronous(Synchronous mode);
    // How long a Transaction waits for another writer.
    void set_patience(std::chrono::milliseconds limit);

    // Only for book/store/ and the folders below it: tables share the connection and keep it open.
    [[nodiscard]] std::shared_ptr<SQLite::Database> connection() const;

  private:
    friend class Transaction;
    friend class ReadTransaction;
    struct Impl;
    std::shared_ptr<Impl> impl_;  // stable in memory when the Database moves
};

// A write transaction; rolls back unless committed. Must not be nested, nor outlive its Database.
class Transaction {
  public:
    // Throws Failure if another process holds the writer's lock longer than the patience.
    explicit Transaction(Database& db);
    // Returns nothing in that case.
    static std::optional<Transaction> try_begin(Database& db);
    Transaction(Transaction&& other) noexcept;
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    // If it throws, nothing was written.
    void commit();

  private:
    explicit Transaction(std::shared_ptr<Database::Impl> db);
    std::shared_ptr<Database::Impl> db_;  // null once it has ended
};

// While it lives, all reads see the book as it was at one moment, and the file is locked once
// instead of for each statement. Does nothing inside a transaction of either kind.
class ReadTransaction {
  public:
    explicit ReadTransaction(Database& db);
    ReadTransaction() = default;  // of no book
    ReadTransaction(ReadTransaction&&) noexcept = default;
    ReadTransaction(const ReadTransaction&) = delete;
    ReadTransaction& operator=(const ReadTransaction&) = delete;
    ReadTransaction& operator=(ReadTransaction&&) = delete;
    ~ReadTransaction();

  private:
    std::shared_ptr<Database::Impl> db_;  // null: nothing to end
};

}  // namespace book
