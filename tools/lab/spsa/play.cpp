#include "tools/lab/spsa/play.h"

#include "engine/search/params.h"
#include "tools/lab/spsa/text.h"
#include "tools/match/arbiter.h"

namespace tools::spsa {
namespace {

namespace params = engine::params;

constexpr int HashMib = 8;
constexpr int RandomPlies = 8;
constexpr int MaxImbalance = 100;  // centipawns, of an opening
constexpr Rules Adjudication{.draw_from_move = 34,
                             .draw_moves = 6,
                             .draw_score = 10,
                             .resign_moves = 3,
                             .resign_score = 500,
                             .max_moves = 200};

void begin_game(engine::Searcher& searcher, const params::Values& values) {
    searcher.set_parameters(values);
    searcher.clear();
}

// With too few nodes for one iteration there is a move, but no score.
engine::SearchResult
think(engine::Searcher& searcher, const engine::Game& game, std::uint64_t nodes) {
    engine::Limits limits;
    limits.nodes = nodes;
    return engine::think(searcher, game, limits);
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
            const engine::SearchResult result = think(searcher, engine::Game(pos), plan.nodes);
            return result.depth == 0 || std::abs(result.score) <= MaxImbalance;
        });
    engine::Game game;
    if (!openings.empty())
        for (const engine::Move m : openings[0].moves)
            game.play(m);
    return game;
}

Outcome outcome_of(const engine::Game& game) {
    return game.status() == engine::Status::Checkmate ? win_for(~game.position().side_to_move())
                                                      : Outcome::Draw;
}

Outcome play_game(const Duel::Players& players,
                  engine::Game game,
                  std::uint64_t nodes,
                  const std::atomic<bool>& stop) {
    Adjudicator adjudicator(Adjudication);
    while (game.status() == engine::Status::Ongoing) {
        if (stop)
            return Outcome::Unfinished;
        if (game.ply() >= 2 * Adjudication.max_moves)
            return Outcome::Draw;
        const engine::Color mover = game.position().side_to_move();
        const engine::SearchResult result = think(*players[mover], game, nodes);
        const int number = game.position().fullmove_number();
        Thinking thinking;
        thinking.depth = result.depth;
        thinking.score = result.score;
        game.play(result.best);
        const Outcome agreed = adjudicator.move_made(mover, number, thinking);
        if (agreed != Outcome::Unfinished && game.status() == engine::Status::Ongoing)
            return agreed;
    }
    return outcome_of(game);
}

}  // namespace

std::optional<int> Duel::play(const Plan& plan, const Trial& trial, const std::atomic<bool>& stop) {
    const engine::Game start = random_start(*players_[0], plan, trial);
    int points = 0;
    for (const engine::Color plus : {engine::White, engine::Black}) {
        begin_game(*players_[plus], values_of(plan, trial.plus));
        begin_game(*players_[~plus], values_of(plan, trial.minus));
        const Outcome outcome = play_game(players_, start, plan.nodes, stop);
        if (outcome == Outcome::Unfinished)
            return std::nullopt;
        points += outcome == win_for(plus) ? 1 : outcome == win_for(~plus) ? -1 : 0;
    }
    return points;
}

std::vector<Parameter> known_parameters(double r_end) {
    std::vector<Parameter> known;
    for (const params::Tunable& t : params::All)
        if (!t.name.starts_with("Time"))  // they need a clock
            known.push_back({.name = std::string(t.name),
                             .start = t.value,
                             .least = t.min,
                             .most = t.max,
                             .c_end = usual_c_end(t.min, t.max),
                             .r_end = r_end});
    return known;
}

Result<std::unique_ptr<Duel>> make_duel() {
    Duel::Players players{engine::make_searcher(), engine::make_searcher()};
    for (const auto& player : players)
        if (const Result<void> resized = player->set_hash(HashMib); !resized)
            return fail(resized.error().what);
    return std::make_unique<Duel>(std::move(players));
}

}  // namespace tools::spsa
