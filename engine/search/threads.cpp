#include "engine/search/threads.h"

#include "engine/board/perft.h"
#include "engine/search/bench.h"
#include "engine/search/voting.h"

namespace engine {

namespace {
constexpr int DefaultHash = 16;  // mebibytes
}

Pool::Pool() {
    // Without memory for this little nothing else would work either.
    [[maybe_unused]] const Result<void> done = tt_.resize(DefaultHash);
    assert(done);
    set_threads(1);
}

Pool::~Pool() {
    stop();
    wait();
    dismiss();
}

// Ends the threads; requires that no search runs.
void Pool::dismiss() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
        changed_.notify_all();
    }
    for (std::thread& t : threads_)
        t.join();
    threads_.clear();
    quit_ = false;
}

void Pool::set_threads(int count) {
    dismiss();
    const auto wanted = static_cast<std::size_t>(std::clamp(count, 1, 256));
    {
        const std::lock_guard lock(mutex_);
        while (workers_.size() > wanted)
            workers_.pop_back();
        while (workers_.size() < wanted)
            workers_.push_back(std::make_unique<Worker>(tt_, control_, workers_.empty(), network_));
        job_ = helpers_job_ = 0;
    }
    for (std::size_t seat = 0; seat < wanted; ++seat)
        threads_.emplace_back([this, seat] { work(seat); });
}

Result<void> Pool::set_hash(int mebibytes) {
    return tt_.resize(static_cast<std::size_t>(std::max(mebibytes, 1)));
}

Result<void> Pool::set_network(const std::string& path) {
    std::shared_ptr<const Network> wanted;
    if (path.empty()) {
        wanted = built_in_network();
    } else if (path != HandWritten) {
        Result<std::unique_ptr<const Network>> net = load_network(path);
        if (!net)
            return fail(net.error().what);
        wanted = std::move(*net);
    }
    network_ = std::move(wanted);
    for (const auto& worker : workers_)
        worker->use(network_);
    clear();
    return {};
}

void Pool::clear() {
    tt_.clear();
    for (const auto& worker : workers_)
        worker->clear();
}

void Pool::start(const Game& game,
                 const Limits& limits,
                 std::function<void(const SearchInfo&)> thought,
                 std::function<void(const SearchResult&)> done) {
    stop();
    wait();
    root_.position = game.position();
    root_.keys = game.keys();
    root_.moves.clear();
    for (const Move m : legal_moves(root_.position))
        if (std::find(limits.excluded.begin(), limits.excluded.end(), m) == limits.excluded.end())
            root_.moves.add(m);
    thought_ = std::move(thought);
    done_ = std::move(done);
    control_.begin(limits, overhead_, root_.moves.size());
    tt_.new_search();
    for (const auto& worker : workers_)
        worker->prepare(root_);
    const std::lock_guard lock(mutex_);
    busy_ = true;
    ++job_;
    changed_.notify_all();
}

void Pool::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !busy_; });
}

// The life of one thread: sleep, search, sleep, until dismissed.
void Pool::work(std::size_t seat) {
    std::uint64_t last = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return quit_ || (seat == 0 ? job_ : helpers_job_) != last; });
        if (quit_)
            return;
        last = seat == 0 ? job_ : helpers_job_;
        Worker& worker = *workers_[seat];
        lock.unlock();
#ifdef NUTCRACKER_TUNE
        params::values = parameters_;
#endif
        if (seat == 0)
            lead();
        else
            worker.run({}, [] { return std::uint64_t{0}; });
        lock.lock();
        if (seat == 0)
            busy_ = false;
        else
            --helping_;
        changed_.notify_all();
    }
}

// The first thread's search: with helpers, until the limits are met and the choice may be told.
void Pool::lead() {
    {
        const std::lock_guard lock(mutex_);
        helping_ = workers_.size() - 1;
        helpers_job_ = job_;
        changed_.notify_all();
    }
    workers_[0]->run(thought_, [this] { return nodes(); });
    control_.rest();
    control_.stop();
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return helping_ == 0; });
    }
    const SearchResult choice = choose();
    thought_ = {};
    if (const auto done = std::exchange(done_, {}))
        done(choice);
}

std::uint64_t Pool::nodes() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_)
        sum += worker->telltale().nodes.load(std::memory_order_relaxed);
    return sum;
}

const Worker& Pool::best_worker() const {
    std::vector<ThreadVote> votes;
    for (const auto& w : workers_)
        votes.push_back({w->root_moves()[0].move, w->root_moves()[0].score, w->finished_depth()});
    return *workers_[best_thread(votes)];
}

SearchResult Pool::choose() {
    if (root_.moves.empty())
        return {};
    const Worker& worker = best_worker();
    const RootMove& best = worker.root_moves()[0];
    SearchResult choice;
    choice.best = best.move;
    choice.ponder = answer_to(best);
    if (worker.finished_depth() > 0)
        choice.score = best.known_score();
    choice.depth = worker.finished_depth();
    choice.nodes = nodes();
    if (&worker != workers_[0].get() && thought_) {
        SearchInfo t = worker.thought();
        t.nodes = choice.nodes;
        thought_(t);
    }
    return choice;
}

// What the opponent is expected to play: from the line, or else from the table.
Move Pool::answer_to(const RootMove& best) const {
    if (best.line.size() > 1)
        return best.line[1];
    Position next = root_.position;
    next.make(best.move);
    const Move known = tt_.probe(next.key(), 0).move;
    return known && next.is_legal(known) ? known : NoMove;
}

Progress Pool::progress() const {
    const std::lock_guard lock(mutex_);
    const Telltale& t = workers_[0]->telltale();
    Progress p;
    p.depth = t.depth.load(std::memory_order_relaxed);
    p.nodes = nodes();
    p.spent = control_.spent();
    p.moves_left = t.moves_left.load(std::memory_order_relaxed);
    p.moves = t.moves.load(std::memory_order_relaxed);
    p.current = Move::from_raw(t.current.load(std::memory_order_relaxed));
    return p;
}

Score Pool::evaluate(const Position& pos) const {
    return Evaluator(network_).evaluate(pos);
}

std::string Pool::explain(const Position& pos) const {
    return Evaluator(network_).explain(pos);
}

BenchResult Pool::bench(int depth) {
    return run_bench(depth);
}

std::uint64_t Pool::perft(const Position& pos, int depth) const {
    Position copy = pos;
    return engine::perft(copy, depth);
}

}  // namespace engine
