#include "tools/lab/learning/learning_run.h"

#include "book/book.h"
#include "tools/common/errors.h"
#include "tools/common/self_play.h"
#include "tools/lab/learning/our_player.h"

#include <fmt/format.h>

namespace tools::learning {
namespace {

using engine::Move;

constexpr std::int64_t MaxBookPlies = 60;  // of the opponent's book, as of ours

class LearningRun {
  public:
    LearningRun(const Rules& rules, book::Book& book, Participants& participants)
        : rules_(rules), players_(participants),
          ours_(&book, *participants.ours, rules.nodes, NodesVariation) {}

    GameRow play(int number);

  private:
    Played their_move(const engine::Game& game, book::Random& random);
    std::optional<Move> draw_by_popularity(const engine::Game& game, book::Random& random);

    const Rules& rules_;
    Participants& players_;
    OurPlayer ours_;
    book::Opponent opponent_{.name = "Clean book", .computer = true};
};

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
    return search_varied(*players_.theirs, game, rules_.nodes, NodesVariation, random);
}

GameRow LearningRun::play(int number) {
    players_.theirs->clear();
    // The opponent's seed depends on the game only: it is the same with and without learning.
    const std::uint64_t seed = rules_.seed * 1'000'003 + static_cast<std::uint64_t>(number);
    book::Random their_random(seed);
    GameRow row{.number = number, .side = number % 2 == 1 ? engine::White : engine::Black};
    ours_.begin(fmt::format("{}-{}", name_of(rules_), number), number, row.side, opponent_, ~seed);
    engine::Game game;
    const Outcome outcome = play_out(game, Adjudication, [&](const engine::Game& now) {
        const bool ours = now.position().side_to_move() == row.side;
        const Played played = ours ? ours_.move(now) : their_move(now, their_random);
        if (ours && played.from_book)
            row.poisoned +=
                players_.poisoned.contains({now.position().key(), played.move.raw()}) ? 1 : 0;
        return MoveChoice{played.move, played.depth > 0 ? played.score : 0};
    });
    const double white = white_points(outcome);
    row.score = row.side == engine::White ? white : 1 - white;
    row.plies = game.ply();
    row.book_moves = ours_.book_moves();
    row.exit_ply = ours_.exit_ply();
    if (row.exit_ply)
        row.exit_cp = players_.judge.score(ours_.exit());
    if (rules_.learn)
        ours_.learn(game, row.score);
    return row;
}

}  // namespace

void play_run(const Rules& rules,
              const std::filesystem::path& file,
              Participants& participants,
              const std::function<bool(const GameRow&)>& finished) {
    const std::unique_ptr<book::Book> book = value_or_throw(book::Book::open(
        {.experience = file, .base = {}, .read_only = !rules.learn, .seed = rules.seed}));
    LearningRun run(rules, *book, participants);
    for (int number = 1; number <= rules.games; ++number)
        if (!finished(run.play(number)))
            break;
}

}  // namespace tools::learning
