#include "tools/lab/learning/collection.h"

#include "book/model/choice.h"
#include "engine/board/notation.h"
#include "tools/common/pgn_text.h"

#include <cassert>

namespace tools::learning {
namespace {

constexpr std::uint64_t LeastNodes = 300, SpreadNodes = 301;

std::string moves_text(const engine::Game& game, const char* result) {
    engine::Position pos = game.start();
    Movetext text;
    for (const engine::Move m : game.moves()) {
        if (pos.side_to_move() == engine::White)
            text.add(std::to_string(pos.fullmove_number()) + ".");
        text.add(engine::to_san(pos, m));
        pos.make(m);
    }
    text.add(result);
    return text.text();
}

}  // namespace

std::string make_game(Thinker& thinker,
                      const std::vector<book::Opening>& openings,
                      std::uint64_t seed,
                      int number) {
    assert(!openings.empty());
    book::Random random(seed + static_cast<std::uint64_t>(number) * 0x9E37'79B9);
    const book::Opening& opening = openings[random.next() % openings.size()];
    thinker.forget();
    engine::Game game;
    for (const engine::Move m : opening.moves)
        game.play(m);
    GameEnd end;
    double white = 0.5;
    while (game.status() == engine::Status::Ongoing) {
        const engine::SearchResult choice =
            thinker.think(game, LeastNodes + random.next() % SpreadNodes);
        game.play(choice.best);
        if (const auto score = end.judge(game, choice.score)) {
            white = *score;
            break;
        }
    }
    const char* result = result_text(white);
    return "[Event \"Collection\"]\n[Round \"" + std::to_string(number) +
           "\"]\n[White \"Nutcracker\"]\n[Black \"Nutcracker\"]\n[Result \"" + result +
           "\"]\n[ECO \"" + opening.eco + "\"]\n\n" + moves_text(game, result);
}

}  // namespace tools::learning
