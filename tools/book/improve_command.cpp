#include "tools/book/book_command.h"
#include "tools/book/book_search.h"
#include "tools/common/signals.h"

#include <array>
#include <atomic>
#include <iostream>
#include <thread>

#include <boost/program_options.hpp>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;

struct ImproveOptions {
    std::int64_t seconds = 0, positions = 0;  // 0: no bound
    std::uint64_t nodes = 0, each = 200'000;  // in all, and a search
    int threads = 1, hash_mib = 64;
    book::Priority priority = book::Priority::Reach;
    bool quiet = false;
};

// Ctrl-C and polite kills end a search at once. To be made before any thread, so that none of them
// takes the signals.
class Interrupts {
  public:
    Interrupts() = default;
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    ~Interrupts() {
        const std::uint64_t one = 1;
        (void)!::write(over_, &one, sizeof one);
        if (thread_.joinable())
            thread_.join();
        ::close(over_);
        ::close(signals_);
    }
    // From now on the searcher is stopped by a signal. It must outlive this.
    void watch(engine::Searcher& searcher) {
        thread_ = std::thread([this, &searcher] {
            std::array<pollfd, 2> files{{{signals_, POLLIN, 0}, {over_, POLLIN, 0}}};
            ::poll(files.data(), files.size(), -1);
            if ((files[0].revents & POLLIN) != 0) {
                came_ = true;
                searcher.stop();
            }
        });
    }
    [[nodiscard]] bool came() const { return came_; }

  private:
    int over_ = ::eventfd(0, EFD_CLOEXEC), signals_ = signals_as_file();
    std::atomic<bool> came_{false};
    std::thread thread_;
};

struct Totals {
    std::int64_t positions = 0, searches = 0;
    std::uint64_t nodes = 0;
};

Result<Totals> work_on(book::Book& book,
                       engine::Searcher& searcher,
                       const ImproveOptions& o,
                       const Interrupts& interrupts) {
    Totals totals;
    SearchRules rules{.nodes = o.each};
    if (o.seconds > 0)
        rules.end = engine::Clock::now() + std::chrono::seconds(o.seconds);
    rules.go_on = [&] { return !interrupts.came() && (o.nodes == 0 || totals.nodes < o.nodes); };
    const auto in_time = [&rules] { return !rules.end || engine::Clock::now() < *rules.end; };
    const book::WorkOptions wanted{.priority = o.priority,
                                   .nodes = static_cast<std::int64_t>(o.each)};
    while (rules.go_on() && in_time() && (o.positions == 0 || totals.positions < o.positions)) {
        const Result<std::optional<book::Work>> work = book.next_work(wanted);
        if (!work)
            return tl::unexpected<Error>(work.error());
        if (!*work)
            break;
        const book::WorkSearches done = search_work(searcher, **work, rules, totals.nodes);
        const Result<void> stored =
            book.finish_work(**work, done.findings(), "Nutcracker " NUTCRACKER_VERSION);
        if (!stored)
            return tl::unexpected<Error>(stored.error());
        if (!o.quiet && !done.findings().empty())
            std::cout << (*work)->position.fen() << '\t' << done.text() << std::endl;
        totals.positions += done.findings().empty() ? 0 : 1;
        totals.searches += static_cast<std::int64_t>(done.findings().size());
    }
    return totals;
}

// Reads the options; an exit code if there is nothing more to do.
std::optional<int> read(const Arguments& arguments, ImproveOptions& o) {
    std::string priority = "reach";
    po::options_description options(
        "Usage: nutcracker-book improve [OPTIONS]\n\nSearches the most useful positions of the "
        "book: every move that is known there, and the\nbest one that is not. The scores join what "
        "games have taught. Without a bound it goes on\nuntil all is searched, or until Ctrl-C; "
        "what is done by then is stored. Several may work\nat one book.\n\nOptions");
    options.add_options()("help", "this text")("time", po::value(&o.seconds), "seconds in all")(
        "nodes", po::value(&o.nodes), "nodes in all")(
        "positions", po::value(&o.positions), "positions in all")(
        "search-nodes",
        po::value(&o.each)->default_value(o.each),
        "nodes a search; scores from less than half as many are searched anew")(
        "threads", po::value(&o.threads)->default_value(o.threads), "of the search")(
        "hash", po::value(&o.hash_mib)->default_value(o.hash_mib), "MiB for the search")(
        "priority",
        po::value(&priority)->default_value(priority),
        "reach: how probable a position is, times how little is known of it; distance: how few "
        "plies and errors lead there")("quiet", "do not list the positions");
    po::variables_map given;
    if (const auto code = read_options(
            command_line("improve",
                         arguments,
                         "\nA line for each position: FEN, and each move with its centipawns; * "
                         "marks one that was\nnot known.\n"),
            options,
            given))
        return code;
    o.quiet = given.contains("quiet");
    if (priority != "reach" && priority != "distance")
        return complain("improve: --priority is reach or distance, not \"" + priority + "\"");
    o.priority = priority == "reach" ? book::Priority::Reach : book::Priority::Distance;
    if (o.seconds < 0 || o.positions < 0 || o.each < 1 || o.threads < 1 || o.threads > 256 ||
        o.hash_mib < 1 || o.hash_mib > 65'536)
        return complain("improve: a number is out of range");
    return std::nullopt;
}

}  // namespace

int improve(const Place& place, const Arguments& arguments) {
    ImproveOptions o;
    if (const std::optional<int> code = read(arguments, o))
        return *code;
    Result<std::unique_ptr<book::Book>> book =
        book::Book::open({.experience = place.book, .base = place.base});
    if (!book)
        return complain(book.error().what, 1);
    if ((*book)->read_only())
        return complain("book \"" + place.book.string() + "\" cannot be written", 1);
    std::unique_ptr<engine::Searcher> searcher;
    Interrupts interrupts;  // before the searcher's threads, and gone before the searcher
    searcher = engine::make_searcher();
    if (!searcher)
        return complain("no engine for this processor", 1);
    if (const Result<void> set = searcher->set_hash(o.hash_mib); !set)
        return complain(set.error().what, 1);
    searcher->set_threads(o.threads);
    interrupts.watch(*searcher);
    const Result<Totals> totals = work_on(**book, *searcher, o, interrupts);
    if (!totals)
        return complain("improve: " + totals.error().what, 1);
    std::cerr << totals->positions << " positions, " << totals->searches << " searches, "
              << totals->nodes << " nodes" << (interrupts.came() ? "; stopped" : "") << '\n';
    return 0;
}

}  // namespace tools::book_command
