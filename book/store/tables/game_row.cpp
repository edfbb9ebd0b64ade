#include "book/store/tables/game_row.h"

#include "book/store/failure.h"
#include "book/store/statement.h"

#include <bit>
#include <cstring>
#include <sstream>

#include <fmt/format.h>

namespace book {

using engine::Game;
using engine::Position;

static_assert(std::endian::native == std::endian::little);  // how moves are stored

const char* const GameColumns =
    "uid, content, clock, epoch, played, side, opponent, own_rating, their_rating, class, score, "
    "term, state, exit_ply, exit_cp, exit_depth, weight, result, surprise, engine, "
    "reason, start, moves, draws, exit_key, analysed_cp, analysed_nodes, "
    "time_control, event, source";

std::string to_blob(const std::vector<engine::Move>& moves) {
    std::string bytes(2 * moves.size(), '\0');
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const std::uint16_t raw = moves[i].raw();
        std::memcpy(bytes.data() + 2 * i, &raw, 2);
    }
    return bytes;
}

namespace {

bool read_all(const Game&) {
    return true;
}

Game from_blob(const std::string& start, const std::string& bytes, const ReadOn& read_on) {
    Game game(start.empty() ? Position() : value_or_throw(Position::from_fen(start)));
    for (std::size_t i = 0; i + 1 < bytes.size() && read_on(game); i += 2) {
        std::uint16_t raw = 0;
        std::memcpy(&raw, bytes.data() + i, 2);
        const engine::Move m = engine::Move::from_raw(raw);
        if (!game.position().is_legal(m))
            throw Failure(fmt::format("move {} is not legal", i / 2 + 1));
        game.play(m);
    }
    return game;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace

LoggedGame read_game_while(RowReader& row, const ReadOn& read_on) {
    LoggedGame g;
    GameRecord& r = g.record;
    g.id = row.int64();
    r.uid = row.text();
    row.column();  // the hash of the content
    g.clock = row.int64();
    g.epoch = row.int64();
    r.played = row.int64();
    r.our_side = static_cast<engine::Color>(row.integer());
    g.opponent_id = row.int64();
    r.our_rating = row.integer();
    r.opponent.rating = row.integer();
    r.time = static_cast<TimeClass>(row.integer());
    const SQLite::Column score = row.column();
    r.score = score.isNull() ? 0.5 : score.getDouble();
    r.termination = static_cast<Termination>(row.integer());
    g.state = static_cast<GameState>(row.integer());
    r.exit_ply = row.optional_integer();
    r.exit_cp = row.integer();
    r.exit_depth = row.integer();
    g.evidence.weight = row.real();
    g.evidence.result = row.real();
    g.overperformance = row.real();
    r.engine = row.text();
    r.reason = row.text();
    const std::string start = row.text();
    const std::string moves = row.text();
    g.plies = static_cast<int>(moves.size() / 2);
    r.draws = lines_of(row.text());
    if (const auto key = row.optional_int64())
        g.exit_key = from_sql(*key);
    g.analysed_cp = row.optional_integer();
    g.analysed_nodes = row.optional_int64();
    r.time_control = row.text();
    r.event = row.text();
    g.source = row.int64();
    try {
        r.game = from_blob(start, moves, read_on);
    } catch (const Failure& e) {
        throw Failure(fmt::format("game {} in the book's log: {}", g.id, e.what()));
    }
    return g;
}

LoggedGame read_game(RowReader& row) {
    return read_game_while(row, read_all);
}

}  // namespace book
