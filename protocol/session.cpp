#include "protocol/session.h"

#include "protocol/io/text.h"
#include "protocol/uci_adapter.h"
#include "protocol/xboard.h"

namespace protocol {

void Session::run_until_quit() {
    for (bool running = true; running;) {
        const std::optional<Time> due = alarm();
        std::optional<Event> event = due ? parts_.mail.take_before(*due) : parts_.mail.take();
        running = handle(event ? *event : Alarm{engine::Clock::now()});
    }
}

void Session::choose_adapter(std::string_view first_word) {
    if (first_word == "uci")
        adapter_ = std::make_unique<Uci>(parts_, settings_, resources_);
    else
        adapter_ = std::make_unique<Xboard>(parts_, settings_, resources_);
}

bool Session::handle(const Event& event) {
    if (!adapter_) {
        const auto* const line = std::get_if<Line>(&event);
        if (!line) {
            early_.push_back(event);
            return !std::holds_alternative<EndOfInput>(event) &&
                   !std::holds_alternative<Terminate>(event);
        }
        std::string_view text = line->text;
        const std::string_view word = next_word(text);
        if (word.empty())
            return true;
        choose_adapter(word);
        for (; !early_.empty(); early_.pop_front())
            adapter_->handle(early_.front());
    }
    return adapter_->handle(event);
}

}  // namespace protocol
