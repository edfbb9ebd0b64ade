// Own games for the live page: the list, one game with the random choices of its book moves, and
// results by move under a filter.
#include "book/model/choice.h"
#include "book/probe/game_list.h"
#include "engine/board/notation.h"
#include "tools/book/serve/api.h"
#include "tools/common/pgn_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::json;

constexpr std::size_t GamesOnPage = 20;

template <typename T>
std::optional<T> choice_of(const Query& query,
                           const char* name,
                           const std::vector<std::pair<const char*, T>>& choices) {
    const std::string text = value_of(query, name);
    for (const auto& [known, value] : choices)
        if (text == known)
            return value;
    if (!text.empty())
        throw BadRequest(fmt::format("\"{}\" is not a {}", text, name));
    return std::nullopt;
}

std::int64_t number_of(const Query& query, const char* name) {
    const std::optional<std::int64_t> number = number_from(value_of(query, name), 15);
    if (!number)
        throw BadRequest(fmt::format("\"{}\" is missing", name));
    return *number;
}

// The days that the query names, or the day from a moment on, in seconds since 1970; nothing if the
// query has none of this name.
std::optional<Period> period_in(const Query& query, const char* name) {
    constexpr std::int64_t Day = 86'400;  // seconds
    const std::string text = value_of(query, name);
    if (text.empty())
        return std::nullopt;
    std::optional<Period> period = period_from(text);
    if (const auto moment = number_from(text, 12); moment && !period)
        period = {.first = *moment, .end = *moment + Day};
    if (!period)
        throw BadRequest(fmt::format("\"{}\" is not a date like 2024-05-31", text));
    return period;
}

book::GameFilter filter_of(const Query& query) {
    book::GameFilter filter;
    filter.since = moment_of(query, "since");
    if (const auto until = period_in(query, "until"))
        filter.before = until->end;
    filter.side = choice_of<engine::Color>(
        query, "side", {{"white", engine::White}, {"black", engine::Black}});
    filter.result = choice_of<book::OwnResult>(query,
                                               "result",
                                               {{"won", book::OwnResult::Won},
                                                {"drawn", book::OwnResult::Drawn},
                                                {"lost", book::OwnResult::Lost}});
    filter.time = time_of(query);
    if (!value_of(query, "opponent").empty())
        filter.opponent = number_of(query, "opponent");
    return filter;
}

// What both the list and the replay show of a game.
Json about(const book::LoggedGame& g, const book::OpponentRecord& opponent) {
    const book::GameRecord& r = g.record;
    const char* outcome = book::by_outcome(r.score, "won", "drawn", "lost");
    return {{"number", g.id},
            {"date", played_text(r)},
            {"color", r.our_side == engine::White ? "white" : "black"},
            {"opponent", utf8(opponent.name.empty() ? "?" : opponent.name)},
            {"server", utf8(opponent.server)},
            {"rating", r.opponent.rating},
            {"result", result_of(g)},
            {"outcome", result_of(g) == "*" ? "" : outcome},
            {"ending", ending_of(g)},
            {"reason", utf8(r.reason)},
            {"time", book::name_of(r.time)},
            {"timeControl", utf8(r.time_control)},
            {"event", utf8(r.event)},
            {"plies", g.plies},
            {"epoch", g.epoch},
            {"imported", g.source != 0},
            {"state", state_text(g.state)},
            {"exitPly", r.exit_ply ? Json(*r.exit_ply) : Json()},
            {"exitCp", r.exit_cp},
            {"exitDepth", r.exit_depth}};
}

// The candidates of a random choice, as they were then.
Json draw_json(const engine::Position& pos, const book::DrawRecord& record) {
    const book::Choice choice = book::choose(record.rule, record.candidates, record.seed);
    Json candidates = Json::array();
    for (std::size_t i = 0; i < record.candidates.size(); ++i) {
        const book::Candidate& c = record.candidates[i];
        const engine::Move m = book::stored_move(c.move);
        candidates.push_back(
            {{"san", pos.is_legal(m) ? engine::to_san(pos, m) : engine::to_coordinates(m)},
             {"value", rounded(c.mean, 3)},
             {"lesson", rounded(c.lesson, 3)},
             {"penalty", rounded(c.opponent_penalty, 3)},
             {"popularity", rounded(c.popularity, 3)},
             {"evidence", rounded(c.evidence, 1)},
             {"drawn", rounded(choice.draws[i], 3)},
             {"mark", flags_text(c.flags)},
             {"played", choice.chosen == i}});
    }
    return {{"candidates", std::move(candidates)},
            {"deviation", rounded(record.rule.deviation, 4)},
            {"temperature", rounded(record.rule.temperature, 4)},
            {"slack", rounded(record.rule.slack, 4)}};
}

// The random choices of a game, by the ply of their position.
Json draws_json(const book::GameRecord& record) {
    Json draws = Json::object();
    for (const std::string& text : record.draws) {
        const std::optional<book::DrawRecord> draw = book::draw_from_text(text);
        if (!draw || draw->ply < 0 || draw->ply >= record.game.ply())
            continue;
        engine::Position pos = record.game.start();
        for (int i = 0; i < draw->ply; ++i)
            pos.make(record.game.moves()[static_cast<std::size_t>(i)]);
        draws[std::to_string(draw->ply)] = draw_json(pos, *draw);
    }
    return draws;
}

