// The search threads of an engine: they sleep between searches and search together (lazy SMP). The
// main thread, index 0, watches the limits, reports, and returns the result.
#pragma once

#include "engine/board/perft.h"
#include "engine/endgame/solved_ending.h"
#include "engine/search/bench.h"
#include "engine/search/worker.h"

#include <thread>

namespace engine {

class ThreadPool final : public Searcher {
  public:
    ThreadPool();
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    void start(const Game& game, const Limits& limits, OnInfo on_info, OnResult on_result) override;
    SearchResult search(const Game& game, const Limits& limits) override;
    void stop() override { control_.stop(); }
    void ponder_hit(const Limits& limits) override { control_.ponder_hit(limited(limits)); }
    void wait() override;
    [[nodiscard]] Progress progress() const override;
    Result<void> set_hash(int mebibytes) override;
    int set_threads(int count) override;
    void set_move_overhead(milliseconds overhead) override { overhead_ = overhead; }
    void clear() override;
    Result<void> set_network(const std::string& path) override;
    Result<TableFiles> set_syzygy(const std::string& folders) override;
    [[nodiscard]] std::optional<TableResult> table_result(const Game& game) const override;
    [[nodiscard]] Score evaluate(const Position& pos) const override {
        return Evaluator(network_).evaluate(pos);
    }
    [[nodiscard]] std::string explain(const Position& pos) const override {
        return Evaluator(network_).explain(pos);
    }
    Result<BenchResult> bench(int depth, const Stopped& stopped) override {
        return run_bench(depth, stopped);
    }
    [[nodiscard]] std::uint64_t
    perft(const Position& pos, int depth, const Stopped& stopped) const override {
        Position copy = pos;
        return engine::perft(copy, depth, stopped);
    }
    [[nodiscard]] std::string_view slice() const override { return ENGINE_SLICE_NAME; }
#ifdef NUTCRACKER_TUNE
    void set_parameters(const params::Values& values) override {
        parameters_ = values;
    }
#endif

  private:
    void prepare(const Game& game, const Limits& limits, OnInfo on_info, OnResult on_result);
    void idle_loop(std::size_t index, std::uint64_t last);
    void run_main_thread();
    [[nodiscard]] std::uint64_t nodes() const;
    [[nodiscard]] std::uint64_t tbhits() const;
    void choose_root_moves();
    [[nodiscard]] bool shall_solve(const Limits& limits) const;
    void choose_by_solving();
    void use_level(const std::optional<Strength>& strength, Move last);
    [[nodiscard]] Limits limited(Limits limits) const;
    [[nodiscard]] Score shown(Score s) const;
    [[nodiscard]] const Worker& best_worker() const;
    [[nodiscard]] SearchResult make_result();
    [[nodiscard]] Move ponder_move(const RootMove& best) const;
    void stop_threads(std::size_t kept);

    TranspositionTable tt_;
    Control control_;
    std::shared_ptr<const Network> network_ = built_in_network();  // null: classical evaluation
    std::shared_ptr<const Syzygy> tables_;                         // null: none
    milliseconds overhead_{20};
#ifdef NUTCRACKER_TUNE
    params::Values parameters_ = params::Defaults;
#endif
    Root root_;
    std::shared_ptr<const SolvedEnding> solved_;  // the last one; null: none yet
    bool solves_ = false;                         // the ending of the root, before the search
    bool began_pondering_ = false;                // the search that runs
    bool too_slow_ = false;                       // an ending was not solved in time, in this game
    int last_elo_ = 0;                            // of the last search's level; 0: full strength
    std::optional<Level> level_;                  // of the search that runs
    Score table_score_ = NoScore;                 // of the root, where endgame tables know it
    std::uint64_t root_tbhits_ = 0;
    OnInfo on_info_;
    OnResult on_result_;

    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::vector<std::unique_ptr<Worker>> workers_;  // the vector, not the inside of running workers
    std::uint64_t search_number_ = 0, helpers_search_number_ = 0;  // of searches so far
    std::size_t running_helpers_ = 0;
    std::size_t kept_threads_ = 0;  // those with this number or a higher one end
    bool searching_ = false;

    std::vector<std::thread> threads_;
};

}  // namespace engine
