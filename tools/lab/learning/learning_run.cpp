#include "tools/lab/learning/learning_run.h"

#include "book/book.h"
#include "book/model/choice.h"
#include "tools/book/book_search.h"

namespace tools::learning {
namespace {

using engine::Color;
using engine::Move;

constexpr std::int64_t FirstGame = 1'700'000'000;  // any time; the games follow by the minute
constexpr std::int64_t MostPlies = 60;             // of the opponent's book, as of ours
constexpr std::uint64_t SearchNodes = 10'000;      // of idle analysis
constexpr std::uint64_t NodeSpread = 20;           // per cent more or less than the rules say

// One side's move: from its book, or thought.
struct Played {
    Move move;
    std::optional<std::string> draw{};  // of a book move of ours
    engine::Score score = 0;
    int depth = 0;
};

class Match {
  public:
    Match(const Rules& rules, book::Book& book, Cast& cast)
        : rules_(rules), book_(book), cast_(cast) {}

    Result<GameRow> play(int number);
    Result<void> improve();  // after a game

  private:
    Result<Played> our_move(const engine::Game& game, book::Random& random);
    // Around the rules' nodes, so that no game is the copy of another.
    std::uint64_t nodes(book::Random& random) const {
        const std::uint64_t spread = rules_.nodes * NodeSpread / 100;
        return rules_.nodes - spread + random.next() % (2 * spread + 1);
    }
    Result<Played> their_move(const engine::Game& game, book::Random& random);
    Result<std::optional<Move>> drawn_by_popularity(const engine::Game& game, book::Random& random);

    const Rules& rules_;
    book::Book& book_;
    Cast& cast_;
    book::Opponent opponent_{.name = "Clean book", .computer = true};
};

Result<Played> Match::our_move(const engine::Game& game, book::Random& random) {
    const Result<std::optional<book::Chosen>> chosen =
        book_.choose(game, {.time = book::TimeClass::Blitz, .opponent = &opponent_});
    if (!chosen)
        return tl::unexpected<Error>(chosen.error());
    if (*chosen)
        return Played{.move = (*chosen)->move, .draw = (*chosen)->draw};
    const engine::SearchResult choice = cast_.ours.think(game, nodes(random));
    return Played{.move = choice.best, .score = choice.score, .depth = choice.depth};
}

Result<std::optional<Move>> Match::drawn_by_popularity(const engine::Game& game,
                                                       book::Random& random) {
    if (game.ply() >= MostPlies || game.repetitions() > 1)
        return std::optional<Move>();
    const Result<std::vector<book::Edge>> edges =
        cast_.clean.positions->edges(game.position().key());
    if (!edges)
        return tl::unexpected<Error>(edges.error());
    std::int64_t total = 0;
    for (const book::Edge& e : *edges)
        total += e.games();
    std::int64_t at = static_cast<std::int64_t>(random.uniform() * static_cast<double>(total));
    for (const book::Edge& e : *edges) {
        at -= e.games();
        const Move m = book::stored_move(e.move);
        if (at < 0 && game.position().is_legal(m))
            return std::optional(m);
    }
    return std::optional<Move>();
}

Result<Played> Match::their_move(const engine::Game& game, book::Random& random) {
    const Result<std::optional<Move>> known = drawn_by_popularity(game, random);
    if (!known)
        return tl::unexpected<Error>(known.error());
    if (*known)
        return Played{.move = **known};
    const engine::SearchResult choice = cast_.theirs.think(game, nodes(random));
    return Played{.move = choice.best, .score = choice.score, .depth = choice.depth};
}

Result<GameRow> Match::play(int number) {
    cast_.ours.forget();
    cast_.theirs.forget();
    // The opponent's luck depends on the game, not on what we do: the same with and without
    // learning.
    const std::uint64_t luck = rules_.seed * 1'000'003 + static_cast<std::uint64_t>(number);
    book::Random our_luck(~luck), their_luck(luck);
    GameRow row{.number = number, .side = number % 2 == 1 ? engine::White : engine::Black};
    book::GameRecord record{.uid = name_of(rules_) + '-' + std::to_string(number),
                            .our_side = row.side,
                            .opponent = opponent_,
                            .time = book::TimeClass::Blitz,
                            .played = FirstGame + std::int64_t{60} * number,
                            .engine = "Nutcracker " NUTCRACKER_VERSION};
    engine::Game game;
    engine::Position exit;
    GameEnd end;
    while (game.status() == engine::Status::Ongoing) {
        const bool ours = game.position().side_to_move() == row.side;
        const Result<Played> played =
            ours ? our_move(game, our_luck) : their_move(game, their_luck);
        if (!played)
            return tl::unexpected<Error>(played.error());
        if (ours && played->draw) {
            ++row.book_moves;
            row.poisoned +=
                cast_.poisoned.contains({game.position().key(), played->move.raw()}) ? 1 : 0;
            record.draws.push_back(*played->draw);
            row.exit_ply.reset();
        } else if (ours && !row.exit_ply) {
            row.exit_ply = game.ply();
            exit = game.position();
            record.exit_cp = to_centipawns(played->score);
            record.exit_depth = played->depth;
        }
        game.play(played->move);
        const bool thought = played->depth > 0;
        if (const auto white = end.judge(game, thought ? played->score : 0)) {
            row.score = row.side == engine::White ? *white : 1 - *white;
            break;
        }
    }
    row.plies = game.ply();
    if (row.exit_ply)
        row.exit_cp = cast_.judge.score(exit);
    if (rules_.learn) {
        record.game = game;
        record.score = row.score;
        record.exit_ply = row.exit_ply;
        const Result<book::Learned> learned = book_.learn(record);
        if (!learned)
            return tl::unexpected<Error>(learned.error());
    }
    return row;
}

Result<void> Match::improve() {
    const book::WorkOptions wanted{.priority = rules_.by_reach ? book::Priority::Reach
                                                               : book::Priority::Distance,
                                   .nodes = SearchNodes};
    const SearchRules each{.nodes = SearchNodes};
    std::uint64_t searched = 0;
    while (searched < rules_.improve_nodes) {
        const Result<std::optional<book::Work>> work = book_.next_work(wanted);
        if (!work)
            return tl::unexpected<Error>(work.error());
        if (!*work)
            break;
        cast_.ours.forget();
        const book::WorkSearches done = search_work(cast_.ours.searcher(), **work, each, searched);
        const Result<void> stored =
            book_.finish_work(**work, done.findings(), "Nutcracker " NUTCRACKER_VERSION);
        if (!stored)
            return stored;
    }
    return {};
}

}  // namespace

Result<void> play_run(const Rules& rules,
                      const std::filesystem::path& file,
                      Cast& cast,
                      const std::function<bool(const GameRow&)>& told) {
    Result<std::unique_ptr<book::Book>> book = book::Book::open(
        {.experience = file, .base = {}, .read_only = !rules.learn, .seed = rules.seed});
    if (!book)
        return tl::unexpected<Error>(book.error());
    Match match(rules, **book, cast);
    for (int number = 1; number <= rules.games; ++number) {
        const Result<GameRow> row = match.play(number);
        if (!row)
            return tl::unexpected<Error>(row.error());
        if (rules.learn)
            if (Result<void> improved = match.improve(); !improved)
                return improved;
        if (!told(*row))
            break;
    }
    return {};
}

}  // namespace tools::learning
