// The command improve.
#include "book/probe/extend.h"
#include "engine/platform/events.h"
#include "tools/book/book_command.h"
#include "tools/book/book_search.h"

#include <array>
#include <atomic>
#include <iostream>
#include <thread>

#include <fmt/ostream.h>

namespace tools::book_command {
namespace {

using engine::platform::Event;

struct ImproveOptions {
    std::int64_t seconds = 0, positions = 0;  // 0: no limit
    std::uint64_t nodes = 0;                  // in total; 0: no limit
    std::uint64_t search_nodes = 200'000;     // per search
    int threads = 1, hash_mib = 64;
    book::Priority priority = book::Priority::Reach;
    bool quiet = false;
};

// Ends a search at once on Ctrl-C or SIGTERM. Must be made before any other thread, so that none of
// them takes the signals.
class Interrupts {
  public:
    Interrupts() = default;
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    ~Interrupts() {
        over_.set();
        if (thread_.joinable())
            thread_.join();
    }
    // Lets a signal stop the searcher, which must outlive this object.
    void watch(engine::Searcher& searcher) {
        thread_ = std::thread([this, &searcher] {
            const std::array<const Event*, 2> events{&requests_, &over_};
            if (Event::wait_any(events, Event::Clock::time_point::max()) == std::size_t{0}) {
                came_ = true;
                searcher.stop();
            }
        });
    }
    [[nodiscard]] bool came() const { return came_; }

  private:
    const Event& requests_ = engine::platform::end_requests();
    const Event over_;
    std::atomic<bool> came_{false};
    std::thread thread_;
};

struct Totals {
    std::int64_t positions = 0, searches = 0;
    std::uint64_t nodes = 0;
};

Totals work_on(book::Extension& extension,
               engine::Searcher& searcher,
               const ImproveOptions& o,
               const Interrupts& interrupts) {
    Totals totals;
    SearchRules rules{.nodes = o.search_nodes};
    if (o.seconds > 0)
        rules.end = engine::Clock::now() + std::chrono::seconds(o.seconds);
    rules.go_on = [&] { return !interrupts.came() && (o.nodes == 0 || totals.nodes < o.nodes); };
    const auto in_time = [&rules] { return !rules.end || engine::Clock::now() < *rules.end; };
    const book::WorkOptions wanted{.priority = o.priority,
                                   .nodes = static_cast<std::int64_t>(o.search_nodes)};
    while (rules.go_on() && in_time() && (o.positions == 0 || totals.positions < o.positions)) {
        const std::optional<book::Work> work = extension.next(wanted, book::seconds_now());
        if (!work)
            break;
        const book::WorkSearches done = search_work(searcher, *work, rules, totals.nodes);
        extension.finish(
            *work, done.findings(), "Nutcracker " NUTCRACKER_VERSION, book::seconds_now());
        if (done.findings().empty())
            continue;
        if (!o.quiet)
            std::cout << work->position.fen() << '\t' << done.text() << std::endl;
        ++totals.positions;
        totals.searches += static_cast<std::int64_t>(done.findings().size());
    }
    return totals;
}

ImproveOptions read_improve(Call& call) {
    ImproveOptions o;
    std::string priority = "reach";
    call.option("time", o.seconds, "stop after this number of seconds; 0: no limit", 0);
    call.option("nodes", o.nodes, "stop after this number of nodes");
    call.option("positions", o.positions, "stop after this number of positions; 0: no limit", 0);
    call.option("search-nodes",
                o.search_nodes,
                "nodes per search; moves that were searched with less than half as many are "
                "searched again",
                100);
    call.option("threads", o.threads, "threads of the search", 1, 256);
    call.option("hash", o.hash_mib, "MiB of memory for the search", 1, 65'536);
    call.option(
        "priority",
        priority,
        "reach: first the positions that are most probable and least known; distance: first "
        "those that the fewest plies and errors lead to");
    call.option("quiet", o.quiet, "do not list the positions");
    call.read();
    o.priority = call.one_of<book::Priority>(
        "--priority",
        priority,
        {{"reach", book::Priority::Reach}, {"distance", book::Priority::Distance}});
    return o;
}

}  // namespace

int improve(Call& call) {
    const ImproveOptions o = read_improve(call);
    // Not opened the way an engine does: this changes the book even where learning is off.
    book::BookFiles files = book::open_book_files(call.book_file, call.base_file, false);
    if (!files.experience || files.experience->db.read_only())
        throw book::Failure(fmt::format("book \"{}\" cannot be written", call.book_file.string()));
    files.experience->db.set_patience(Patience);
    tell_waiting(call);
    book::Extension extension(files.layers(), book::unique_name());
    std::unique_ptr<engine::Searcher> searcher;
    Interrupts interrupts;  // made before the searcher's threads, destroyed before the searcher
    searcher = engine::make_searcher();
    if (!searcher)
        throw book::Failure("no engine for this processor");
    book::value_or_throw(searcher->set_hash(o.hash_mib));
    if (const int threads = searcher->set_threads(o.threads); threads < o.threads)
        fmt::print(std::cerr, "only {} of {} threads could be started\n", threads, o.threads);
    interrupts.watch(*searcher);
    const Totals totals = work_on(extension, *searcher, o, interrupts);
    fmt::print(std::cerr,
               "{} positions, {} searches, {} nodes{}\n",
               totals.positions,
               totals.searches,
               totals.nodes,
               interrupts.came() ? "; stopped" : "");
    return 0;
}

}  // namespace tools::book_command
