// The book as the main thread sees it: a read-only Book to choose from, and the worker that learns.
#pragma once

#include "protocol/learning/book_worker.h"

#include <optional>

namespace protocol {

// book::check_experience in the program.
using BookChecker = std::function<Result<void>(const std::filesystem::path& experience,
                                               std::chrono::milliseconds patience)>;

class Books {
  public:
    // `mail` must outlive the Books. The first call that reads the book waits until the worker has
    // opened it, at most `opening_timeout`, and as each later game a quarter of a second if another
    // program has locked it; only a failing disk takes longer.
    Books(BookOpener open,
          book::OpenOptions options,
          Queue<Event>& mail,
          std::chrono::milliseconds opening_timeout = std::chrono::seconds(1),
          BookChecker check = book::check_experience);

    // Uses another book file from now on, which is created if it is missing; NoBook: none. If the
    // file cannot be used, nothing changes and the error says why. A book that is locked or whose
    // disk is full counts as usable: its games wait. What takes long, as to migrate
    // the book, is left to the worker.
    Result<void> use_file(const std::string& file);

    // Reads these books too from now on. Those that cannot be used are left out; the errors say
    // why.
    std::vector<std::string> use_further(const std::vector<std::filesystem::path>& files);

    // On an error these return nothing, as for an unknown position. The first error of a file is
    // sent to `mail`.
    std::optional<book::Chosen> choose(const engine::Game& game,
                                       const book::ChooseOptions& options);
    std::vector<book::Row> table(const engine::Position& pos, const book::ChooseOptions& options);
    // Why the last choose() returned nothing, or "".
    std::string left_because() { return reader_ ? reader_->left_because() : ""; }
    // The moves that the search should leave out then.
    book::TriedMoves tried() { return reader_ ? reader_->tried() : book::TriedMoves(); }
    std::string opening(const engine::Game& game);

    BookWorker& worker() { return worker_; }
    // Ends the worker, see BookWorker::finish(). The reader is closed first: SQLite moves the
    // write-ahead log into the file only if the last connection to close may write.
    bool finish(std::chrono::milliseconds timeout) {
        reader_.reset();
        return worker_.finish(timeout);
    }

  private:
    book::Book* reader();
    template <typename T>
    T value_or_report(Result<T> result);

    BookOpener open_;
    book::OpenOptions options_;
    Queue<Event>& mail_;
    std::chrono::milliseconds opening_timeout_;
    BookChecker check_;
    BookWorker worker_;
    std::unique_ptr<book::Book> reader_;
    bool open_attempted_ = false;  // of reader_
    bool reported_ = false;        // a failure of reader_
};

}  // namespace protocol
