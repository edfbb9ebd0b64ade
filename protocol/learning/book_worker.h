// The thread that writes to the book, so that neither a move nor a pong waits for a disk.
#pragma once

#include "protocol/io/event.h"
#include "protocol/io/queue.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

namespace protocol {

// Opens a book; book::Book::open in the program. Called from the main and from the worker thread.
using BookOpener =
    std::function<Result<std::unique_ptr<book::Book>>(const book::OpenOptions& options)>;

// In place of a book file: play and learn without a book.
inline constexpr std::string_view NoBook = "-";

// The thread opens a Book of its own as soon as it starts, and does its jobs in the order they were
// given. Its messages go to `mail`. All member functions are for the main thread.
class BookWorker {
  public:
    // `mail` must outlive the worker.
    BookWorker(BookOpener open, const book::OpenOptions& options, Queue<Event>& mail);
    ~BookWorker();  // does all jobs given so far, and joins the thread
    BookWorker(const BookWorker&) = delete;
    BookWorker& operator=(const BookWorker&) = delete;

    // Opens another book, after the jobs given so far.
    void open(const book::OpenOptions& options);
    void note(book::GameRecord game);
    void learn(book::GameRecord game);

    // Asks what to search. One BookWorkAnswer follows, unless the worker ends first.
    void request_work(const book::WorkOptions& options);
    void finish_work(book::Work work, std::vector<book::Finding> findings);

    // Waits until the worker has tried to open the book, which may have created its file.
    void wait_opened(std::chrono::milliseconds timeout);
    // Takes no more jobs, and returns true as soon as all are done. Returns false after `timeout`,
    // when the book is locked or slow. Games not learned yet are then saved in a file beside the
    // book, and learned when it is next opened.
    bool finish(std::chrono::milliseconds timeout);

  private:
    struct Unlearned {
        book::GameRecord game;
        std::filesystem::path experience;
    };

    void put_write(std::function<Result<void>(book::Book&)> write);
    void run();
    void open_now(const book::OpenOptions& options);
    void learn_now();
    void answer_work(const book::WorkOptions& options);
    void send(std::vector<std::string> lines, bool warning = false);
    [[nodiscard]] bool can_write() const { return book_ && !book_->read_only(); }
    bool wait_for(const bool& flag, std::chrono::milliseconds timeout);
    void set(bool& flag);

    const BookOpener open_;
    Queue<Event>& mail_;
    Queue<std::function<void()>> jobs_;  // an empty one ends the thread
    std::unique_ptr<book::Book> book_;   // used by the worker thread only

    std::mutex progress_mutex_;  // guards the next three
    bool opened_ = false, finished_ = false;
    std::deque<Unlearned> unlearned_;
    std::condition_variable progress_;

    std::filesystem::path experience_;  // used by the main thread only, as is the next
    bool stopping_ = false;
    std::jthread thread_;
};

}  // namespace protocol
