#include "tools/lab/spsa/play.h"

#include "engine/search/params.h"
#include "tools/common/errors.h"
#include "tools/common/fixed_nodes.h"
#include "tools/common/openings.h"
#include "tools/common/self_play.h"
#include "tools/lab/spsa/tuning_file.h"
#include "tools/match/time_control.h"

namespace tools::spsa {
namespace {

namespace params = engine::params;

constexpr int HashMib = 8;
constexpr int RandomPlies = 8;
constexpr int MaxImbalance = 100;  // centipawns, of an opening
constexpr AdjudicationRules Adjudication{.win_score = 500,
                                         .win_plies = 6,
                                         .draw_score = 10,
                                         .draw_plies = 12,
                                         .draw_from_ply = 66,
                                         .max_plies = 399};

void begin_game(engine::Searcher& searcher, const params::Values& values) {
    searcher.set_parameters(values);
    searcher.clear();
}

// The default values, with those of the plan's parameters replaced by `chosen`.
params::Values values_of(const Plan& plan, const std::vector<int>& chosen) {
    params::Values values = params::Defaults;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; j < chosen.size(); ++j)
            if (plan.parameters[j].name == params::All[i].name)
                values[i] = chosen[j];
    return values;
}

engine::Game random_start(engine::Searcher& searcher, const Plan& plan, const Trial& trial) {
    begin_game(searcher, params::Defaults);
    const std::vector<Opening> openings =
        random_openings(1, RandomPlies, trial.seed, [&](const engine::Position& pos) {
            const engine::SearchResult result =
                search_nodes(searcher, engine::Game(pos), plan.nodes);
            return result.depth == 0 || std::abs(result.score) <= MaxImbalance;
        });
    engine::Game game;
    if (!openings.empty())
        for (const engine::Move m : openings[0].moves)
            game.play(m);
    return game;
}

engine::SearchResult search_by_clock(engine::Searcher& searcher,
                                     const engine::Game& game,
                                     match::SideClock& clock,
                                     std::uint64_t nodes_per_second) {
    engine::Limits limits;
    limits.clock = {
        .left = *clock.left(), .increment = clock.increment(), .moves_to_go = clock.moves_to_go()};
    limits.nodes_per_second = nodes_per_second;
    limits.solve_endings = false;
    const engine::SearchResult result = searcher.search(game, limits);
    clock.move_made(milliseconds(result.nodes * 1'000 / nodes_per_second));
    return result;
}

// With too few nodes for one iteration there is a move, but no score.
Outcome play_game(const Duel::Players& players,
                  engine::Game game,
                  const Plan& plan,
                  const std::atomic<bool>& stop) {
    const match::TimeControl control = value_or_throw(match::parse_time_control(plan.clock));
    std::array<match::SideClock, 2> clocks{match::SideClock(control), match::SideClock(control)};
    return play_out(game, Adjudication, [&](const engine::Game& now) -> std::optional<MoveChoice> {
        if (stop)
            return std::nullopt;
        const engine::Color side = now.position().side_to_move();
        const auto result = control.has_clock()
                                ? search_by_clock(*players[side], now, clocks[side], plan.nodes)
                                : search_nodes(*players[side], now, plan.nodes);
        return MoveChoice{result.best,
                          result.depth > 0 ? std::optional(result.score) : std::nullopt};
    });
}

}  // namespace

std::optional<int> Duel::play(const Plan& plan, const Trial& trial, const std::atomic<bool>& stop) {
    const engine::Game start = random_start(*players_[0], plan, trial);
    int points = 0;
    for (const engine::Color plus : {engine::White, engine::Black}) {
        begin_game(*players_[plus], values_of(plan, trial.plus));
        begin_game(*players_[~plus], values_of(plan, trial.minus));
        const Outcome outcome = play_game(players_, start, plan, stop);
        if (outcome == Outcome::Unfinished)
            return std::nullopt;
        points += outcome == win_for(plus) ? 1 : outcome == win_for(~plus) ? -1 : 0;
    }
    return points;
}

std::vector<Parameter> known_parameters(double r_end, bool by_clock) {
    std::vector<Parameter> known;
    for (const params::Tunable& t : params::All)
        if (by_clock || !t.name.starts_with("Time"))
            known.push_back({.name = std::string(t.name),
                             .start = t.value,
                             .min = t.min,
                             .max = t.max,
                             .c_end = default_c_end(t.min, t.max),
                             .r_end = r_end});
    return known;
}

Result<std::unique_ptr<Duel>> make_duel() {
    Duel::Players players{engine::make_searcher(), engine::make_searcher()};
    for (const auto& player : players) {
        if (!player)
            return fail("no engine for this processor");
        if (const Result<void> resized = player->set_hash(HashMib); !resized)
            return fail(resized.error().what);
    }
    return std::make_unique<Duel>(std::move(players));
}

}  // namespace tools::spsa
