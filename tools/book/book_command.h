// What the commands of nutcracker-book share: the command line, the files they open, and the text
// they print. Functions of book/ and of the commands throw book::Failure, which main() reports.
#pragma once

#include "book/book_files.h"
#include "book/model/letter_case.h"
#include "book/probe/game_list.h"
#include "book/probe/lines.h"
#include "book/store/failure.h"
#include "tools/common/command_line.h"
#include "tools/common/strings.h"
#include "tools/common/terminal.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <nlohmann/json_fwd.hpp>

namespace tools::book_command {

using Words = std::vector<std::string>;

class Call;
// A command. Returns the exit code: 0, or 1 if the book or the games are not as they should be.
using Run = int(Call& call);
Run import_games, check_games, sources, forget, show, why, lines, games, news, prepare, report,
    opponents, stats, verify, rebuild, unlearn, relearn, edit, undo, learn, merge, improve,
    snapshot, recover, export_book, make_base, serve;

// A row of the table of commands.
struct Command {
    const char* name;
    const char* summary;      // one line, for the list of commands
    const char* usage;        // what follows the name in the usage line
    const char* description;  // the paragraphs of --help
    Run* run;
    std::size_t min_words = 0, max_words = 0;  // that are not options
};

// Thrown where the program ends early, after it has printed why: 0 after --help, 2 after bad use.
struct Exit {
    int code = 0;
};

// Prints a message to standard error and returns the code.
int complain(const std::string& what, int code = 1);

// One use of a command.
class Call {
  public:
    const std::filesystem::path book_file, base_file;  // the user's book; the installed one, or ""
    std::vector<std::filesystem::path> further_files{};  // other books, only read

    Call(const Command& command,
         std::filesystem::path book,
         std::filesystem::path base,
         Words arguments)
        : book_file(std::move(book)), base_file(std::move(base)), command_(command),
          arguments_(std::move(arguments)) {}

    // Adds an option. `value` holds its default, which --help shows unless it is 0 or empty.
    template <typename T>
    void option(const char* name, T& value, const char* help);
    // Adds an option whose value is a number from `lowest` to `highest`.
    template <typename T>
    void option(const char* name,
                T& value,
                const char* help,
                std::type_identity_t<T> lowest,
                std::type_identity_t<T> highest = no_limit<T>());
    // Reads the command line, after all options were added. Returns the words that are not options.
    // Throws Exit after --help and on bad use.
    Words read();
    // True if the command line has the option; requires read().
    [[nodiscard]] bool given(const char* option) const;

    // Unless the condition holds, prints a message about bad use and throws Exit.
    void require(bool condition, const std::string& message) const;
    // The value that `word` stands for, in upper or lower case. Bad use if it is none of the
    // choices of `what`.
    template <typename T>
    T one_of(const char* what,
             const std::string& word,
             const std::vector<std::pair<const char*, T>>& choices) const;

    // The game that the words describe, see game_from_text(); without words, the start position.
    // Bad use if they describe none.
    [[nodiscard]] engine::Game game_from(const Words& words) const;

    [[nodiscard]] const Command& command() const { return command_; }

  private:
    template <typename T>
    void add_value(const char* name,
                   boost::program_options::typed_value<T>* bound,
                   const T& value,
                   const char* help);
    [[noreturn]] void refuse_choice(const char* what,
                                    const std::string& word,
                                    const std::vector<std::string>& names) const;

    const Command& command_;
    Words arguments_;
    boost::program_options::options_description options_{"Options"};
    boost::program_options::variables_map given_;
};

template <typename T>
void Call::option(const char* name, T& value, const char* help) {
    namespace po = boost::program_options;
    if constexpr (std::is_same_v<T, bool>) {
        options_.add_options()(name, po::bool_switch(&value), help);
    } else if constexpr (std::is_same_v<T, Words>) {  // may be given several times
        options_.add_options()(name, po::value(&value)->composing(), help);
    } else {
        add_value(name, po::value(&value), value, help);
    }
}

template <typename T>
void Call::option(const char* name,
                  T& value,
                  const char* help,
                  std::type_identity_t<T> lowest,
                  std::type_identity_t<T> highest) {
    add_value<T>(name, ranged(value, lowest, highest), value, help);
}

template <typename T>
void Call::add_value(const char* name,
                     boost::program_options::typed_value<T>* bound,
                     const T& value,
                     const char* help) {
    if (value != T{})
        bound->default_value(value);
    options_.add_options()(name, bound, help);
}

template <typename T>
T Call::one_of(const char* what,
               const std::string& word,
               const std::vector<std::pair<const char*, T>>& choices) const {
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
        if (book::equal_ignoring_case(word, name))
            return value;
        names.emplace_back(name);
    }
    refuse_choice(what, word, names);
}

// How long commands that work for hours wait for another one that changes the whole book.
inline constexpr std::chrono::minutes Patience{5};

