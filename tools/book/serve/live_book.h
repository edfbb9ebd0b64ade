// The book that the live page shows: opened for reading, and again when its files are others, so
// that engines may learn into it meanwhile. One thread only. Functions may throw Failure or an
// exception of SQLite.
#pragma once

#include "book/probe/opening_names.h"
#include "tools/book/book_command.h"

namespace tools::book_command {

class LiveBook {
  public:
    explicit LiveBook(const Call& call) : call_(call) {}

    // Opens its files, again if others have taken their place. Before each use of files().
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
    // With further books: stamps of the logs when it was found out which of their games count.
    std::string counted_{};
};

}  // namespace tools::book_command
