// The book as the main thread sees it: its own Book to choose from, and the worker that learns.
#pragma once

#include "protocol/learning/book_worker.h"

#include <optional>

namespace protocol {

class Books {
  public:
    using Tell = std::function<void(BookNews)>;
    using Offer = std::function<void(BookWork)>;

    // `tell` may be called from the worker's thread and from here, `offer` from the worker's only.
    // A move waits for its book's opening no longer than `opening_wait`: more than it takes but on
    // a disk in trouble.
    Books(BookOpener open,
          book::OpenOptions options,
          Tell tell,
          Offer offer,
          std::chrono::milliseconds opening_wait = std::chrono::seconds(1));

    // Another experience file from now on; empty: the one given at the start; NoBook: none.
    void use_file(const std::string& file);

    std::optional<book::Chosen> choose(const engine::Game& game,
                                       const book::ChooseOptions& options);
    std::vector<book::Row> table(const engine::Position& pos, book::TimeClass time);
    std::string opening(const engine::Game& game);

    void note(book::GameRecord game);
    void learn(book::GameRecord game);

    // The answer comes by `offer`.
    void ask_work(const book::WorkOptions& options);
    void finish_work(book::Work work, std::vector<book::Finding> findings);

    // Lets the worker end its work. False if it could not within `longest`; then games that are not
    // learned yet are kept for the next opening.
    bool finish(std::chrono::milliseconds longest);

  private:
    book::Book* reading();
    void failed(const Error& error);

    BookOpener open_;
    Tell tell_;
    book::OpenOptions options_;
    std::chrono::milliseconds opening_wait_;
    std::filesystem::path first_experience_;
    BookWorker worker_;
    std::unique_ptr<book::Book> book_;
    bool tried_ = false;  // to open book_
    bool told_ = false;   // about a failure of book_
};

}  // namespace protocol