// Opens the user's book. Create also makes a missing one. Write and Create fail if it cannot be
// written.
enum class Access : std::uint8_t { Read, Write, Create };
book::Store open_book(const Call& call, Access access);
// Opens the log of own games for reading: in the user's book, or in its overlay.
book::Store open_log(const Call& call);
// Takes in what overlays have learned for the book, or throws Failure if one is left: because the
// book may not be written, its log is the overlay's, whose game numbers belong to other games in
// the book, or the games of an overlay that cannot be merged now would undo the change later.
void require_one_log(const Call& call);
// Says that there is no book, and how one is made.
book::Failure no_book(const Call& call);
// Opens all files of the book for reading.
book::BookFiles open_files(const Call& call);

// "3 games wait to be merged into the book ...", or "" if none do.
std::string waiting_text(const Call& call);
// Prints it to standard error.
void tell_waiting(const Call& call);
// Prints what a command leaves out that reads the file of a book alone: games that wait, and those
// learned beside a read-only book. `begin`: of each line; `what`: "copied" or "merged".
void tell_left_out(const std::filesystem::path& file, const std::string& begin, const char* what);

struct ShowOptions {
    bool json = false, games = false;  // games: list own games that reached it
    std::size_t number = 20;           // of these games
};
// Prints what is known in the position of the game. Returns the exit code.
int show_position(const Call& call,
                  const engine::Game& game,
                  book::TimeClass time = book::TimeClass::Blitz,
                  const ShowOptions& options = {});

// What is known of a position, with the probability of each move, the most probable first; own
// games and values are those of `side`.
book::PositionView look(book::BookFiles& files,
                        const engine::Position& pos,
                        book::Color side,
                        book::TimeClass time = book::TimeClass::Blitz);

// In place of the name of a server: of opponents who were not met on one.
inline constexpr const char* NoServer = "-";
// Opponents of this name. If there are none, and not `exact`, those whose name contains it.
std::vector<book::OpponentRecord>
opponents_named(book::Store& store, const book::Opponent& wanted, bool exact);
// Finds an opponent by name or, unless `exact`, by a part that only one name has; the server may be
// empty. Throws Failure if there is none, or more than one.
book::OpponentRecord
find_opponent(book::Store& store, const book::Opponent& wanted, bool exact = false);
std::string name_of(const book::OpponentRecord& opponent);  // "?" if it is unknown

// Prints a table for people or, if not aligned, all columns separated by tabs.
void print_games(const std::vector<book::GameSummary>& games, bool aligned);
// Writes games of the log in the order they were learned.
void write_pgn(std::ostream& out, book::Store& store, const book::GameFilter& filter);
// The move at the exit with its number, "7...Nf6"; "" if there is none.
std::string exit_text(const book::GameSummary& summary);

// "12 games, +5 =4 -3, 58 % since the last look at the news on 2024-05-01"; "" if there was none.
std::string news_text(book::Store& store);

// Whether the file is a database, and whether it is the user's book or one of the further ones.
bool is_book(const std::filesystem::path& file);
bool is_in_use(const Call& call, const std::filesystem::path& file);
// Throws Failure if a file that is to be written is a book.
void refuse_book(const Call& call, const std::string& name);
// Writes a file atomically, or standard output if the name is "-". Throws Failure if it cannot be
// written, or is a book.
void write_file(const Call& call,
                const std::string& name,
                const std::function<void(std::ostream&)>& write);

// The days that an option names. Bad use if it names none.
Period period_option(const Call& call, const std::string& date);
// "1-0", "0-1", "1/2-1/2", or "*" of a game without a result.
std::string result_of(const book::LoggedGame& game);
// "2024-05-31", "2024-05" or "2024": as much of the date as the file of an imported game had.
std::string played_text(const book::GameRecord& game);
// The same of the latest of several games.
std::string played_text(std::int64_t last);
// "pending", "learned", "unlearned" or "without evidence".
const char* state_text(book::GameState state);
// How a game ended, in the words of PGN's tag Termination.
const char* ending_of(const book::LoggedGame& game);
// A number without a sign, of at most `digits` digits; or nothing.
std::optional<std::int64_t> number_from(const std::string& word, std::size_t digits);
// "always,avoid"; "" without a mark.
std::string flags_text(int flags);
// The flag of "always", "prefer", "avoid" or "never", 0 of "none"; or nothing.
std::optional<int> flag_from(const std::string& word);
inline constexpr const char* NoMark = "\"{}\" is not a mark: always, prefer, avoid, never or none";
const char* colour_text(book::Color side);
// The colour that an option names, "white" or "black"; nothing for "". Bad use if it is neither.
std::optional<book::Color>
colour_from(const Call& call, const char* option, const std::string& word);
// The time class that --time names. Bad use if it is none.
book::TimeClass time_class_from(const Call& call, const std::string& word);
// Wins plus half the draws in per cent of all games, "52 %"; "-" if there were none.
std::string percent_text(std::int64_t wins, std::int64_t draws, std::int64_t losses);

// "1 game", "2 games".
std::string counted(std::int64_t number, const std::string& singular, const char* ending = "s");

// Text as JSON can hold it: if it is not UTF-8, it is read as Latin-1.
std::string utf8(const std::string& text);
// A value as an expected score. Results are adjusted for ratings, so the value of a move with few
// games may lie outside 0 to 1.
inline double in_range(double value) {
    return std::clamp(value, 0.0, 1.0);
}
// Rounds to a number of digits after the point, which shortens JSON.
double rounded(double value, int digits);

}  // namespace tools::book_command
