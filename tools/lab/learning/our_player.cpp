#include "tools/lab/learning/our_player.h"

#include "tools/common/errors.h"
#include "tools/common/fixed_nodes.h"
#include "tools/lab/learning/judge.h"

namespace tools::learning {
namespace {

constexpr std::int64_t FirstGameTime = 1'700'000'000;  // any time; a game follows every minute

}  // namespace

Played search_varied(engine::Searcher& searcher,
                     const engine::Game& game,
                     std::uint64_t nodes,
                     unsigned variation,
                     book::Random& random,
                     const std::vector<engine::Move>& excluded) {
    const std::uint64_t range = nodes * variation / 100;
    const std::uint64_t searched = nodes - range + random.next() % (2 * range + 1);
    const engine::SearchResult choice = search_nodes(searcher, game, searched, excluded);
    return {.move = choice.best, .score = choice.score, .depth = choice.depth};
}

void OurPlayer::begin(const std::string& uid,
                      int number,
                      engine::Color side,
                      const book::Opponent& opponent,
                      std::uint64_t seed) {
    searcher_.clear();
    random_ = book::Random(seed);
    record_ = {.uid = uid,
               .our_side = side,
               .opponent = opponent,
               .time = book::TimeClass::Blitz,
               .played = FirstGameTime + std::int64_t{60} * number,
               .engine = "Nutcracker " NUTCRACKER_VERSION};
}

Played OurPlayer::move(const engine::Game& game) {
    if (book_)
        if (const std::optional<book::Chosen> chosen = value_or_throw(
                book_->choose(game, {.time = record_.time, .opponent = &record_.opponent}))) {
            record_.draws.push_back(chosen->draw);
            record_.exit_ply.reset();
            return {.move = chosen->move, .from_book = true};
        }
    const book::TriedMoves tried = book_ ? book_->tried() : book::TriedMoves();
    const Played played = search_varied(searcher_, game, nodes_, variation_, random_, tried.moves);
    if (tried.best && !book::promises_more(tried, to_centipawns(played.score)))
        return {.move = *tried.best, .score = played.score, .depth = played.depth};
    if (!record_.exit_ply) {
        record_.exit_ply = game.ply();
        record_.exit_cp = to_centipawns(played.score);
        record_.exit_depth = played.depth;
        exit_ = game.position();
    }
    return played;
}

void OurPlayer::learn(const engine::Game& game, double score) {
    if (!book_)
        return;
    record_.game = game;
    record_.score = score;
    value_or_throw(book_->learn(record_));
}

}  // namespace tools::learning
