// What the book has learned since a given time, for the command news and the live page.
#pragma once

#include "book/probe/news.h"
#include "tools/book/book_command.h"

namespace tools::book_command {

struct NewsReport {
    std::optional<std::int64_t> since{};  // seconds since 1970; nothing: always, or the last games
    std::int64_t wins = 0, draws = 0, losses = 0;  // of the new games
    book::News news{};                             // what these games changed
    book::OtherNews other{};                       // since that time
    [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
};
// Requires files.experience. Takes as long as verify.
NewsReport read_news(book::BookFiles& files, const book::NewsOptions& options);
// With at most `number` rows of each list, and how many there are.
nlohmann::ordered_json news_json(const NewsReport& report, std::size_t number);

}  // namespace tools::book_command
