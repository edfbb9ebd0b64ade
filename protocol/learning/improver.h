// Idle extension: what is searched for the book while no game is on. For the main thread.
#pragma once

#include "protocol/io/output.h"
#include "protocol/learning/books.h"

namespace protocol {

class Improver {
  public:
    Improver(Books& books, Output& out) : books_(books), out_(out) {}

    // Asks the book what to search, unless it was asked, or had nothing left to do.
    void ask();
    // The book's answer.
    void take(const BookWork& answer);
    // The book has changed: it may have work again.
    void hope() { sated_ = false; }

    struct Search {
        engine::Game root;
        engine::Limits limits;
    };
    // The next search of the work at hand; nothing if there is none. Finished work goes to the
    // book.
    std::optional<Search> next();
    // The search given last ended by itself.
    void found(const engine::SearchResult& choice);
    // Gives up the work at hand; what was found of it goes to the book.
    void stop();

  private:
    void hand_in();

    Books& books_;
    Output& out_;
    bool asked_ = false, sated_ = false;
    std::optional<book::WorkSearches> searches_;
};

}  // namespace protocol
