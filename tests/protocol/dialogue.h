// The protocol without a program around it: lines in, lines out, a fake searcher and a fake book.
#pragma once

#include "protocol/session.h"
#include "protocol/xboard.h"
#include "tests/protocol/fakes.h"

#include <deque>

#include <boost/test/unit_test.hpp>

class Dialogue {
  public:
    explicit Dialogue(const protocol::Xboard::Resources& resources = {})
        : out_([this](std::string_view line) {
              said.emplace_back(line.substr(0, line.size() - 1));
              return true;
          }),
          books_([this](const book::OpenOptions&) { return open(); }, {}, mail_),
          session_({searcher, books_, mail_, out_}, {}, resources) {}

    // Sends a line from the client, and handles all events that follow from it.
    void send(std::string_view line) {
        alive = session_.handle(protocol::Line{std::string(line), now});
        settle();
    }
    // Handles the events in the mailbox without waiting for more. Messages of the book worker come
    // at any time and are kept for wait_for_book().
    void settle() {
        mail_.put(protocol::Line{"", protocol::Time::max()});
        for (bool more = true; more && alive;) {
            const protocol::Event event = mail_.take();
            const auto* const line = std::get_if<protocol::Line>(&event);
            if (line && line->arrived == protocol::Time::max())
                more = false;
            else if (const auto* message = std::get_if<protocol::BookMessage>(&event))
                messages_.push_back(*message);
            else
                handle(event);
        }
    }
    // Lets the time pass until the next alarm.
    void wait_for_alarm() {
        const std::optional<protocol::Time> due = session_.alarm();
        BOOST_TEST_REQUIRE(due.has_value());
        alive = session_.handle(protocol::Alarm{*due});
    }
    // Waits for a message of the book worker.
    void wait_for_book() {
        while (messages_.empty()) {
            const protocol::Event event = mail_.take();
            if (const auto* message = std::get_if<protocol::BookMessage>(&event))
                messages_.push_back(*message);
            else
                handle(event);
        }
        alive = session_.handle(messages_.front());
        messages_.pop_front();
    }
    // Waits for one more answer to a request for work, and handles all events up to it.
    void wait_for_work() {
        while (answers_ == 0 && alive)
            handle(mail_.take());
        --answers_;
    }
    // Ends the book worker, so that `book_data` holds all it was given.
    void finish() { books_.finish(std::chrono::minutes(1)); }

    FakeSearcher searcher;
    FakeBookData book_data;
    std::deque<std::string> said;
    bool alive = true;
    protocol::Time now = engine::Clock::now();

  private:
    void handle(const protocol::Event& event) {
        answers_ += std::holds_alternative<protocol::BookWorkAnswer>(event) ? 1 : 0;
        alive = session_.handle(event);
    }
    Result<std::unique_ptr<book::Book>> open() {
        return std::unique_ptr<book::Book>(std::make_unique<FakeBook>(book_data));
    }

    protocol::Queue<protocol::Event> mail_;
    std::deque<protocol::BookMessage> messages_;
    int answers_ = 0;  // to requests for work, not waited for yet
    protocol::Output out_;
    protocol::Books books_;
    protocol::Session session_;
};
