// What arrives in the main thread's mailbox, from the reader, the search threads and the book
// worker.
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
struct Terminate {};  // the system asks us to end
struct Found {
    int search;  // which search it comes from; of an abandoned one it is thrown away
    std::variant<engine::SearchInfo, engine::SearchResult> what;
};
struct BookNews {
    std::vector<std::string> lines;  // what the book worker has to tell, for people
    bool serious = false;            // the user must know of it
};
struct BookWork {
    std::optional<book::Work> work{};  // what to search for the book; nothing: all is done
};
using Event = std::variant<Line, EndOfInput, Terminate, Found, BookNews, BookWork>;

}  // namespace protocol
