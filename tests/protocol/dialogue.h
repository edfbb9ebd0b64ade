// A conversation with the protocol, by hand: lines in, lines out, and a searcher on strings.
#pragma once

#include "protocol/xboard.h"
#include "tests/protocol/fakes.h"

#include <deque>

class Dialogue {
  public:
    Dialogue()
        : out_([this](std::string_view line) {
              said.emplace_back(line.substr(0, line.size() - 1));
              return true;
          }),
          books_([this](const book::OpenOptions&) { return open(); }, {}, mail_),
          xboard_(searcher, books_, mail_, out_, {}) {}

    // A line from the client, and all that follows from it.
    void send(std::string_view line) {
        alive = xboard_.handle(protocol::Line{std::string(line), now});
        settle();
    }
    // Handles what is in the mailbox, without waiting for more. News from the book, which comes
    // when it likes, is kept for wait_for_book().
    void settle() {
        mail_.put(protocol::Line{"", protocol::Time::max()});
        for (bool more = true; more && alive;) {
            const protocol::Event event = mail_.take();
            const auto* const line = std::get_if<protocol::Line>(&event);
            if (line && line->arrived == protocol::Time::max())
                more = false;
            else if (const auto* news = std::get_if<protocol::BookMessage>(&event))
                news_.push_back(*news);
            else
                handle(event);
        }
    }
    // Waits for the book worker to tell something.
    void wait_for_book() {
        while (news_.empty()) {
            const protocol::Event event = mail_.take();
            if (const auto* news = std::get_if<protocol::BookMessage>(&event))
                news_.push_back(*news);
            else
                handle(event);
        }
        alive = xboard_.handle(news_.front());
        news_.pop_front();
    }
    // Waits until the book has answered once more what there is to search, and handles all up to
    // that.
    void wait_for_work() {
        while (answers_ == 0 && alive)
            handle(mail_.take());
        --answers_;
    }
    // Ends the book worker, so that the shelf holds all it was given.
    void finish() { books_.worker().finish(std::chrono::minutes(1)); }

    FakeSearcher searcher;
    Shelf shelf;
    std::deque<std::string> said;
    bool alive = true;
    protocol::Time now = engine::Clock::now();

  private:
    void handle(const protocol::Event& event) {
        answers_ += std::holds_alternative<protocol::BookWorkAnswer>(event) ? 1 : 0;
        alive = xboard_.handle(event);
    }
    Result<std::unique_ptr<book::Book>> open() {
        return std::unique_ptr<book::Book>(std::make_unique<FakeBook>(shelf));
    }

    protocol::Queue<protocol::Event> mail_;
    std::deque<protocol::BookMessage> news_;
    int answers_ = 0;  // about work, that nobody has waited for
    protocol::Output out_;
    protocol::Books books_;
    protocol::Xboard xboard_;
};
