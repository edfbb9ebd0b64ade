#include "tools/lab/bookbench/learner.h"

#include "book/learn/learn.h"
#include "book/probe/probe.h"
#include "engine/board/movegen.h"
#include "tools/common/errors.h"

#include <algorithm>
#include <cmath>

namespace tools::bookbench {
namespace {

using book::Key;

constexpr auto Side = engine::White;  // we move first
constexpr int OurRating = 2000;

int depth_of(book::TimeClass time) {  // of a search
    return 9 + 3 * static_cast<int>(time);
}

Key key_of(std::size_t position) {
    return book::Random(position + 1).next();
}
std::uint32_t bits_of(std::size_t position) {
    return static_cast<std::uint32_t>(book::Random(~position).next());
}
book::StoredMove move_of(const Position& from, std::size_t move) {
    const auto number = static_cast<book::StoredMove>(move) + 1;
    return from.ours() ? number : ~number;
}
std::size_t index_of(book::StoredMove move) {
    return static_cast<std::size_t>(move < 0 ? ~move : move) - 1;
}
constexpr auto Analysed = book::TimeClass::Blitz;  // idle searches have the errors of this class

int centipawns(double elo) {  // one centipawn counts as one Elo
    return static_cast<int>(std::lround(elo));
}

// A different chess game for each number, because equal games count less.
engine::Game game_of(std::int64_t number) {
    engine::Game game;
    for (auto rest = static_cast<std::size_t>(number); rest > 0;) {
        const engine::MoveList moves = engine::legal_moves(game.position());
        game.play(moves[rest % moves.size()]);
        rest /= moves.size();
    }
    return game;
}

class Learner final : public Rule {
  public:
    Learner(const World& world, std::uint64_t seed, book::Store store)
        : world_(world), seeds_(seed), store_(std::move(store)) {
        store_.track = [this](const book::GameRecord& game, bool) {
            return std::optional(tracks_[std::stoul(game.uid)]);
        };
    }

    void prepare(const std::vector<Setting>& settings, bool analysed);
    std::optional<std::size_t> choose(const Situation& situation) override;
    Tried tried() override;
    void learn(const PlayedGame& game) override;

  private:
    void add_moves(std::size_t position, bool analysed);
    [[nodiscard]] book::Step step(std::size_t position) const {
        return {.key = key_of(position),
                .bits = bits_of(position),
                .rank = world_.positions()[position].ply,
                .move = 0};
    }
    [[nodiscard]] book::BookQuery
    query(std::size_t position, book::TimeClass time, std::int64_t opponent) const;
    static book::Opponent opponent(std::size_t player, std::optional<double> difference) {
        return {.name = "player " + std::to_string(player),
                .rating = difference ? OurRating - static_cast<int>(std::lround(*difference)) : 0};
    }

    const World& world_;
    book::Random seeds_;
    book::Store store_;
    std::vector<book::Track> tracks_;  // by uid of the game, a number from 0
    book::TriedMoves not_again_;       // after the last choice
    double spent_ = 0;                 // loss so far in the current game
    bool rated_ = true;
};

void Learner::prepare(const std::vector<Setting>& settings, bool analysed) {
    for (const Setting& s : settings)
        if (s.name == "calibration")
            store_.calibrates = s.value != 0;
        else if (s.name == "ratings")
            rated_ = s.value != 0;
        else
            set_constant(store_.standard, s);
    book::Transaction transaction(store_.db);
    for (std::size_t i = 0; i < world_.positions().size(); ++i)
        add_moves(i, analysed);
    transaction.commit();
}

// Adds the moves of a position to the book: with their imported games or, unless the book is to
// grow, as known moves without games.
void Learner::add_moves(std::size_t position, bool analysed) {
    const Position& p = world_.positions()[position];
    std::vector<book::KeyedEdge> edges;
    for (std::size_t m = 0; m < p.next.size(); ++m) {
        const book::Results& r = p.imported[m];
        const bool any = r.games() > 0;
        if (!any && world_.grows())
            continue;
        edges.push_back({.key = key_of(position),
                         .edge = {.move = move_of(p, m),
                                  .white = static_cast<std::int64_t>(r.wins),
                                  .draws = static_cast<std::int64_t>(r.draws),
                                  .black = static_cast<std::int64_t>(r.losses),
                                  .unknown = any ? 0 : 1}});
        if (analysed && p.ours())
            store_.positions.set_analysis(key_of(position),
                                          {.move = move_of(p, m),
                                           .cp = centipawns(world_.searched(p.next[m], Analysed)),
                                           .depth = depth_of(Analysed)});
    }
    std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) {
        return a.edge.move < b.edge.move;
    });
    if (!edges.empty())
        store_.positions.add_edges(edges, true);
}

