// The engine as xboard starts it: opens the book, starts the threads, runs the protocol.
#include "engine/platform/file.h"
#include "engine/platform/program.h"
#include "protocol/io/engine_name.h"
#include "protocol/io/input.h"
#include "protocol/io/log_file.h"
#include "protocol/options.h"
#include "protocol/session.h"

#include <algorithm>
#include <iostream>
#include <random>

#include <boost/program_options.hpp>
#include <fmt/format.h>

namespace po = boost::program_options;

namespace {

constexpr std::string_view Usage =
    R"(Usage: nutcracker [OPTION...]
  or:  nutcracker [OPTION...] bench [DEPTH]

Play chess and Chess960 over standard input and output. The protocol is UCI if
the first line is `uci`, and the XBoard protocol, version 2, otherwise. A
graphical interface starts the engine, for example

  xboard -fcp nutcracker

On a terminal, type `help` for a list of the commands.

With `bench`, search a fixed set of positions to DEPTH plies and print the
number of nodes and the speed.

The opening book consists of two files. The base book is installed with the
program and never changed. The user's book learns from every finished game that
began at the start position, except aborted games, games in which a move was
taken back or somebody else made the first moves, games that the engine played
for both sides, games decided by the clock before move 16, and games at limited
strength.

The engine answers a draw offer after the search for its next move, or, if the
opponent is to move, at once from its last search. It accepts
  - if it is half a pawn or more behind;
  - if it is not ahead, and at most 8 men are on the board, or it is move 51 or
    later, or 15 moves have passed without a capture or pawn move;
  - if it is up to a quarter of a pawn ahead, with at most 8 men and no progress:
    equal pieces without pawns, 8 moves without a capture or pawn move, or level
    scores in its last 4 searches.
These limits shift by one centipawn for every ten points of rating difference,
at most by 50, so that the engine accepts a draw sooner from a stronger opponent.
It never accepts if it is more than half a pawn ahead. It plays on if the
opponent has less than 10 seconds, an increment of less than a second, and less
time than the engine. It also declines while it plays from the book, and after a
search of fewer than six plies, except at limited strength.

)";

constexpr std::string_view FilesAndStatus = R"(
Files:
  $XDG_DATA_HOME/nutcracker/book.db
      The user's book. The default of XDG_DATA_HOME is ~/.local/share; on
      Windows, %LOCALAPPDATA% is used instead.
      Games that cannot be written yet are kept beside the book in a file
      that ends in `.spool`; a weekly copy of the book ends in `.bak`. If the
      book is damaged, `nutcracker-book recover` saves what it can.
  PREFIX/share/nutcracker/base.db
      The base book.

Exit status:
  0 after `quit`, the end of the input, SIGTERM or SIGHUP; 2 after an error.
)";

struct Arguments {
    std::string book, log, slice, command;
    int hash_mib = 64, threads = 1, depth = 0;
    std::uint64_t seed = 0;
};

void check_range(const char* name, int value, int minimum, int maximum) {
    if (value < minimum || value > maximum)
        throw po::error(fmt::format("{} must be {} to {}", name, minimum, maximum));
}

// Empty if the answer is already printed. Throws po::error.
std::optional<Arguments> parse(const std::vector<std::string>& words) {
    Arguments arguments;
    po::options_description shown("Options"), all;
    auto option = shown.add_options();
    const auto argument =
        [&option](const char* name, auto& value, const char* type, const char* help) {
            option(name, po::value(&value)->value_name(type), help);
        };
    // clang-format off
    option("help,h", "print this help and exit");
    option("version", "print the version and exit");
    argument("book", arguments.book, "FILE", "use FILE as the user's book; -: like --no-book");
    option("no-book", "use no book at all, not even the installed one, and learn nothing");
    argument("hash", arguments.hash_mib, "MIB", "size of the hash table, 1 to 65536 (default 64)");
    argument("threads", arguments.threads, "N", "number of search threads, 1 to 256 (default 1)");
    argument("log", arguments.log, "FILE", "append all lines in both directions to FILE, with the time");
    argument("slice", arguments.slice, "NAME", "use the code for this instruction set: plain, x86-64-v3 or avx512vnni (default: the fastest that this processor runs)");
    argument("seed", arguments.seed, "N", "seed of the random numbers for the choice among book moves and for the mistakes at limited strength (default: a random seed)");
    // clang-format on
    all.add(shown);
    all.add_options()("command", po::value(&arguments.command));
    all.add_options()("depth", po::value(&arguments.depth));
    po::positional_options_description positions;
    positions.add("command", 1).add("depth", 1);

    po::variables_map given;
    po::store(po::command_line_parser(words).options(all).positional(positions).run(), given);
    po::notify(given);
    if (given.contains("help")) {
        std::cout << Usage << shown
                  << "\nProtocol options, set with `option NAME=VALUE` or by the client:\n"
                  << protocol::option_help() << FilesAndStatus;
        return std::nullopt;
    }
    if (given.contains("version")) {
        std::cout << "nutcracker " NUTCRACKER_VERSION "\n";
        return std::nullopt;
    }
    if (!arguments.command.empty() && arguments.command != "bench")
        throw po::error("no such command: " + arguments.command);
    check_range("--hash", arguments.hash_mib, 1, engine::MaxHashMib);
    check_range("--threads", arguments.threads, 1, engine::MaxThreads);
    check_range("DEPTH", arguments.depth, 0, engine::MaxPly - 1);
    if (given.contains("no-book"))
        arguments.book = protocol::NoBook;
    return arguments;
}

