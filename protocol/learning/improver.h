// Searches for the book while no game is in progress. For the main thread.
#pragma once

#include "protocol/io/output.h"
#include "protocol/learning/book_worker.h"

namespace protocol {

class Improver {
  public:
    // Both must outlive the improver.
    Improver(BookWorker& worker, Output& out) : worker_(worker), out_(out) {}

    // Asks the book what to search, unless a request is open, work is in progress, or the book had
    // no work when last asked.
    void request_work();
    void receive(const BookWorkAnswer& answer);
    // The book or its settings have changed: it may have work again.
    void book_changed() { no_work_left_ = false; }

    struct Search {
        engine::Game root;
        engine::Limits limits;
    };
    // The next search of the work in progress; empty if there is none. Finished work goes to the
    // book.
    std::optional<Search> next();
    // The result of the last search, if it was not halted.
    void searched(const engine::SearchResult& result);
    // Ends the work in progress; what was found so far goes to the book.
    void stop();

  private:
    void hand_in();

    BookWorker& worker_;
    Output& out_;
    bool requested_ = false, no_work_left_ = false;
    std::optional<book::WorkSearches> searches_;
};

}  // namespace protocol