book::BookQuery
Learner::query(std::size_t position, book::TimeClass time, std::int64_t opponent) const {
    const std::vector<std::size_t>& next = world_.positions()[position].next;
    return {.key = key_of(position),
            .bits = bits_of(position),
            .side = Side,
            .time = time,
            .opponent = opponent,
            .child = [&next](book::StoredMove move) { return key_of(next[index_of(move)]); },
            .after =
                [this, &next, time, opponent](book::StoredMove move) {
                    return query(next[index_of(move)], time, opponent);
                }};
}

std::optional<std::size_t> Learner::choose(const Situation& situation) {
    if (situation.position == 0)
        spent_ = 0;
    const Position& p = world_.positions()[situation.position];
    const auto known = store_.opponents.find(opponent(situation.player, std::nullopt));
    book::MoveChoice choice = book::choose_move(
        {.experience = &store_},
        store_.model(),
        query(situation.position, situation.time, known ? known->id : 0),
        {.ply = p.ply, .seed = seeds_.next(), .spent = spent_, .may_leave = world_.grows()});
    if (!choice.chosen && !world_.grows())
        throw Failure("the book has no move: " + choice.left_because);
    not_again_ = std::move(choice.tried);
    if (!choice.chosen)
        return std::nullopt;
    spent_ += choice.loss;
    return index_of(choice.chosen->move);
}

Tried Learner::tried() {
    const auto index = [](engine::Move move) { return index_of(book::store(move, Side)); };
    Tried tried{.to_beat = not_again_.to_beat};
    for (const engine::Move move : not_again_.moves)
        tried.moves.push_back(index(move));
    if (not_again_.best)
        tried.best = index(*not_again_.best);
    return tried;
}

void Learner::learn(const PlayedGame& game) {
    book::Track track{.side = Side, .time = game.time};
    for (const PlayedMove& played : game.moves) {
        track.steps.push_back(step(played.position));
        track.steps.back().move = move_of(world_.positions()[played.position], played.move);
    }
    track.exit = step(game.exit);
    if (game.found) {
        const Position& exit = world_.positions()[game.exit];
        track.exit.move = move_of(exit, *game.found);
        track.after_exit = key_of(exit.next[*game.found]);
    }
    track.cp = centipawns(game.searched);
    track.cp_depth = depth_of(game.time);
    const auto number = static_cast<std::int64_t>(tracks_.size());
    track.cp_at = number;
    tracks_.push_back(std::move(track));
    book::GameRecord record{.uid = std::to_string(number)};
    record.our_side = Side;
    record.score = game.score;
    record.opponent = opponent(game.player, rated_ ? game.difference : std::nullopt);
    record.our_rating = rated_ && game.difference ? OurRating : 0;
    record.time = game.time;
    record.played = number;
    record.exit_ply = static_cast<int>(game.moves.size());
    record.exit_cp = centipawns(game.searched);
    record.exit_depth = depth_of(game.time);
    record.game = game_of(game.content);
    // The engine notes a game when it leaves the book.
    for (const bool finished : {false, true}) {
        book::Transaction transaction(store_.db);
        learn_game(store_, record, finished, 1);
        transaction.commit();
    }
}

}  // namespace

std::unique_ptr<Rule> make_learner(const World& world,
                                   std::uint64_t seed,
                                   bool analysed,
                                   const std::vector<Setting>& settings) {
    auto learner = std::make_unique<Learner>(world, seed, book::Store(":memory:", true));
    learner->prepare(settings, analysed);
    return learner;
}

}  // namespace tools::bookbench
