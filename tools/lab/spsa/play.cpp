#include "tools/lab/spsa/play.h"

#include "engine/search/params.h"
#include "engine/search/worker.h"
#include "tools/common/openings.h"
#include "tools/common/self_play.h"
#include "tools/lab/spsa/tuning_file.h"

namespace tools::spsa {
namespace {

namespace params = engine::params;

constexpr std::size_t HashMib = 8;
constexpr int RandomPlies = 8;
constexpr int MostImbalance = 100;  // centipawns, of an opening
constexpr AdjudicationRules Adjudication{.win_score = 500,
                                         .win_plies = 6,
                                         .draw_score = 10,
                                         .draw_plies = 12,
                                         .draw_from_ply = 66,
                                         .max_plies = 399};

// One engine with numbers of its own.
class Player {
  public:
    Result<void> prepare() { return tt_.resize(HashMib); }
    void begin_game(const params::Values& values) {
        values_ = values;
        tt_.clear();
        worker_.clear();
    }
    // In a game that goes on. With too few nodes for any depth there is a move, but no score.
    engine::SearchResult think(const engine::Game& game, std::uint64_t nodes) {
        params::values = values_;
        engine::Limits limits;
        limits.nodes = nodes;
        const engine::Root root{game.position(), game.keys(), engine::legal_moves(game.position())};
        control_.begin(limits, engine::milliseconds(0), root.moves.size());
        tt_.new_search();
        worker_.prepare(root);
        worker_.run({}, [this] { return worker_.telltale().nodes.load(); });
        engine::SearchResult choice;
        choice.best = worker_.root_moves()[0].move;
        choice.depth = worker_.finished_depth();
        if (choice.depth > 0)
            choice.score = worker_.thought().score;
        return choice;
    }

  private:
    params::Values values_{};
    engine::TranspositionTable tt_;
    engine::Control control_;
    engine::Worker worker_{tt_, control_, true};
};

// The defaults, changed where the plan has parameters.
params::Values with(const Plan& plan, const std::vector<int>& chosen) {
    params::Values values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = params::All[i].value;
        for (std::size_t j = 0; j < chosen.size(); ++j)
            if (plan.parameters[j].name == params::All[i].name)
                values[i] = chosen[j];
    }
    return values;
}

engine::Game random_start(Player& judge, const Plan& plan, const Trial& trial) {
    judge.begin_game(with(plan, {}));
    const std::vector<Opening> openings =
        random_openings(1, RandomPlies, trial.seed, [&](const engine::Position& pos) {
            const engine::SearchResult choice = judge.think(engine::Game(pos), plan.nodes);
            return choice.depth == 0 || std::abs(choice.score) <= MostImbalance;
        });
    engine::Game game;
    if (!openings.empty())
        for (const engine::Move m : openings[0].moves)
            game.play(m);
    return game;
}

class EngineDuel final : public Duel {
  public:
    Result<void> prepare() {
        for (Player& player : players_)
            if (Result<void> done = player.prepare(); !done)
                return done;
        return {};
    }
    std::optional<int>
    play(const Plan& plan, const Trial& trial, const std::atomic<bool>& stop) override {
        const engine::Game start = random_start(players_[0], plan, trial);
        int points = 0;
        for (const engine::Color plus : {engine::White, engine::Black}) {
            players_[plus].begin_game(with(plan, trial.plus));
            players_[~plus].begin_game(with(plan, trial.minus));
            const Outcome outcome = play_game(start, plan.nodes, stop);
            if (outcome == Outcome::Unfinished)
                return std::nullopt;
            points += outcome == win_for(plus) ? 1 : outcome == win_for(~plus) ? -1 : 0;
        }
        return points;
    }

  private:
    // Players by colour.
    Outcome play_game(engine::Game game, std::uint64_t nodes, const std::atomic<bool>& stop) {
        return play_out(
            game, Adjudication, [&](const engine::Game& now) -> std::optional<MoveChoice> {
                if (stop)
                    return std::nullopt;
                const auto choice = players_[now.position().side_to_move()].think(now, nodes);
                return MoveChoice{choice.best,
                                  choice.depth > 0 ? std::optional(choice.score) : std::nullopt};
            });
    }

    std::array<Player, 2> players_;
};

}  // namespace

std::vector<Parameter> known_parameters(double r_end) {
    std::vector<Parameter> known;
    for (const params::Tunable& t : params::All)
        if (!t.name.starts_with("Time"))  // they need a clock
            known.push_back({.name = std::string(t.name),
                             .start = t.value,
                             .min = t.least,
                             .max = t.most,
                             .c_end = default_c_end(t.least, t.most),
                             .r_end = r_end});
    return known;
}

Result<std::unique_ptr<Duel>> make_duel() {
    auto duel = std::make_unique<EngineDuel>();
    if (const Result<void> done = duel->prepare(); !done)
        return fail(done.error().what);
    return std::unique_ptr<Duel>(std::move(duel));
}

}  // namespace tools::spsa
