// The engine's threads: they sleep between searches, and search together. The first one watches the
// limits, reports, and chooses the move.
#pragma once

#include "engine/search/worker.h"

#include <thread>

namespace engine {

class Pool final : public Searcher {
  public:
    Pool();
    ~Pool() override;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void start(const Game& game,
               const Limits& limits,
               std::function<void(const SearchInfo&)> thought,
               std::function<void(const SearchResult&)> done) override;
    void stop() override { control_.stop(); }
    void ponder_hit(const Limits& limits) override { control_.ponder_hit(limits); }
    void wait() override;
    [[nodiscard]] Progress progress() const override;
    Result<void> set_hash(int mebibytes) override;
    void set_threads(int count) override;
    void set_move_overhead(milliseconds overhead) override { overhead_ = overhead; }
    void clear() override;
    Result<void> set_network(const std::string& path) override;
    [[nodiscard]] Score evaluate(const Position& pos) const override;
    [[nodiscard]] std::string explain(const Position& pos) const override;
    BenchResult bench(int depth) override;
    [[nodiscard]] std::uint64_t perft(const Position& pos, int depth) const override;
    [[nodiscard]] std::string_view slice() const override { return ENGINE_SLICE_NAME; }
#ifdef NUTCRACKER_TUNE
    void set_parameters(const params::Values& values) override {
        parameters_ = values;
    }
#endif

  private:
    void work(std::size_t seat);
    void lead();
    [[nodiscard]] std::uint64_t nodes() const;
    [[nodiscard]] const Worker& best_worker() const;
    [[nodiscard]] SearchResult choose();
    [[nodiscard]] Move answer_to(const RootMove& best) const;
    void dismiss();

    TranspositionTable tt_;
    Control control_;
    std::shared_ptr<const Network> network_ = built_in_network();  // null: hand-written
    milliseconds overhead_{20};
#ifdef NUTCRACKER_TUNE
    params::Values parameters_ = params::Defaults;
#endif
    Root root_;
    std::function<void(const SearchInfo&)> thought_;
    std::function<void(const SearchResult&)> done_;

    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::vector<std::unique_ptr<Worker>> workers_;  // the vector; not what a running worker does
    std::uint64_t job_ = 0, helpers_job_ = 0;       // numbers of the searches asked for
    std::size_t helping_ = 0;                       // helpers still at work
    bool busy_ = false, quit_ = false;

    std::vector<std::thread> threads_;
};

}  // namespace engine
