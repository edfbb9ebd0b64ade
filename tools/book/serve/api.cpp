#include "tools/book/serve/api.h"

#include "book/learn/user_edits.h"
#include "engine/board/notation.h"
#include "tools/book/game_text.h"
#include "tools/book/learned/news_command.h"
#include "tools/book/report_tree.h"

#include <array>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::json;

constexpr std::size_t MaxChanges = 50;
constexpr std::size_t NewsRows = 10;  // of each list

std::string text_of(const Json& body, const char* name) {
    const auto found = body.find(name);
    if (found == body.end() || !found->is_string())
        throw BadRequest(std::string("\"") + name + "\" is missing");
    return found->get<std::string>();
}

Json body_of(const Request& request) {
    Json body = Json::parse(request.body, nullptr, false);
    if (!body.is_object())
        throw BadRequest("the request is not a JSON object");
    return body;
}

std::string coordinates(const engine::Game& game) {
    std::string text;
    for (const engine::Move m : game.moves())
        text += (text.empty() ? "" : "-") + engine::to_coordinates(m, game.start().is_chess960());
    return text;
}

// The line in a text, which may continue from the position shown; in the form game_of() reads.
Json line_json(const Json& body) {
    const engine::Game here = game_of(text_of(body, "start"), text_of(body, "moves"));
    const std::string text = text_of(body, "text");
    const auto game = book::guarded([&] { return game_from_text(text, here); });
    if (!game)
        throw BadRequest(game.error().what);
    return {{"start", game->starts_normally() ? "" : game->start().fen()},
            {"moves", coordinates(*game)}};
}

// The marks set by hand, which are always in the user's book. The page takes back nothing else: a
// second click must not remove an import.
Json changes_json(LiveBook& book) {
    Json list = Json::array();
    const book::Layers layers = book.files().layers();
    if (book::Store* const store = layers.original ? layers.original : layers.experience)
        for (const book::Change& change : book::changes(store->db, std::numeric_limits<int>::max()))
            if (change.is_mark() && list.size() < MaxChanges)
                list.push_back({{"id", change.id}, {"at", change.at}, {"what", utf8(change.what)}});
    return list;
}

Json mark_move(LiveBook& book, const Json& body) {
    const engine::Game game = game_of(text_of(body, "start"), text_of(body, "moves"));
    const auto move = engine::parse_move(game.position(), text_of(body, "move"));
    const std::string name = text_of(body, "mark");
    const std::optional<int> flags = flag_from(name);
    if (!move)
        throw BadRequest("\"move\" is not a move here");
    if (!flags)
        throw BadRequest(fmt::format(NoMark, name));
    book::Store store = book.writable();
    book::mark(store, game, *move, *flags);
    return {{"done", true}};
}

Json take_back(LiveBook& book, const Json& body) {
    const auto id = body.find("id");
    if (id == body.end() || !id->is_number_integer())
        throw BadRequest("\"id\" is missing");
    book::Store store = book.writable();
    return {{"undone", utf8(book::undo_last_mark(store, id->get<std::int64_t>()))}};
}

// Also those whose games do not count.
Json opponents_json(LiveBook& book) {
    Json names = Json::array();
    if (std::optional<book::Store>& store = book.files().experience)
        for (const book::OpponentRecord& o : store->opponents.all())
            names.push_back({{"id", o.id}, {"name", utf8(o.name)}, {"server", utf8(o.server)}});
    return names;
}

// The visit that a page begins now, which it gives back as "visit" or "learned" the next time.
Json visit_json(LiveBook& book) {
    std::optional<book::Store>& store = book.files().experience;
    const std::int64_t now = book::seconds_now();
    const book::LastVisit visit =
        store ? book::visit_at(*store, now) : book::LastVisit{.at = now};  // without games
    return {{"book", utf8(std::filesystem::absolute(book.call().book_file).string())},
            {"visit", book::text_of(visit)}};
}

