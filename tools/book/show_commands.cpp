// The command show: what is known in a position.
#include "book/probe/opening_names.h"
#include "engine/board/notation.h"
#include "tools/book/book_command.h"
#include "tools/common/pgn_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t MaxRecentGames = 8;
constexpr std::array Speeds{
    "bullet", "blitz", "classical"};  // names that lichess uses, by TimeClass

struct Shown {  // a position and what is known of it
    engine::Game game;
    book::Model model;
    book::PositionView view;
    book::Color side = engine::White;  // whose results and values they are
    book::OpeningNames names{};
    [[nodiscard]] const engine::Position& position() const { return game.position(); }
    [[nodiscard]] std::string name_after(engine::Move m) const {
        engine::Position after = position();
        after.make(m);
        return names.of(after);
    }
};

Shown look_at(book::BookFiles& files, const engine::Game& game, book::TimeClass time) {
    const book::Color mover = game.position().side_to_move();
    Shown shown{.game = game,
                .model = files.model(),
                .view = look(files, game.position(), mover, time),
                .side = mover};
    if (!shown.view.visited) {  // own games may have come here with the opponent to move
        book::PositionView other = look(files, game.position(), ~mover, time);
        if (other.visited) {
            shown.view = std::move(other);
            shown.side = ~mover;
        }
    }
    return shown;
}

Colour colour_of(int flags) {
    return (flags & (book::Always | book::Prefer)) != 0 ? Colour::Good
           : (flags & (book::Avoid | book::Never)) != 0 ? Colour::Bad
                                                        : Colour::Plain;
}

void print_move(const Shown& shown, const book::BookMove& s) {
    const engine::Move m = book::stored_move(s.move);
    const std::string mark = flags_text(s.flags);
    std::string text = fmt::format(
        "{}{} {:8} {:8} {:8} {:6} {:6} {:6}   {:.3f} +- {:.3f} {:8.1f}  {}{:{}} {}{}",
        coloured(fmt::format("{:<7}", engine::to_san(shown.position(), m)), Colour::Strong),
        coloured(fmt::format("{:4.0f} %", 100 * s.probability),
                 s.probability < 0.005 ? Colour::Soft : Colour::Strong),
        std::llround(s.imported.wins),
        std::llround(s.imported.draws),
        std::llround(s.imported.losses),
        s.wins,
        s.draws,
        s.losses,
        in_range(s.mean),
        s.belief.deviation(shown.model),
        s.belief.evidence,
        coloured(mark, colour_of(s.flags)),
        "",
        std::max<std::size_t>(mark.size(), 8) - mark.size(),
        s.analysed ? fmt::format("search {:+} depth {} ", s.analysis.cp, s.analysis.depth) : "",
        shown.name_after(m));
    text.erase(text.find_last_not_of(' ') + 1);
    std::cout << text << '\n';
}

// The moves that led here, the position, and its name.
void print_place(const Shown& shown) {
    const engine::Game& game = shown.game;
    if (game.ply() > 0)
        std::cout << coloured(book::moves_text(game, game.moves().size()), Colour::Strong) << '\n';
    std::cout << shown.position().fen() << '\n';
    if (const std::string name = shown.names.of(game); !name.empty())
        std::cout << name << '\n';
}

int print_text(const Shown& shown) {
    print_place(shown);
    if (shown.view.moves.empty()) {
        std::cout << "the book knows nothing about this position\n";
        return 1;
    }
    const bool ours = shown.side == shown.position().side_to_move();
    fmt::print(std::cout,
               "value {:.3f}, {}\n{}\n{}\n",
               in_range(book::expected_score(shown.view)),
               ours ? "with us to move" : "with the opponent to move; results and values are ours",
               coloured(fmt::format("{:13} {:>26} {:>20}", "", "imported games", "own games"),
                        Colour::Soft),
               coloured(fmt::format("{:<7}{:>6} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6}   {:<14} {:>8}"
                                    "  {:<8} search, opening",
                                    "move",
                                    ours ? "played" : "expect",
                                    "won",
                                    "drawn",
                                    "lost",
                                    "won",
                                    "drawn",
                                    "lost",
                                    "value",
                                    "games",
                                    "mark"),
                        Colour::Soft));
    double sum = 0;
    for (const book::BookMove& s : shown.view.moves) {
        print_move(shown, s);
        sum += s.probability;
    }
    if (ours && sum < 0.995)
        fmt::print(std::cout, "the book is left here in {:.0f} % of games\n", 100 * (1 - sum));
    return 0;
}

// {"eco", "name"} from "B33 Sicilian Defence"; null from "".
Json opening_json(const std::string& name) {
    const std::size_t space = name.find(' ');
    if (space == std::string::npos)
        return nullptr;
    return {{"eco", name.substr(0, space)}, {"name", name.substr(space + 1)}};
}

// Adds the results of imported games by colour.
void add_results(Json& json, const book::Results& ours, book::Color side) {
    const bool white = side == engine::White;
    json["white"] = std::llround(white ? ours.wins : ours.losses);
    json["draws"] = std::llround(ours.draws);
    json["black"] = std::llround(white ? ours.losses : ours.wins);
}

template <typename T>
Json json_if(bool known, const T& value) {
    return known ? Json(value) : Json();
}

