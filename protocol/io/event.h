// The events for the main thread. All but Alarm come through its mailbox, from the reader thread,
// the search threads and the book worker.
#pragma once

#include "book/book.h"
#include "engine/engine.h"

#include <string>
#include <variant>
#include <vector>

namespace protocol {

using Time = engine::Clock::time_point;

struct Line {
    std::string text;  // without its end of line; any bytes
    Time arrived;
};
struct EndOfInput {};
struct Terminate {};  // the system asks the program to end
struct SearchReport {
    int search_number;  // reports of a search that was halted are dropped
    std::variant<engine::SearchInfo, engine::SearchResult> what;
    Time sent = engine::Clock::now();
};
struct BookMessage {
    std::vector<std::string> lines;  // for people
    bool warning = false;            // shown even to those who do not see comments
};
struct BookWorkAnswer {
    std::optional<book::Work> work{};  // empty: the book has nothing to search
};
struct Alarm {
    Time at;  // the time that Adapter::alarm() named, or later
};
using Event =
    std::variant<Line, EndOfInput, Terminate, SearchReport, BookMessage, BookWorkAnswer, Alarm>;

}  // namespace protocol