// Without a home folder nothing is learned.
constexpr const char* InMemory = ":memory:";

std::filesystem::path book_file(const Arguments& arguments) {
    std::filesystem::path file = arguments.book;
    if (file.empty())
        file = book::default_experience();
    return file.empty() ? InMemory : file;
}

book::OpenOptions book_options(const Arguments& arguments) {
    book::OpenOptions options;
    options.experience = engine::platform::resolved(book_file(arguments));
    options.base = book::installed_base();
    options.seed = arguments.seed;
    options.play_on = true;
    return options;
}

int complain(const std::string& text) {
    std::cerr << "nutcracker: " << text << '\n';
    return 2;
}

// Flushes standard output and returns the exit code.
int finished() {
    return std::cout.flush() ? 0 : complain("the output cannot be written");
}

int bench(engine::Searcher& searcher, int depth) {
    const Result<engine::BenchResult> result = searcher.bench(depth);
    if (!result)
        return complain(result.error().what);
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(1, result->spent.count()));
    std::cout << result->nodes << " nodes " << result->nodes * 1000 / ms << " nps\n";
    return finished();
}

// SIGINT is ignored: it is meant for the terminal's foreground program.
const engine::platform::Event& take_signals() {
    engine::platform::ignore_interrupts();
    engine::platform::ignore_broken_pipes();
    return engine::platform::end_requests();
}

void play(const Arguments& arguments,
          engine::Searcher& searcher,
          protocol::LogFile* log,
          const engine::platform::Event& end) {
    // XBoard kills the engine a second after `quit`.
    constexpr std::chrono::milliseconds LearningTimeout{300};
    protocol::Queue<protocol::Event> mail;
    protocol::Output out([log, &end](std::string_view line) {
        if (log)
            log->sent(line);
        return engine::platform::write_all(1, line, &end);
    });
    protocol::Books books(book::Book::open, book_options(arguments), mail);
    protocol::Settings settings;
    settings.seed = arguments.seed != 0 ? arguments.seed : std::random_device{}();
    settings.book_file = book_file(arguments).generic_string();
    protocol::Session session(
        {searcher, books, mail, out}, settings, {arguments.hash_mib, arguments.threads});
    protocol::Input input(0, &end, [&mail, log](protocol::Event event) {
        if (const auto* line = std::get_if<protocol::Line>(&event); line && log)
            log->received(line->text);
        mail.put(std::move(event));
    });
    if (settings.book_file == InMemory && arguments.book.empty())
        mail.put(protocol::BookMessage{
            {"there is no home folder for the book: nothing is learned (see --book)"}, true});
    session.run_until_quit();
    // The worker may still wait for a lock, and uses the objects above: end without destroying
    // them. The book file survives that.
    if (!books.finish(LearningTimeout))
        std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) try {
    const std::optional<Arguments> arguments = parse(engine::platform::begin_program(argc, argv));
    if (!arguments)
        return finished();
    const bool benching = arguments->command == "bench";
    // Before any thread starts, so that no other thread receives a signal.
    const engine::platform::Event* const end = benching ? nullptr : &take_signals();
    const auto searcher = engine::make_searcher(arguments->slice);
    if (!searcher)
        return complain("no slice of this name runs on this processor: " + arguments->slice);
    if (benching)
        return bench(*searcher, arguments->depth);

    Result<std::unique_ptr<protocol::LogFile>> log;  // holds null without --log
    if (!arguments->log.empty())
        log = protocol::LogFile::open(arguments->log);
    if (!log)
        return complain(log.error().what);
    play(*arguments, *searcher, log->get(), *end);
    return 0;
} catch (const po::error& e) {
    return complain(std::string(e.what()) + " (try --help)");
} catch (const std::system_error& e) {
    const bool of_thread = e.code() == std::errc::resource_unavailable_try_again;
    return complain((of_thread ? "cannot start a thread: " : "") + std::string(e.what()));
} catch (const std::bad_alloc&) {
    return complain("not enough memory");
}
