// A searcher and a book that do what a test wants, at once and in the thread of the caller.
#pragma once

#include "book/book.h"
#include "engine/board/movegen.h"
#include "engine/engine.h"

#include <functional>
#include <mutex>

class FakeSearcher : public engine::Searcher {
  public:
    // The game that is searched; empty when idle.
    std::optional<engine::Game> root;
    engine::Limits limits;
    engine::Progress shown;
    int starts = 0, hits = 0, cleared = 0, hash = 0, threads = 0, benches = 0, networks = 0;
    engine::milliseconds overhead{};
    std::string tables;
    std::optional<engine::TableResult> known;  // of every position

    void think(const engine::SearchInfo& info) { on_info_(info); }
    void choose(const engine::SearchResult& result) {
        root.reset();
        on_result_(result);
    }

    void start(const engine::Game& game,
               const engine::Limits& wanted,
               engine::OnInfo on_info,
               engine::OnResult on_result) override {
        stop();
        ++starts;
        root = game;
        limits = wanted;
        on_info_ = std::move(on_info);
        on_result_ = std::move(on_result);
    }
    engine::SearchResult search(const engine::Game& game, const engine::Limits& wanted) override {
        engine::SearchResult result;
        start(game, wanted, {}, [&result](const engine::SearchResult& found) { result = found; });
        stop();
        return result;
    }
    void stop() override {
        if (!root)
            return;
        engine::SearchResult first;
        const engine::MoveList moves = engine::legal_moves(root->position());
        first.best = moves.empty() ? engine::NoMove : moves[0];
        first.depth = 1;
        first.score = 0;
        choose(first);
    }
    void ponder_hit(const engine::Limits& wanted) override {
        ++hits;
        limits = wanted;
    }
    void wait() override {}
    [[nodiscard]] engine::Progress progress() const override { return shown; }
    Result<void> set_hash(int mebibytes) override {
        if (mebibytes > 4096)
            return fail("no room for " + std::to_string(mebibytes) + " MiB");
        hash = mebibytes;
        return {};
    }
    int set_threads(int count) override { return threads = std::min(count, 64); }
    void set_move_overhead(engine::milliseconds kept_back) override { overhead = kept_back; }
    Result<void> set_network(const std::string& path) override {
        if (path.starts_with("/nowhere"))
            return fail("cannot read the network \"" + path + '"');
        ++networks;
        return {};
    }
    Result<engine::TableFiles> set_syzygy(const std::string& folders) override {
        if (folders.starts_with("/nowhere"))
            return fail("no tables can be read from the folder \"" + folders + '"');
        tables = folders;
        return folders == "/damaged"
                   ? engine::TableFiles{3, 4, {"the table KQvK.rtbw is cut short"}}
                   : engine::TableFiles{70, 4, {}};
    }
    [[nodiscard]] std::optional<engine::TableResult>
    table_result(const engine::Game&) const override {
        return known;
    }
    void clear() override { ++cleared; }
    [[nodiscard]] engine::Score evaluate(const engine::Position&) const override { return 0; }
    [[nodiscard]] std::string explain(const engine::Position&) const override {
        return "material 0\ntotal 0\n";
    }
    Result<engine::BenchResult> bench(int depth, const engine::Stopped&) override {
        ++benches;
        return engine::BenchResult{static_cast<std::uint64_t>(1000 * depth),
                                   engine::milliseconds(500)};
    }
    [[nodiscard]] std::uint64_t
    perft(const engine::Position& pos, int depth, const engine::Stopped&) const override {
        return depth == 0 ? 1 : engine::legal_moves(pos).size();
    }
    [[nodiscard]] std::string_view slice() const override { return "fake"; }

  private:
    engine::OnInfo on_info_;
    engine::OnResult on_result_;
};

// The contents of fake books, and what they were given. Must outlive the books.
struct FakeBookData {
    std::vector<engine::Move> line;  // from the start position
    std::int64_t effort = 0;         // nodes behind each move; 0: any number
    book::TriedMoves tried;          // where the book is left for want of effort

