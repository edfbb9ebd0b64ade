// What the live page shows of one position.
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "tools/book/serve/api.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::json;

struct Shown {  // a position and what is known of it
    engine::Game game;
    book::Model model;
    book::Color side = engine::White;  // whose own games they are
    book::PositionView view{};
    [[nodiscard]] const engine::Position& position() const { return game.position(); }
};

// If the query names no side: the mover, or the other side if only that has own games here.
Shown look_at(book::BookFiles& files, const engine::Game& game, const Query& query) {
    const std::string wish = value_of(query, "side");
    const book::TimeClass time = time_of(query).value_or(book::TimeClass::Blitz);
    const book::Color mover = game.position().side_to_move();
    Shown shown{.game = game,
                .model = files.model(),
                .side = wish == "white"   ? engine::White
                        : wish == "black" ? engine::Black
                                          : mover};
    shown.view = look(files, game.position(), shown.side, time);
    if (wish.empty() && !shown.view.visited)
        if (book::PositionView other = look(files, game.position(), ~mover, time); other.visited) {
            shown.view = std::move(other);
            shown.side = ~mover;
        }
    return shown;
}

Json search_json(const book::BookMove& s) {
    if (!s.analysed)
        return nullptr;
    return {{"cp", s.analysis.cp},
            {"depth", s.analysis.depth},
            {"nodes", s.analysis.nodes},
            {"at", s.analysis.at},
            {"engine", utf8(s.analysis.engine)}};
}

Json move_json(LiveBook& book, const Shown& shown, const book::BookMove& s) {
    const engine::Move move = book::stored_move(s.move);
    engine::Position after = shown.position();
    after.make(move);
    const bool white = shown.side == engine::White;
    return {{"uci", engine::to_coordinates(move, shown.position().is_chess960())},
            {"san", engine::to_san(shown.position(), move)},
            {"probability", rounded(s.probability, 4)},
            {"value", rounded(in_range(s.mean), 4)},
            {"deviation", rounded(s.belief.deviation(shown.model), 4)},
            {"evidence", rounded(s.belief.evidence, 1)},
            {"imported",
             {std::llround(white ? s.imported.wins : s.imported.losses),
              std::llround(s.imported.draws),
              std::llround(white ? s.imported.losses : s.imported.wins)}},
            {"importedGames", s.imported_games - s.base_weight},
            {"rating", s.rated > 0 ? s.ratings / s.rated : 0},
            {"year", s.last_year},
            {"own", {s.wins, s.draws, s.losses}},
            {"visits", s.visits},
            {"exits", s.exits},
            {"mark", flags_text(s.flags)},
            {"search", search_json(s)},
            {"opening", book.names().of(after)}};
}

Json legal_json(const engine::Position& pos) {
    Json moves = Json::array();
    for (const engine::Move m : engine::legal_moves(pos))
        moves.push_back({engine::to_coordinates(m, pos.is_chess960()), engine::to_san(pos, m)});
    return moves;
}

// The moves to the position, each in coordinates and as SAN.
Json path_json(const engine::Game& game) {
    Json path = Json::array();
    engine::Position pos = game.start();
    for (const engine::Move m : game.moves()) {
        path.push_back({engine::to_coordinates(m, pos.is_chess960()), engine::to_san(pos, m)});
        pos.make(m);
    }
    return path;
}

}  // namespace

Json position_json(LiveBook& book, const Query& query) {
    const engine::Game game = game_of(value_of(query, "start"), value_of(query, "moves"));
    book::BookFiles& files = book.files();
    const book::ReadTransaction reading = files.begin_reading();
    const Shown shown = look_at(files, game, query);
    Json moves = Json::array();
    for (const book::BookMove& s : shown.view.moves)
        moves.push_back(move_json(book, shown, s));
    return {{"fen", game.position().fen()},
            {"opening", book.names().of(game)},
            {"path", path_json(game)},
            {"side", shown.side == engine::White ? "white" : "black"},
            {"ours", shown.side == game.position().side_to_move()},
            {"value", rounded(in_range(book::expected_score(shown.view)), 4)},
            {"moves", std::move(moves)},
            {"filtered", filtered_json(book, game.position(), shown.side, query)},
            {"legal", legal_json(game.position())}};
}

}  // namespace tools::book_command
