// A book file: opened, created, checked and migrated here, and nothing else. The tables' contents
// belong to Positions, Games and Opponents. One thread only.
#pragma once

#include "engine/board/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace book {

class Database {
  public:
    // Opens the file for writing, creating it with its folders; reads only where it cannot be
    // written; `experience` false: reads only in any case, and the file must exist. Fails with one
    // sentence on a file that is no book, is damaged, or comes from a newer version.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, bool write);
    virtual ~Database() = default;

    [[nodiscard]] virtual SQLite::Database& handle() = 0;  // for the files that own statements
    [[nodiscard]] virtual bool read_only() const = 0;
    [[nodiscard]] virtual std::string notice() const = 0;  // for the user, or ""
    [[nodiscard]] virtual std::int64_t bytes() const = 0;

    // Takes the writer's lock; false if another process held it for two seconds. Not nested.
    virtual Result<bool> begin() = 0;
    virtual Result<void> commit() = 0;
    virtual void rollback() = 0;  // does nothing outside a transaction
    // Reads what one moment held, until the next rollback(); false inside a transaction, which does
    // so already. See Reading.
    virtual Result<bool> begin_reading() = 0;

    // Small named values; nothing if there is none of the name.
    virtual Result<std::optional<double>> number(const std::string& name) = 0;
    virtual Result<void> set_number(const std::string& name, double value) = 0;
    virtual Result<void> forget(const std::string& name) = 0;  // number or text
    virtual Result<std::optional<std::string>> text(const std::string& name) = 0;
    virtual Result<void> set_text(const std::string& name, const std::string& value) = 0;

    // SQLite's own check of the file's structure; "" if all is well.
    virtual Result<std::string> check() = 0;
    // A complete copy while others go on writing. The target must not exist.
    virtual Result<void> copy_to(const std::filesystem::path& target) = 0;
    // Makes one plain file of it, without a write-ahead log: for books that are installed.
    virtual Result<void> seal() = 0;
    // Bulk work: trades the promise to survive a power cut for speed; a killed process still loses
    // nothing.
    virtual Result<void> relax(bool relaxed) = 0;
};

// Rolls back unless committed.
class Transaction {
  public:
    // Nothing, if the lock could not be had in time.
    static Result<std::optional<Transaction>> begin(Database& db);
    Transaction(Transaction&& other) noexcept : db_(other.db_) { other.db_ = nullptr; }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Result<void> commit();

  private:
    explicit Transaction(Database& db) : db_(&db) {}
    Database* db_;
};
// The same where waiting longer is no use: fails if the lock could not be had in time.
Result<Transaction> begin_writing(Database& db);

// While it lives, all is read as it was at one moment, and the file is locked once instead of for
// each statement. Inside a transaction or another Reading it does nothing.
class Reading {
  public:
    static Result<Reading> begin(Database& db);
    Reading() = default;  // of nothing
    Reading(Reading&& other) noexcept : db_(other.db_) { other.db_ = nullptr; }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    Reading& operator=(Reading&&) = delete;
    ~Reading();

  private:
    explicit Reading(Database* db) : db_(db) {}
    Database* db_ = nullptr;
};

}  // namespace book
