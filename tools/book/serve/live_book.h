// The book that the live page shows: opened for reading, and reopened when its files have changed,
// so engines may learn into it meanwhile. One thread only. Functions may throw Failure or an
// exception of SQLite.
#pragma once

#include "book/probe/opening_names.h"
#include "tools/book/book_command.h"

namespace tools::book_command {

class LiveBook {
  public:
    explicit LiveBook(const Call& call) : call_(call) {}

    // Opens the files, and reopens them if they have changed. To be called before each files().
    void refresh();
    book::BookFiles& files() { return *files_; }
    // Differs after every change of the book, by this or another process. Opens no book.
    [[nodiscard]] std::string version() const;
    // The user's book, opened for a change by hand; files() are closed.
    book::Store writable();

    [[nodiscard]] const Call& call() const { return call_; }
    [[nodiscard]] const book::OpeningNames& names() const { return names_; }

  private:
    [[nodiscard]] std::string stamps(const char* suffix) const;

    const Call& call_;
    book::OpeningNames names_;
    std::optional<book::BookFiles> files_{};
    std::string opened_{};  // their stamps
    // With further books, or while an overlay may come: stamps of the logs at the last refresh().
    std::string counted_{};
};

}  // namespace tools::book_command
