#include "tools/lab/learning/learning_run.h"

#include "book/book.h"
#include "book/model/choice.h"
#include "tools/book/book_search.h"
#include "tools/common/errors.h"
#include "tools/common/self_play.h"

#include <fmt/format.h>

namespace tools::learning {
namespace {

using engine::Move;

constexpr std::int64_t FirstGameTime = 1'700'000'000;  // any time; a game follows every minute
constexpr std::int64_t MaxBookPlies = 60;              // of the opponent's book, as of ours
constexpr std::uint64_t SearchNodes = 10'000;          // of a search of idle analysis
constexpr std::uint64_t NodesVariation = 20;           // per cent

// One side's move, from its book or from a search.
struct Played {
    Move move;
    std::optional<std::string> draw{};  // of a move from our book
    engine::Score score = 0;
    int depth = 0;
};

class LearningRun {
  public:
    LearningRun(const Rules& rules, book::Book& book, Participants& participants)
        : rules_(rules), book_(book), players_(participants) {}

    GameRow play(int number);
    void improve();  // the idle analysis after a game

  private:
    Played our_move(const engine::Game& game, book::Random& random);
    Played their_move(const engine::Game& game, book::Random& random);
    std::optional<Move> draw_by_popularity(const engine::Game& game, book::Random& random);
    Played search(engine::Searcher& searcher, const engine::Game& game, book::Random& random) const;

    const Rules& rules_;
    book::Book& book_;
    Participants& players_;
    book::Opponent opponent_{.name = "Clean book", .computer = true};
};

// The number of nodes varies, so that no two games are equal.
Played LearningRun::search(engine::Searcher& searcher,
                           const engine::Game& game,
                           book::Random& random) const {
    const std::uint64_t variation = rules_.nodes * NodesVariation / 100;
    const std::uint64_t nodes = rules_.nodes - variation + random.next() % (2 * variation + 1);
    const engine::SearchResult choice = search_nodes(searcher, game, nodes);
    return {.move = choice.best, .score = choice.score, .depth = choice.depth};
}

Played LearningRun::our_move(const engine::Game& game, book::Random& random) {
    const std::optional<book::Chosen> chosen = value_or_throw(
        book_.choose(game, {.time = book::TimeClass::Blitz, .opponent = &opponent_}));
    if (chosen)
        return {.move = chosen->move, .draw = chosen->draw};
    return search(*players_.ours, game, random);
}

std::optional<Move> LearningRun::draw_by_popularity(const engine::Game& game,
                                                    book::Random& random) {
    if (game.ply() >= MaxBookPlies || game.repetitions() > 1)
        return std::nullopt;
    const std::vector<book::Edge> edges = players_.clean.positions.edges(game.position().key());
    std::int64_t total = 0;
    for (const book::Edge& e : edges)
        total += e.games();
    std::int64_t left = static_cast<std::int64_t>(random.uniform() * static_cast<double>(total));
    for (const book::Edge& e : edges) {
        left -= e.games();
        const Move m = book::stored_move(e.move);
        if (left < 0 && game.position().is_legal(m))
            return m;
    }
    return std::nullopt;
}

Played LearningRun::their_move(const engine::Game& game, book::Random& random) {
    if (const std::optional<Move> known = draw_by_popularity(game, random))
        return {.move = *known};
    return search(*players_.theirs, game, random);
}

GameRow LearningRun::play(int number) {
    players_.ours->clear();
    players_.theirs->clear();
    // The opponent's seed depends on the game only: it is the same with and without learning.
    const std::uint64_t seed = rules_.seed * 1'000'003 + static_cast<std::uint64_t>(number);
    book::Random our_random(~seed), their_random(seed);
    GameRow row{.number = number, .side = number % 2 == 1 ? engine::White : engine::Black};
    book::GameRecord record{.uid = fmt::format("{}-{}", name_of(rules_), number),
                            .our_side = row.side,
                            .opponent = opponent_,
                            .time = book::TimeClass::Blitz,
                            .played = FirstGameTime + std::int64_t{60} * number,
                            .engine = "Nutcracker " NUTCRACKER_VERSION};
    engine::Game game;
    engine::Position exit;
    const Outcome outcome = play_out(game, Adjudication, [&](const engine::Game& now) {
        const bool ours = now.position().side_to_move() == row.side;
        const Played played = ours ? our_move(now, our_random) : their_move(now, their_random);
        if (ours && played.draw) {
            ++row.book_moves;
            row.poisoned +=
                players_.poisoned.contains({now.position().key(), played.move.raw()}) ? 1 : 0;
            record.draws.push_back(*played.draw);
            row.exit_ply.reset();
        } else if (ours && !row.exit_ply) {
            row.exit_ply = now.ply();
            exit = now.position();
            record.exit_cp = to_centipawns(played.score);
            record.exit_depth = played.depth;
        }
        return MoveChoice{played.move, played.depth > 0 ? played.score : 0};
    });
    const double white = white_points(outcome);
    row.score = row.side == engine::White ? white : 1 - white;
    row.plies = game.ply();
    if (row.exit_ply)
        row.exit_cp = players_.judge.score(exit);
    if (rules_.learn) {
        record.game = game;
        record.score = row.score;
        record.exit_ply = row.exit_ply;
        value_or_throw(book_.learn(record));
    }
    return row;
}

void LearningRun::improve() {
    const book::WorkOptions wanted{.priority = rules_.by_reach ? book::Priority::Reach
                                                               : book::Priority::Distance,
                                   .nodes = SearchNodes};
    const SearchRules each{.nodes = SearchNodes};
    std::uint64_t searched = 0;
    while (searched < rules_.improve_nodes) {
        const std::optional<book::Work> work = value_or_throw(book_.next_work(wanted));
        if (!work)
            break;
        players_.ours->clear();
        const book::WorkSearches done = search_work(*players_.ours, *work, each, searched);
        value_or_throw(book_.finish_work(*work, done.findings(), "Nutcracker " NUTCRACKER_VERSION));
    }
}

}  // namespace

void play_run(const Rules& rules,
              const std::filesystem::path& file,
              Participants& participants,
              const std::function<bool(const GameRow&)>& finished) {
    const std::unique_ptr<book::Book> book = value_or_throw(book::Book::open(
        {.experience = file, .base = {}, .read_only = !rules.learn, .seed = rules.seed}));
    LearningRun run(rules, *book, participants);
    for (int number = 1; number <= rules.games; ++number) {
        const GameRow row = run.play(number);
        if (rules.learn)
            run.improve();
        if (!finished(row))
            break;
    }
}

}  // namespace tools::learning
