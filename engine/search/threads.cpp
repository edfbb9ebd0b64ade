#include "engine/search/threads.h"

#include "engine/search/voting.h"
#include "engine/syzygy/root_choice.h"

#include <new>

namespace engine {

ThreadPool::ThreadPool() {
    constexpr int DefaultHashMib = 16;
    if (!set_hash(DefaultHashMib))
        throw std::bad_alloc();
    set_threads(1);
}

ThreadPool::~ThreadPool() {
    stop();
    wait();
    stop_threads(0);
}

// Ends the threads from number `kept` on. Requires that no search runs.
void ThreadPool::stop_threads(std::size_t kept) {
    {
        const std::lock_guard lock(mutex_);
        kept_threads_ = kept;
        changed_.notify_all();
    }
    while (threads_.size() > kept) {
        threads_.back().join();
        threads_.pop_back();
    }
}

int ThreadPool::set_threads(int count) {
    const auto wanted = static_cast<std::size_t>(std::clamp(count, 1, MaxThreads));
    stop_threads(std::min(wanted, threads_.size()));
    const std::lock_guard lock(mutex_);
    kept_threads_ = wanted;
    try {
        while (threads_.size() < wanted) {
            const bool main = threads_.empty();
            if (workers_.size() == threads_.size())
                workers_.push_back(std::make_unique<Worker>(tt_, control_, main, network_));
            threads_.emplace_back([this,
                                   index = threads_.size(),
                                   last = main ? search_number_ : helpers_search_number_] {
                idle_loop(index, last);
            });
        }
    } catch (const std::exception&) {  // no memory, or no thread
        if (threads_.empty())
            throw;
    }
    workers_.resize(threads_.size());
    return static_cast<int>(threads_.size());
}

Result<void> ThreadPool::set_hash(int mebibytes) {
    return tt_.resize(static_cast<std::size_t>(std::clamp(mebibytes, 1, MaxHashMib)));
}

Result<void> ThreadPool::set_network(const std::string& path) {
    std::shared_ptr<const Network> wanted;
    if (path.empty()) {
        wanted = built_in_network();
    } else if (path != HandWritten) {
        Result<std::shared_ptr<const Network>> net = load_network(path);
        if (!net)
            return fail(net.error().what);
        wanted = std::move(*net);
    }
    network_ = std::move(wanted);
    for (const auto& worker : workers_)
        worker->set_network(network_);
    clear();
    return {};
}

Result<TableFiles> ThreadPool::set_syzygy(const std::string& folders) {
    std::shared_ptr<const Syzygy> wanted;
    if (!folders.empty()) {
        Result<std::shared_ptr<const Syzygy>> tables = Syzygy::open(folders);
        if (!tables)
            return fail(tables.error().what);
        wanted = std::move(*tables);
    }
    tables_ = std::move(wanted);
    tt_.clear();  // it may hold what other tables know
    return tables_ ? TableFiles{tables_->count(), tables_->max_men(), tables_->refused()}
                   : TableFiles{};
}

std::optional<TableResult> ThreadPool::table_result(const Game& game) const {
    const Position& pos = game.position();
    const std::optional<RootChoice> choice =
        tables_ ? choose_at_root(*tables_, pos, game.keys(), legal_moves(pos)) : std::nullopt;
    if (!choice)
        return std::nullopt;
    const int wdl = static_cast<int>(choice->result);
    TableResult found{.result = wdl / 2, .by_rule = wdl % 2 != 0, .moves = {}, .plies = 0};
    std::vector<std::pair<int, Move>> moves;
    for (const Move m : choice->moves) {
        Position next = pos;
        const std::optional<int> distance =
            choice->by_distance ? tables_->dtz_after(next, m) : std::nullopt;
        moves.emplace_back(distance.value_or(0), m);
    }
    std::stable_sort(
        moves.begin(), moves.end(), [](auto& a, auto& b) { return a.first < b.first; });
    if (found.result != 0 && choice->by_distance)
        found.plies = std::abs(moves.front().first) + 1;  // it may be one too low
    for (const auto& [distance, m] : moves)
        found.moves.push_back(m);
    return found;
}

void ThreadPool::clear() {
    tt_.clear();
    solved_.reset();
    too_slow_ = false;
    for (const auto& worker : workers_)
        worker->clear();
}

void ThreadPool::start(const Game& game, const Limits& limits, OnInfo on_info, OnResult on_result) {
#ifdef NUTCRACKER_TUNE
    const params::Scope scope(parameters_);  // for the limits
#endif
    prepare(game, limits, std::move(on_info), std::move(on_result));
    const std::lock_guard lock(mutex_);
    searching_ = true;
    ++search_number_;
    changed_.notify_all();
}

// Short searches take a tenth less time without waking the main search thread.
SearchResult ThreadPool::search(const Game& game, const Limits& limits) {
    SearchResult result;
#ifdef NUTCRACKER_TUNE
    const params::Scope scope(parameters_);
#endif
    prepare(game, limits, {}, [&result](const SearchResult& found) { result = found; });
    run_main_thread();
    return result;
}

void ThreadPool::prepare(const Game& game,
                         const Limits& limits,
                         OnInfo on_info,
                         OnResult on_result) {
    stop();
    wait();
    control_.reset();
    root_ = {game.position(), game.keys(), {}, limits.lines};
    for (const Move m : legal_moves(root_.position))
        if (std::find(limits.excluded.begin(), limits.excluded.end(), m) == limits.excluded.end())
            root_.moves.add(m);
    use_level(limits.strength, game.moves().empty() ? NoMove : game.moves().back());
    choose_root_moves();
    if (solved_ != nullptr && !solved_->covers(root_.position))
        solved_.reset();
    solves_ = shall_solve(limits);
    began_pondering_ = limits.ponder;
    on_info_ = {};
    if (on_info)
        on_info_ = [this, report = std::move(on_info)](SearchInfo info) {
            info.score = shown(info.score);
            info.tbhits = tbhits();
            report(info);
        };
    on_result_ = std::move(on_result);
    control_.begin(limited(limits), overhead_, root_.moves.size());
    tt_.new_search();
    for (const auto& worker : workers_)
        worker->prepare(root_);
}

// Clears all memory if the level changes: a level must not use what full strength has found, nor
// full strength its mistakes. A level also overlooks moves of its own.
void ThreadPool::use_level(const std::optional<Strength>& strength, Move last) {
    const int elo = strength ? strength->elo : 0;
    if (elo != last_elo_)
        clear();
    last_elo_ = elo;
    level_.reset();
    if (!strength)
        return;
    level_.emplace(strength->elo, strength->seed);
    root_.level = &*level_;
    if (root_.position.in_check())
        return;
    MoveList seen;
    for (const Move m : root_.moves)
        if (!level_->overlooks(root_.position, m, 0, last))
            seen.add(m);
    if (!seen.empty())
        root_.moves = seen;
}

// What the level adds to the limits.
Limits ThreadPool::limited(Limits limits) const {
    if (!level_)
        return limits;
    const auto nodes = static_cast<std::uint64_t>(level_->parameters().nodes);
    limits.soft_nodes = std::min(limits.soft_nodes.value_or(nodes), nodes);
    if (limits.strength && limits.strength->takes_time && !limits.depth && !limits.nodes)
        limits.pace = level_->pace(root_.position, root_.moves.size());
    return limits;
}

// Endgame tables at the root: only moves that keep the result are searched, except with several
// lines, which compare moves. If these moves also make progress, the search needs no tables, and
// finds the mate after a capture.
void ThreadPool::choose_root_moves() {
    root_.tables = level_ ? nullptr : tables_.get();
    table_score_ = NoScore;
    root_tbhits_ = 0;
    if (root_.tables == nullptr || root_.lines > 1)
        return;
    const std::optional<RootChoice> choice =
        choose_at_root(*tables_, root_.position, root_.keys, root_.moves);
    if (!choice)
        return;
    root_.moves = choice->moves;
    root_tbhits_ = choice->hits;
    table_score_ = choice->result == Wdl::Win    ? TableWin
                   : choice->result == Wdl::Loss ? -TableWin
                                                 : Draw;
    if (choice->by_distance || choice->result != Wdl::Win)
        root_.tables = nullptr;
}

// True if an ending of few men is at the root, and the limits allow what solving it takes on a
// usual computer.
bool ThreadPool::shall_solve(const Limits& limits) const {
    if (!limits.solve_endings || tables_ != nullptr || level_ || limits.lines > 1 ||
        root_.moves.empty() || too_slow_ ||
        popcount(root_.position.pieces()) > SolvedEnding::MaxMen)
        return false;
    const milliseconds usual(root_.position.pieces(Pawn) != 0 ? 500 : 100);
    return solved_ != nullptr || limits.ponder || time_to_solve(limits) >= usual;
}

// Runs in the main search thread. Where no tables are open, an ending of few men is solved, and
// only the moves that keep its result are searched: the fastest wins, the slowest losses.
void ThreadPool::choose_by_solving() {
    if (!solves_)
        return;
    const Position& pos = root_.position;
    if (solved_ == nullptr) {
        auto solved = SolvedEnding::solve(
            pos, [this] { return control_.stopped() || control_.solving_timed_out(); });
        control_.solving_ended();
        if (solved == nullptr) {
            // After a ponder hit there may be next to no time, which says nothing about the next
            // move.
            too_slow_ = !began_pondering_ && control_.solving_timed_out();
            return;
        }
        solved_ = std::move(solved);
    }
    const SolvedEnding::Choice choice = solved_->choose(pos, root_.moves);
    const bool by_rule = choice.result != 0 && !solved_->comes_in_time(pos, choice);
    root_.moves = choice.moves;
    table_score_ = choice.result == 0 || by_rule ? Draw
                   : choice.plies == 0           ? choice.result * TableWin
                   : choice.result > 0           ? mate_in(choice.plies)
                                                 : mated_in(choice.plies);
    control_.set_root_moves(root_.moves.size());
    for (const auto& worker : workers_)
        worker->prepare(root_);
}

// The score to report: what endgame tables know of the root, unless the search has found the mate.
Score ThreadPool::shown(Score s) const {
    if (is_mate(table_score_))
        return table_score_;
    const bool better = table_score_ == NoScore || s == NoScore ||
                        (is_mate(s) && (s > 0) == (table_score_ > 0) && table_score_ != Draw);
    return better ? s : table_score_;
}

void ThreadPool::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !searching_; });
}