// The ids of games learned since the query's "learned"; nothing if it has none.
std::optional<std::set<std::int64_t>> learned_games(LiveBook& book, const Query& query) {
    const std::optional<book::LastVisit> visit = visit_in(query, "learned");
    const auto since = visit ? std::nullopt : moment_of(query, "learned");
    std::optional<book::Store>& store = book.files().experience;
    if (!store || (!visit && !since))
        return std::nullopt;
    return visit ? book::learned_since(*store, *visit) : book::learned_since(*store, *since);
}

// The move for which the book counts the game in a position; 0 if it counts none there.
book::StoredMove counted_move(const book::GameRecord& game, engine::Key key) {
    const std::optional<book::Track> track = book::track_of(game, true);
    if (!track)
        return 0;
    const auto step = std::find_if(track->steps.begin(),
                                   track->steps.end(),
                                   [key](const book::Step& s) { return s.key == key; });
    if (step != track->steps.end())
        return step->move;
    return track->exit.key == key ? track->exit.move : 0;
}

}  // namespace

std::optional<std::int64_t> moment_of(const Query& query, const char* name) {
    const std::optional<Period> period = period_in(query, name);
    return period ? std::optional(period->first) : std::nullopt;
}

std::optional<book::LastVisit> visit_in(const Query& query, const char* name) {
    return book::visit_from(value_of(query, name));
}

Json games_json(LiveBook& book, const Query& query) {
    book::GameListFilter filter{.game = filter_of(query), .only = learned_games(book, query)};
    if (value_of(query, "here") == "1")
        filter.position = game_of(value_of(query, "start"), value_of(query, "moves")).position();
    const auto page =
        static_cast<std::size_t>(value_of(query, "page").empty() ? 0 : number_of(query, "page"));
    book::GamePage list;
    if (std::optional<book::Store>& store = book.files().experience)
        list = book::list_games(*store, book.names(), filter, page * GamesOnPage, GamesOnPage);
    Json games = Json::array();
    for (const book::GameSummary& summary : list.games) {
        Json game = about(summary.game, summary.opponent);
        game["opening"] = summary.opening;
        game["exit"] = exit_text(summary);
        games.push_back(std::move(game));
    }
    const bool more = list.more || (list.total && static_cast<std::size_t>(*list.total) >
                                                      (page + 1) * GamesOnPage);
    return {{"games", std::move(games)},
            {"page", page},
            {"more", more},
            {"total", list.total ? Json(*list.total) : Json()}};
}

Json game_json(LiveBook& book, const Query& query) {
    const std::int64_t number = number_of(query, "number");
    std::optional<book::Store>& store = book.files().experience;
    std::optional<book::LoggedGame> game;
    if (store)
        game = store->games.get(number);
    if (!game)
        throw BadRequest(fmt::format("there is no game {} in the book", number));
    const auto opponent = store->opponents.get(game->opponent_id);
    Json json = about(*game, opponent.value_or(book::OpponentRecord()));
    const engine::Game& moves = game->record.game;
    json["opening"] = book.names().of(moves);
    json["start"] = moves.starts_normally() ? "" : moves.start().fen();
    Json list = Json::array(), sans = Json::array();
    engine::Position pos = moves.start();
    for (const engine::Move m : moves.moves()) {
        list.push_back(engine::to_coordinates(m, pos.is_chess960()));
        sans.push_back(engine::to_san(pos, m));
        pos.make(m);
    }
    json["moves"] = std::move(list);
    json["sans"] = std::move(sans);
    json["draws"] = draws_json(game->record);
    return json;
}

Json filtered_json(LiveBook& book,
                   const engine::Position& pos,
                   engine::Color side,
                   const Query& query) {
    book::GameFilter filter = filter_of(query);
    std::optional<book::Store>& store = book.files().experience;
    const std::optional<std::set<std::int64_t>> only = learned_games(book, query);
    if (!store ||
        !(filter.since || filter.before || filter.time || filter.opponent || filter.result || only))
        return nullptr;
    filter.state = book::GameState::Applied;
    filter.side = side;
    Json tallies = Json::object();
    for (const std::int64_t id : store->games.newest_first(filter)) {
        if (only && !only->contains(id))
            continue;
        if (!book::first_ply_at(*store, id, pos))
            continue;
        const book::GameRecord game = store->games.get(id)->record;
        const book::StoredMove played = counted_move(game, pos.key());
        if (played == 0)
            continue;
        const std::string move =
            engine::to_coordinates(book::stored_move(played), pos.is_chess960());
        Json& tally = tallies.emplace(move, Json{0, 0, 0}).first.value();
        Json& count = tally[book::by_outcome<std::size_t>(game.score, 0, 1, 2)];
        count = count.get<int>() + 1;
    }
    return tallies;
}

}  // namespace tools::book_command
