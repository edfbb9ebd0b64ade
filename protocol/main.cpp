// The engine as xboard starts it: opens the book, starts the threads, runs the protocol.
#include "protocol/io/engine_name.h"
#include "protocol/io/input.h"
#include "protocol/io/log_file.h"
#include "protocol/xboard.h"

#include <algorithm>
#include <csignal>
#include <iostream>

#include <boost/program_options.hpp>
#include <sys/signalfd.h>
#include <unistd.h>

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::string book, log, slice, word;
    int hash_mib = 64, threads = 1, depth = 0;
    std::uint64_t seed = 0;
};

// Answers what can be answered at once; the exit status then.
std::optional<int> parse(int argc, char** argv, Arguments& arguments) {
    po::options_description shown(
        "Usage: nutcracker [options]          play, by the XBoard protocol\n"
        "       nutcracker [options] bench [DEPTH]\n\nOptions");
    auto option = shown.add_options();
    option("help,h", "show this");
    option("version", "show the version");
    option("book",
           po::value(&arguments.book)->value_name("FILE"),
           "the book's experience (default: nutcracker/book.db in the user's data folder)");
    option("no-book", "play without a book");
    option("log",
           po::value(&arguments.log)->value_name("FILE"),
           "append all that is said in both directions, with the time");
    option("slice", po::value(&arguments.slice)->value_name("NAME"), "force an instruction set");
    option("hash",
           po::value(&arguments.hash_mib)->value_name("MIB"),
           "hash table, 1 to 65536 (default 64)");
    option("threads",
           po::value(&arguments.threads)->value_name("N"),
           "search threads, 1 to 256 (default 1)");
    option("seed",
           po::value(&arguments.seed)->value_name("N"),
           "of the choice from the book (default: from the clock)");
    po::options_description all;
    all.add(shown).add_options()("word", po::value(&arguments.word))("depth",
                                                                     po::value(&arguments.depth));
    po::positional_options_description words;
    words.add("word", 1).add("depth", 1);

    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(all).positional(words).run(), given);
    po::notify(given);
    if (given.contains("help")) {
        std::cout << shown;
        return 0;
    }
    if (given.contains("version")) {
        std::cout << protocol::EngineName << '\n';
        return 0;
    }
    if (!arguments.word.empty() && arguments.word != "bench") {
        std::cerr << "nutcracker: no such command: " << arguments.word << " (try --help)\n";
        return 2;
    }
    if (arguments.hash_mib < 1 || arguments.hash_mib > 65'536 || arguments.threads < 1 ||
        arguments.threads > 256 || arguments.depth < 0) {
        std::cerr << "nutcracker: a number is out of range (try --help)\n";
        return 2;
    }
    if (given.contains("no-book"))
        arguments.book = protocol::NoBook;
    return std::nullopt;
}

book::OpenOptions book_options(const Arguments& arguments) {
    book::OpenOptions options;
    options.experience = arguments.book;
    if (options.experience.empty())
        options.experience = book::default_experience();
    if (options.experience.empty())
        options.experience = ":memory:";  // no home: what is learned lasts as long as we do
    options.base = book::installed_base();
    options.seed = arguments.seed;
    return options;
}

int bench(engine::Searcher& searcher, int depth) {
    const engine::BenchResult result = searcher.bench(depth);
    const auto milliseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(
        1, std::chrono::duration_cast<engine::milliseconds>(result.spent).count()));
    std::cout << result.nodes << " nodes " << result.nodes * 1000 / milliseconds << " nps\n";
    return 0;
}

// SIGTERM and SIGHUP come through a file, SIGINT is the terminal's business, SIGPIPE a failed
// write.
int take_signals() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

void play(const Arguments& arguments, engine::Searcher& searcher, protocol::Log* log, int signals) {
    // XBoard kills us a second after `quit`.
    constexpr std::chrono::milliseconds longest_learning{300};
    protocol::Queue<protocol::Event> mail;
    protocol::Output out([log](std::string_view line) {
        if (log)
            log->sent(line);
        return protocol::write_all(STDOUT_FILENO, line);
    });
    protocol::Books books(book::Book::open, book_options(arguments), mail);
    protocol::Settings settings;
    settings.book_file = arguments.book;
    protocol::Xboard xboard(searcher, books, mail, out, settings);
    protocol::Input input(STDIN_FILENO, signals, [&mail, log](protocol::Event event) {
        if (const auto* line = std::get_if<protocol::Line>(&event); line && log)
            log->received(line->text);
        mail.put(std::move(event));
    });
    while (xboard.handle(mail.take())) {
    }
    // Its thread uses what stands here, and may wait for a lock; its file survives any end.
    if (!books.worker().finish(longest_learning))
        std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) try {
    Arguments arguments;
    if (const std::optional<int> status = parse(argc, argv, arguments))
        return *status;

    // Before any thread starts, so that none of them takes a signal.
    const int signals = arguments.word.empty() ? take_signals() : -1;
    const auto searcher = engine::make_searcher(arguments.slice);
    if (!searcher) {
        std::cerr << "nutcracker: no such slice on this processor: " << arguments.slice << '\n';
        return 2;
    }
    if (const Result<void> set = searcher->set_hash(arguments.hash_mib); !set) {
        std::cerr << "nutcracker: " << set.error().what << '\n';
        return 2;
    }
    searcher->set_threads(arguments.threads);
    if (arguments.word == "bench")
        return bench(*searcher, arguments.depth);

    std::unique_ptr<protocol::Log> log;
    if (!arguments.log.empty()) {
        Result<std::unique_ptr<protocol::Log>> opened = protocol::Log::open(arguments.log);
        if (!opened) {
            std::cerr << "nutcracker: " << opened.error().what << '\n';
            return 2;
        }
        log = std::move(*opened);
    }
    play(arguments, *searcher, log.get(), signals);
    return 0;
} catch (const po::error& e) {
    std::cerr << "nutcracker: " << e.what() << " (try --help)\n";
    return 2;
}