    std::mutex games_mutex;  // guards the members below
    std::vector<book::GameRecord> noted, learned;
    std::string fault;              // why games are not stored
    std::vector<book::Work> works;  // the next one last
    std::vector<std::pair<book::Work, std::vector<book::Finding>>> worked;
};

class FakeBook : public book::Book {
  public:
    explicit FakeBook(FakeBookData& data) : data_(data) {}
    std::string care;  // what warning() returns

    [[nodiscard]] bool read_only() const override { return false; }
    [[nodiscard]] std::string notice() const override { return ""; }
    [[nodiscard]] std::string warning() const override { return care; }
    Result<std::optional<book::Chosen>> choose(const engine::Game& game,
                                               const book::ChooseOptions& options) override {
        left_because_.clear();
        if (data_.effort > 0 && 2 * data_.effort < options.expected_nodes)
            left_because_ = "too little is known";
        if (game.ply() >= options.max_ply)
            left_because_ = "far enough";
        if (!left_because_.empty())
            return std::optional<book::Chosen>();
        const std::size_t ply = game.moves().size();
        if (ply >= data_.line.size() ||
            !std::equal(game.moves().begin(), game.moves().end(), data_.line.begin()))
            return std::optional<book::Chosen>();
        book::Chosen chosen;
        chosen.move = data_.line[ply];
        chosen.row = row(chosen.move);
        chosen.why = "known";
        return std::optional<book::Chosen>(chosen);
    }
    [[nodiscard]] std::string left_because() const override { return left_because_; }
    [[nodiscard]] book::TriedMoves tried() const override {
        return left_because_.empty() ? book::TriedMoves() : data_.tried;
    }
    Result<std::vector<book::Row>> table(const engine::Position& pos,
                                         const book::ChooseOptions&) override {
        std::vector<book::Row> rows;
        engine::Game game;
        for (const engine::Move move : data_.line) {
            if (game.position().key() == pos.key())
                rows.push_back(row(move));
            game.play(move);
        }
        return rows;
    }
    std::string opening(const engine::Game& game) override {
        return game.ply() > 0 && !data_.line.empty() ? "C20 King's pawn" : "";
    }
    Result<void> note(const book::GameRecord& game) override {
        const std::lock_guard lock(data_.games_mutex);
        data_.noted.push_back(game);
        return {};
    }
    Result<book::Learned> learn(const book::GameRecord& game) override {
        const std::lock_guard lock(data_.games_mutex);
        if (game.termination == book::Termination::Aborted) {
            std::erase_if(data_.noted, [&](const auto& noted) { return noted.uid == game.uid; });
            return book::Learned{};
        }
        data_.learned.push_back(game);
        if (!data_.fault.empty())
            return book::Learned{false, {data_.fault}};
        return book::Learned{true, {"1. e4 +0.01"}};
    }
    Result<std::optional<book::Work>> next_work(const book::WorkOptions&) override {
        const std::lock_guard lock(data_.games_mutex);
        if (data_.works.empty())
            return std::optional<book::Work>();
        std::optional<book::Work> work = std::move(data_.works.back());
        data_.works.pop_back();
        return work;
    }
    Result<void> finish_work(const book::Work& work,
                             const std::vector<book::Finding>& findings,
                             const std::string&) override {
        const std::lock_guard lock(data_.games_mutex);
        data_.worked.emplace_back(work, findings);
        return {};
    }
    Result<void> back_up() override { return {}; }
    Result<book::Stats> stats() override { return book::Stats{}; }
    Result<std::vector<std::string>> verify() override { return std::vector<std::string>{}; }
    Result<void> rebuild() override { return {}; }

  private:
    static book::Row row(engine::Move move) {
        book::Row known;
        known.move = move;
        known.imported_wins = 5;
        known.imported_draws = 3;
        known.imported_losses = 2;
        known.visits = 4;
        known.value = 0.5;
        known.flags = book::Prefer;
        known.probability = 1;
        return known;
    }

    FakeBookData& data_;
    std::string left_because_;
};
