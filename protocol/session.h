// The conversation with the client, in the protocol that its first line asks for.
#pragma once

#include "protocol/adapter.h"

#include <deque>
#include <memory>

namespace protocol {

class Session {
  public:
    // The parts must outlive the session.
    Session(const Adapter::Parts& parts,
            const Settings& settings,
            const Adapter::Resources& resources)
        : parts_(parts), settings_(settings), resources_(resources) {}

    // Handles events until the program should end.
    void run_until_quit();
    // False when the program should end.
    bool handle(const Event& event);
    // When the next Alarm is due, if no other event comes before.
    [[nodiscard]] std::optional<Time> alarm() {
        return adapter_ ? adapter_->alarm() : std::nullopt;
    }

  private:
    void choose_adapter(std::string_view first_word);

    Adapter::Parts parts_;
    Settings settings_;
    Adapter::Resources resources_;
    std::unique_ptr<Adapter> adapter_;  // null before the first line
    std::deque<Event> early_;           // came before the first line
};

}  // namespace protocol
