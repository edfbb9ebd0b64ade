// The commands of nutcracker-book. Each gets its own arguments and returns the program's exit code:
// 0, 1 (something was wrong with the book or the games), 2 (bad use).
#pragma once

#include "book/probe/view.h"
#include "tools/common/command_line.h"

#include <filesystem>

namespace tools::book_command {

struct Place {
    std::filesystem::path book, base;  // the user's experience, and the installed book or ""
};
using Arguments = std::vector<std::string>;

int import_games(const Place& place, const Arguments& arguments);
int check_games(const Place& place, const Arguments& arguments);
int show(const Place& place, const Arguments& arguments);
int why(const Place& place, const Arguments& arguments);
int opponents(const Place& place, const Arguments& arguments);
int stats(const Place& place, const Arguments& arguments);
int verify(const Place& place, const Arguments& arguments);
int rebuild(const Place& place, const Arguments& arguments);
int unlearn(const Place& place, const Arguments& arguments);
int relearn(const Place& place, const Arguments& arguments);
int snapshot(const Place& place, const Arguments& arguments);
int edit(const Place& place, const Arguments& arguments);
int undo(const Place& place, const Arguments& arguments);
int learn(const Place& place, const Arguments& arguments);
int merge(const Place& place, const Arguments& arguments);
int lines(const Place& place, const Arguments& arguments);
int prepare(const Place& place, const Arguments& arguments);
int report(const Place& place, const Arguments& arguments);
int export_book(const Place& place, const Arguments& arguments);
int improve(const Place& place, const Arguments& arguments);
int make_base(const Place& place, const Arguments& arguments);

// What several of them need.
int complain(const std::string& what, int code = 2);
// The command line of a command.
CommandLine
command_line(const char* name, const Arguments& arguments, const char* explanation = "");
// The same for a command that takes least..most words and no option but --help; see read_options().
std::optional<int> read_words(const char* name,
                              const Arguments& arguments,
                              const char* help,
                              std::size_t least = 0,
                              std::size_t most = 0);
// The book of the user. Create: also if there is none yet.
enum class Access : std::uint8_t { Read, Write, Create };
Result<book::Store> open_book(const Place& place, Access access);
// The log of own games, for reading: the user's book, or what was learned beside it.
Result<book::Store> open_log(const Place& place);
// A position given as FEN or as moves from the start ("1.e4 c5 2.Nf3", "e2e4 c7c5"), or as nothing.
Result<engine::Game> game_from(const Arguments& words);
// Day of seconds since 1970, "2024-05-01".
std::string date_text(std::int64_t seconds);
// "2024-05-01" as seconds since 1970, or nothing.
std::optional<std::int64_t> seconds_of(const std::string& date);
// "1.e4 e5 2.Nf3" of the first moves of a game.
std::string moves_text(const engine::Game& game, std::size_t plies);

}  // namespace tools::book_command
