// The report: one page of HTML with all that it needs inside. Its looks are in report.html.
#pragma once

#include "tools/book/json.h"
#include "tools/book/look.h"

namespace tools::book_command {

// Lines of the page, up to a null pointer; "@DATA@" stands where the data belong.
extern const char* const ReportPage[];

struct TreeLimits {
    int positions = 3000;
    std::size_t bytes = 2'500'000;  // of the page, about
};
// Adds "nodes": positions of the book from the start on, those with most games first.
Result<void> write_tree(JsonWriter& json, book::BookFiles& files, const TreeLimits& limits);

}  // namespace tools::book_command
