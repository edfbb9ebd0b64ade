#include "book/learn/merge.h"

#include "tools/book/book_command.h"

#include <iostream>

namespace tools::book_command {
namespace {

std::string counted(std::int64_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

int merge_file(book::Store& into, const Place& place, const std::string& name) {
    std::error_code none;
    if (std::filesystem::equivalent(name, place.book, none))
        return complain("merge: \"" + name + "\" is this very book", 1);
    Result<book::Store> from = book::Store::open(name, false);
    if (!from)
        return complain("merge: " + from.error().what, 1);
    const Result<book::Merged> merged = book::merge(into, place.book, *from, {});
    if (!merged)
        return complain("merge: \"" + name + "\": " + merged.error().what, 1);
    std::cout << name << ": " << counted(merged->games, "new game") << ", "
              << counted(merged->known, "game") << " known before, "
              << counted(merged->marks, "mark") << ", "
              << (merged->searches == 1 ? "1 search"
                                        : std::to_string(merged->searches) + " searches")
              << ", " << counted(merged->imported_games, "imported game") << '\n';
    if (merged->disputed > 0)
        std::cout << name << ": " << counted(merged->disputed, "move")
                  << " marked otherwise in both; the more cautious mark holds\n";
    if (!merged->left_out.empty())
        std::cout << name << ": " << merged->left_out << '\n';
    return 0;
}

}  // namespace

int merge(const Place& place, const Arguments& arguments) {
    if (const auto code = read_words(
            "merge",
            arguments,
            "Usage: nutcracker-book merge BOOK...\n\nTakes in what other books know: their own "
            "games, each counted once, their marks and\nsearches, and their imported games where "
            "none of them is here already. The order of\nbooks makes no difference. \"undo\" takes "
            "a "
            "merge back, but for searches and imported games.\n",
            1,
            arguments.size()))
        return *code;
    Result<book::Store> into = open_book(place, Access::Create);
    if (!into)
        return complain(into.error().what, 1);
    int code = 0;
    for (const std::string& name : arguments)
        code = std::max(code, merge_file(*into, place, name));
    return code;
}

}  // namespace tools::book_command