// Runs in every thread: sleeps until there is a search to run, until stop_threads(). `last`: the
// number of the last search before the thread began.
void ThreadPool::idle_loop(std::size_t index, std::uint64_t last) {
    const std::uint64_t& wanted = index == 0 ? search_number_ : helpers_search_number_;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return index >= kept_threads_ || wanted != last; });
        if (index >= kept_threads_)
            return;
        last = wanted;
        Worker& worker = *workers_[index];
        lock.unlock();
#ifdef NUTCRACKER_TUNE
        params::values = parameters_;
#endif
        if (index == 0)
            run_main_thread();
        else
            worker.run({}, [] { return std::uint64_t{0}; });
        lock.lock();
        if (index == 0)
            searching_ = false;
        else
            --running_helpers_;
        changed_.notify_all();
    }
}

// Searches in the calling thread, with the helpers, until the limits are reached and the result may
// be reported.
void ThreadPool::run_main_thread() {
    choose_by_solving();
    if (const std::size_t helpers = level_ ? 0 : workers_.size() - 1; helpers > 0) {
        const std::lock_guard lock(mutex_);
        running_helpers_ = helpers;
        ++helpers_search_number_;
        changed_.notify_all();
    }
    workers_[0]->run(on_info_, [this] { return nodes(); });
    control_.wait_for_release();
    control_.stop();
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return running_helpers_ == 0; });
    }
    SearchResult result = make_result();
    result.stall = control_.longest_stall();
    on_info_ = {};
    if (const auto on_result = std::exchange(on_result_, {}))
        on_result(result);
}