Json move_json(const Shown& shown, const book::BookMove& s) {
    const engine::Move m = book::stored_move(s.move);
    Json json{
        {"uci", engine::to_coordinates(m, shown.position().is_chess960())},
        {"san", engine::to_san(shown.position(), m)},
        {"averageRating", json_if(s.rated > 0, s.ratings / std::max<std::int64_t>(s.rated, 1))}};
    add_results(json, s.imported, shown.side);
    json["opening"] = opening_json(shown.name_after(m));
    json["own"] = {{"games", s.wins + s.draws + s.losses},
                   {"wins", s.wins},
                   {"draws", s.draws},
                   {"losses", s.losses}};
    json["probability"] = rounded(s.probability, 4);
    json["value"] = rounded(in_range(s.mean), 4);
    json["deviation"] = rounded(s.belief.deviation(shown.model), 4);
    json["evidence"] = rounded(s.belief.evidence, 2);
    json["lastYear"] = json_if(s.last_year > 0, s.last_year);
    json["mark"] = json_if(s.flags != 0, flags_text(s.flags));
    json["search"] = json_if(s.analysed,
                             Json{{"cp", s.analysis.cp},
                                  {"depth", s.analysis.depth},
                                  {"engine", utf8(s.analysis.engine)}});
    return json;
}

Json game_json(const book::LoggedGame& g, std::size_t ply, const std::string& opponent) {
    const book::GameRecord& r = g.record;
    const bool white = r.our_side == engine::White;
    const std::string date = played_text(r), result = result_of(g);
    const std::optional<std::int64_t> year = number_from(date.substr(0, 4), 4);
    const Json us{{"name", r.engine.empty() ? "Nutcracker" : utf8(r.engine)},
                  {"rating", json_if(r.our_rating > 0, r.our_rating)}};
    const Json them{{"name", opponent.empty() ? "?" : utf8(opponent)},
                    {"rating", json_if(r.opponent.rating > 0, r.opponent.rating)}};
    const bool moved = ply < r.game.moves().size();
    const bool chess960 = r.game.start().is_chess960();
    return {{"uci", moved ? Json(engine::to_coordinates(r.game.moves()[ply], chess960)) : Json()},
            {"id", utf8(r.uid)},
            {"winner",
             result == "1-0"   ? Json("white")
             : result == "0-1" ? Json("black")
                               : Json()},
            {"speed", Speeds.at(static_cast<std::size_t>(r.time))},
            {"mode", "rated"},
            {"white", white ? us : them},
            {"black", white ? them : us},
            {"year", json_if(year.has_value(), year.value_or(0))},
            {"month", json_if(date.size() >= 7, date.substr(0, 7))},
            {"timeControl", json_if(!r.time_control.empty(), utf8(r.time_control))},
            {"event", json_if(!r.event.empty(), utf8(r.event))},
            {"ending", ending_of(g)},
            {"reason", json_if(!r.reason.empty(), utf8(r.reason))}};
}

// Own games that came to the position, the latest first.
std::vector<book::GameSummary>
games_here(const Shown& shown, book::BookFiles& files, std::size_t max) {
    if (!files.experience)
        return {};
    const book::GameListFilter filter{.game = {.state = book::GameState::Applied},
                                      .position = shown.position()};
    return book::list_games(*files.experience, shown.names, filter, 0, max).games;
}

Json recent_games(const Shown& shown, book::BookFiles& files) {
    Json games = Json::array();
    if (shown.view.visited)
        for (const book::GameSummary& g : games_here(shown, files, MaxRecentGames))
            games.push_back(game_json(g.game, static_cast<std::size_t>(*g.ply), g.opponent.name));
    return games;
}

int print_json(const Shown& shown, book::BookFiles& files) {
    book::Results imported;
    Json moves = Json::array();
    for (const book::BookMove& s : shown.view.moves) {
        imported.wins += s.imported.wins;
        imported.draws += s.imported.draws;
        imported.losses += s.imported.losses;
        moves.push_back(move_json(shown, s));
    }
    Json json;
    json["fen"] = shown.position().fen();
    add_results(json, imported, shown.side);
    json["side"] = shown.side == engine::White ? "white" : "black";
    json["value"] = rounded(in_range(book::expected_score(shown.view)), 4);
    json["moves"] = std::move(moves);
    json["topGames"] = Json::array();
    json["recentGames"] = recent_games(shown, files);
    json["opening"] = opening_json(shown.names.of(shown.game));
    std::cout << json.dump(-1, ' ', true) << '\n';
    return 0;
}

}  // namespace

int show_position(const Call& call,
                  const engine::Game& game,
                  book::TimeClass time,
                  const ShowOptions& options) {
    book::BookFiles files = open_files(call);
    const Shown shown = look_at(files, game, time);
    if (options.json)
        return print_json(shown, files);
    const int code = print_text(shown);
    if (!options.games)
        return code;
    const std::vector<book::GameSummary> games = games_here(shown, files, options.number);
    std::cout << '\n';
    if (games.empty())
        std::cout << "no own game reached this position\n";
    print_games(games, true);
    return code;
}

int show(Call& call) {
    std::string time = "blitz";
    ShowOptions options;
    call.option("time", time, "time class: lightning, blitz or standard");
    call.option("games",
                options.games,
                "also list the own games that reached the position, the latest first");
    call.option("number", options.number, "how many games to list; 0: all");
    call.option("json", options.json, "print JSON, in the format of the lichess opening explorer");
    const Words words = call.read();
    return show_position(call, call.game_from(words), time_class_from(call, time), options);
}

}  // namespace tools::book_command