Reply json_reply(const Json& json) {
    return {.body = json.dump(-1, ' ', true)};
}
Reply refusal(unsigned status, const std::string& what) {
    return {.status = status, .type = "text/plain; charset=utf-8", .body = what + '\n'};
}

}  // namespace

std::string value_of(const Query& query, const std::string& name) {
    const auto found = query.find(name);
    return found == query.end() ? "" : found->second;
}

std::optional<book::TimeClass> time_of(const Query& query) {
    const std::string name = value_of(query, "time");
    for (const auto& [known, time] : book::TimeClassNames)
        if (name == known)
            return time;
    if (!name.empty())
        throw BadRequest("\"time\" must be lightning, blitz or standard");
    return std::nullopt;
}

engine::Game game_of(const std::string& start, const std::string& moves) {
    engine::Game game;
    if (!start.empty()) {
        const Result<engine::Position> pos = engine::Position::from_fen(start);
        if (!pos)
            throw BadRequest(pos.error().what);
        game = engine::Game(*pos);
    }
    for (std::size_t from = 0; from < moves.size();) {
        const std::size_t end = std::min(moves.find('-', from), moves.size());
        const std::string name = moves.substr(from, end - from);
        const auto move = engine::parse_move(game.position(), name);
        if (game.moves().size() == MaxLinePlies)
            throw BadRequest(fmt::format("a line has at most {} moves", MaxLinePlies));
        if (!move)
            throw BadRequest(fmt::format("\"{}\" is not a move here", name.substr(0, 20)));
        game.play(*move);
        from = end + 1;
    }
    return game;
}

const std::string& Api::overview() {
    const std::string version = book_.version();
    if (version != overview_version_) {
        overview_ = overview_json(book_.files(), waiting_text(book_.call())).dump(-1, ' ', true);
        overview_version_ = version;
    }
    return overview_;
}

// What is new since a given time or visit, as `news --since DATE --json` prints it.
const std::string& Api::news(const Query& query) {
    const std::optional<book::LastVisit> visit = visit_in(query, "visit");
    const auto since = visit ? std::nullopt : moment_of(query, "since");
    if (!since && !visit)
        throw BadRequest("\"since\" is missing");
    const std::string asked = fmt::format(
        "{} {}", visit ? book::text_of(*visit) : std::to_string(*since), book_.version());
    if (asked != news_asked_) {
        NewsReport report{.since = visit ? visit->at : since};
        if (book_.files().experience)
            report = read_news(book_.files(), {.visit = visit, .since = since});
        news_ = news_json(report, NewsRows).dump(-1, ' ', true);
        news_asked_ = asked;
    }
    return news_;
}

Reply Api::answer(const Request& request) try {
    const std::string& path = request.path;
    if (request.post) {
        if (path == "/api/line")
            return json_reply(line_json(body_of(request)));
        if (path == "/api/mark")
            return json_reply(mark_move(book_, body_of(request)));
        if (path == "/api/undo")
            return json_reply(take_back(book_, body_of(request)));
    } else {
        book_.refresh();
        if (path == "/api/version")
            return json_reply({{"version", book_.version()}});
        if (path == "/api/visit")
            return json_reply(visit_json(book_));
        if (path == "/api/overview")
            return {.body = overview()};
        if (path == "/api/opponents")
            return json_reply(opponents_json(book_));
        if (path == "/api/position")
            return json_reply(position_json(book_, request.query));
        if (path == "/api/games")
            return json_reply(games_json(book_, request.query));
        if (path == "/api/game")
            return json_reply(game_json(book_, request.query));
        if (path == "/api/news")
            return {.body = news(request.query)};
        if (path == "/api/changes")
            return json_reply(changes_json(book_));
    }
    return {.status = 404, .type = "text/plain", .body = "there is nothing here\n"};
} catch (const BadRequest& e) {
    return refusal(400, e.what());
} catch (const book::ChangedMeanwhile& e) {
    return refusal(409, e.what());
}

}  // namespace tools::book_command