std::uint64_t ThreadPool::nodes() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_)
        sum += worker->stats().nodes.load(std::memory_order_relaxed);
    return sum;
}

std::uint64_t ThreadPool::tbhits() const {
    std::uint64_t sum = root_tbhits_;
    for (const auto& worker : workers_)
        sum += worker->stats().tbhits.load(std::memory_order_relaxed);
    return sum;
}

const Worker& ThreadPool::best_worker() const {
    if (root_.lines > 1)
        return *workers_[0];  // the one whose lines were reported
    std::vector<ThreadVote> votes;
    for (const auto& w : workers_)
        votes.push_back({w->root_moves()[0].move, w->root_moves()[0].score, w->finished_depth()});
    return *workers_[best_thread(votes)];
}

SearchResult ThreadPool::make_result() {
    if (root_.moves.empty())
        return {};
    const Worker& worker = best_worker();
    const RootMove& best = worker.root_moves()[0];
    const SearchResult result{.best = best.move,
                              .ponder = ponder_move(best),
                              .score =
                                  worker.finished_depth() > 0 ? shown(best.known_score()) : NoScore,
                              .depth = worker.finished_depth(),
                              .nodes = nodes()};
    if (&worker != workers_[0].get() && on_info_) {
        SearchInfo info = worker.info();
        info.nodes = result.nodes;
        on_info_(info);
    }
    return result;
}

// The expected answer: from the principal variation, or else from the transposition table, which
// does not know that the move may end the game by the 50-move rule or by repetition.
Move ThreadPool::ponder_move(const RootMove& best) const {
    if (best.pv.size() > 1)
        return best.pv[1];
    Position next = root_.position;
    next.make(best.move);
    if (next.halfmove_clock() >= 100 ||
        std::count(root_.keys.begin(), root_.keys.end(), next.key()) >= 2)
        return NoMove;
    const Move known = tt_.probe(next.key(), 0).move;
    return known && next.is_legal(known) ? known : NoMove;
}

Progress ThreadPool::progress() const {
    const std::lock_guard lock(mutex_);
    const WorkerStats& stats = workers_[0]->stats();
    return {.depth = stats.depth.load(std::memory_order_relaxed),
            .nodes = nodes(),
            .spent = control_.spent(),
            .moves_left = stats.moves_left.load(std::memory_order_relaxed),
            .moves = stats.moves.load(std::memory_order_relaxed),
            .current = Move::from_raw(stats.current_move.load(std::memory_order_relaxed))};
}

}  // namespace engine
