// Learning on a thread of its own, so that no move and no pong ever waits for a disk.
#pragma once

#include "book/book.h"
#include "protocol/io/event.h"
#include "protocol/io/queue.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <variant>

namespace protocol {

// How a book is opened; book::Book::open in the program.
using BookOpener =
    std::function<Result<std::unique_ptr<book::Book>>(const book::OpenOptions& options)>;

// As the experience file: no book at all.
inline constexpr std::string_view NoBook = "-";

// The thread opens its own Book, at once. Its member functions are for the main thread.
class BookWorker {
  public:
    // `tell` gets what people may want to know, from the worker's thread.
    // `offer` gets the answers to ask_work(), likewise.
    BookWorker(BookOpener open,
               book::OpenOptions options,
               std::function<void(BookNews)> tell,
               std::function<void(BookWork)> offer);
    ~BookWorker();  // does what is left to do, and joins
    BookWorker(const BookWorker&) = delete;
    BookWorker& operator=(const BookWorker&) = delete;

    // Another book, after the jobs given so far.
    void open(book::OpenOptions options);
    void note(book::GameRecord game) { jobs_.put(Note{std::move(game)}); }
    void learn(book::GameRecord game);

    // Every call is answered once, unless the worker ends before.
    void ask_work(book::WorkOptions options) { jobs_.put(options); }
    void finish_work(book::Work work, std::vector<book::Finding> findings) {
        jobs_.put(Found{std::move(work), std::move(findings)});
    }

    // Waits until the book was tried to be opened, so that its file is there for others.
    void wait_opened(std::chrono::milliseconds longest);
    // Takes no more jobs. False if those it has are not done after `longest`, because the book is
    // locked or slow; then the games among them wait beside the book for its next opening.
    bool finish(std::chrono::milliseconds longest);

  private:
    struct Note {
        book::GameRecord game;
    };
    struct Learn {};  // the first of unlearned_
    struct Found {
        book::Work work;
        std::vector<book::Finding> findings;
    };
    struct Stop {};
    struct Unlearned {
        book::GameRecord game;
        std::filesystem::path experience;
    };
    using Job = std::variant<book::OpenOptions, Note, Learn, book::WorkOptions, Found, Stop>;

    void work();
    void run(const book::OpenOptions& options);
    void run(const Note& note);
    void run(const Learn&);
    void learn_now(const book::GameRecord& game);
    void run(const book::WorkOptions& wanted);
    void run(const Found& found);
    void run(const Stop&) {}
    bool wait_for(bool BookWorker::*what, std::chrono::milliseconds longest);
    void set(bool BookWorker::*what);

    BookOpener open_;
    std::function<void(BookNews)> tell_;
    std::function<void(BookWork)> offer_;
    Queue<Job> jobs_;
    std::unique_ptr<book::Book> book_;  // the worker's own

    std::mutex progress_mutex_;  // guards the three below
    bool opened_ = false, finished_ = false;
    std::deque<Unlearned> unlearned_;
    std::condition_variable progress_;
    std::filesystem::path experience_;  // this and the next: the main thread's
    bool stopping_ = false;
    std::jthread thread_;
};

}  // namespace protocol
