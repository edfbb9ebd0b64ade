#include "tools/lab/learning/collection.h"

#include "book/model/choice.h"
#include "engine/board/notation.h"
#include "tools/common/pgn_text.h"
#include "tools/common/self_play.h"

#include <cassert>

#include <fmt/format.h>

namespace tools::learning {
namespace {

constexpr std::uint64_t MinNodes = 300, NodesRange = 301;

std::string moves_text(const engine::Game& game, const char* result) {
    engine::Position pos = game.start();
    Movetext text;
    for (const engine::Move m : game.moves()) {
        if (pos.side_to_move() == engine::White)
            text.add(fmt::format("{}.", pos.fullmove_number()));
        text.add(engine::to_san(pos, m));
        pos.make(m);
    }
    text.add(result);
    return text.text();
}

}  // namespace

std::string make_game(engine::Searcher& searcher,
                      const std::vector<book::Opening>& openings,
                      std::uint64_t seed,
                      int number) {
    assert(!openings.empty());
    book::Random random(seed + static_cast<std::uint64_t>(number) * 0x9E37'79B9);
    const book::Opening& opening = openings[random.next() % openings.size()];
    searcher.clear();
    engine::Game game;
    for (const engine::Move m : opening.moves)
        game.play(m);
    const Outcome outcome = play_out(game, Adjudication, [&](const engine::Game& now) {
        const std::uint64_t nodes = MinNodes + random.next() % NodesRange;
        const engine::SearchResult choice = search_nodes(searcher, now, nodes);
        return MoveChoice{choice.best, choice.score};
    });
    const char* result = result_text(white_points(outcome));
    std::string pgn;
    for (const auto& [name, value] : {std::pair<const char*, std::string>{"Event", "Collection"},
                                      {"Round", std::to_string(number)},
                                      {"White", "Nutcracker"},
                                      {"Black", "Nutcracker"},
                                      {"Result", result},
                                      {"ECO", opening.eco}})
        add_tag(pgn, name, value);
    return pgn + '\n' + moves_text(game, result);
}

}  // namespace tools::learning
