#include "engine/board/notation.h"
#include "tools/book/json.h"
#include "tools/book/look.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;

constexpr std::size_t MostRecentGames = 8;

struct Shown {  // a position and what is known of it
    engine::Game game;
    book::Model model;
    book::PositionView view;
    book::Color side = engine::White;  // whose results and values they are
    [[nodiscard]] const engine::Position& position() const { return game.position(); }
};

Result<Shown> look_at(book::BookFiles& files, const engine::Game& game, book::TimeClass time) {
    const Result<book::Model> model = files.model();
    if (!model)
        return tl::unexpected<Error>(model.error());
    Shown shown{.game = game, .model = *model, .view = {}, .side = game.position().side_to_move()};
    Result<book::PositionView> view = look(files, game.position(), shown.side, time);
    if (view && !view->visited) {  // own games may have come here as the other side
        Result<book::PositionView> other = look(files, game.position(), ~shown.side, time);
        if (other && other->visited) {
            view = std::move(other);
            shown.side = ~shown.side;
        }
    }
    if (!view)
        return tl::unexpected<Error>(view.error());
    shown.view = std::move(*view);
    return shown;
}

long long count(double x) {
    return static_cast<long long>(x + 0.5);
}

void print_row(const Shown& shown, const book::BookMove& s, const book::OpeningNames& names) {
    const engine::Move m = book::stored_move(s.move);
    engine::Position after = shown.position();
    after.make(m);
    std::array<char, 200> line{};
    std::snprintf(line.data(),
                  line.size(),
                  "%-7s %8lld %8lld %8lld %6lld %6lld %6lld   %.3f +- %.3f %8.1f  %-8s ",
                  engine::to_san(shown.position(), m).c_str(),
                  count(s.imported.wins),
                  count(s.imported.draws),
                  count(s.imported.losses),
                  static_cast<long long>(s.wins),
                  static_cast<long long>(s.draws),
                  static_cast<long long>(s.losses),
                  s.mean,
                  s.belief.deviation(shown.model),
                  s.belief.evidence,
                  flags_text(s.flags).c_str());
    std::string text = line.data();
    if (s.analysed)
        text += formatted("search %+.0f depth %.0f ", s.analysis.cp, s.analysis.depth);
    text += names.of(after);
    text.erase(text.find_last_not_of(' ') + 1);
    std::cout << text << '\n';
}

int print_text(const Shown& shown) {
    const book::OpeningNames names;
    std::cout << shown.position().fen() << '\n';
    if (const std::string name = names.of(shown.game); !name.empty())
        std::cout << name << '\n';
    if (shown.view.moves.empty()) {
        std::cout << "nothing is known here\n";
        return 1;
    }
    std::cout << formatted("value %.3f, ", shown.view.value)
              << (shown.side == shown.position().side_to_move()
                      ? "as ours to move"
                      : "as the opponent's to move; results and values are ours")
              << "\nmove     imported: won    drawn     lost   own: w      d      l   value        "
                 "    games\n";
    for (const book::BookMove& s : shown.view.moves)
        print_row(shown, s, names);
    return 0;
}

void write_opening(JsonWriter& json, const std::string& name) {
    const std::size_t space = name.find(' ');
    json.name("opening");
    if (space == std::string::npos)
        json.raw("null");
    else
        json.open('{')
            .name("eco")
            .text(name.substr(0, space))
            .name("name")
            .text(name.substr(space + 1))
            .close('}');
}

struct Results {  // of imported games
    double white = 0, draws = 0, black = 0;
};
Results results_of(const book::BookMove& s, book::Color side) {
    const bool white = side == engine::White;
    return {.white = white ? s.imported.wins : s.imported.losses,
            .draws = s.imported.draws,
            .black = white ? s.imported.losses : s.imported.wins};
}
void write_results(JsonWriter& json, const Results& r) {
    json.name("white").number(count(r.white));
    json.name("draws").number(count(r.draws));
    json.name("black").number(count(r.black));
}

void write_move(JsonWriter& json,
                const Shown& shown,
                const book::BookMove& s,
                const book::OpeningNames& names) {
    const engine::Move m = book::stored_move(s.move);
    engine::Position after = shown.position();
    after.make(m);
    json.open('{');
    json.name("uci").text(engine::to_coordinates(m, shown.position().is_chess960()));
    json.name("san").text(engine::to_san(shown.position(), m));
    json.name("averageRating");
    if (s.rated > 0)
        json.number(static_cast<long long>(s.ratings / s.rated));
    else
        json.raw("null");
    write_results(json, results_of(s, shown.side));
    write_opening(json, names.of(after));
    json.name("own").open('{');
    json.name("games").number(static_cast<long long>(s.visits + s.exits));
    json.name("wins").number(static_cast<long long>(s.wins));
    json.name("draws").number(static_cast<long long>(s.draws));
    json.name("losses").number(static_cast<long long>(s.losses)).close('}');
    json.name("value").number(s.mean, 4);
    json.name("deviation").number(s.belief.deviation(shown.model), 4);
    json.name("evidence").number(s.belief.evidence, 2);
    json.name("lastYear");
    s.last_year > 0 ? json.number(static_cast<long long>(s.last_year)) : json.raw("null");
    json.name("mark");
    s.flags != 0 ? json.text(flags_text(s.flags)) : json.raw("null");
    json.name("search");
    if (s.analysed)
        json.open('{')
            .name("cp")
            .number(static_cast<long long>(s.analysis.cp))
            .name("depth")
            .number(static_cast<long long>(s.analysis.depth))
            .name("engine")
            .text(s.analysis.engine)
            .close('}');
    else
        json.raw("null");
    json.close('}');
}

void write_player(JsonWriter& json, const char* colour, const std::string& name, int rating) {
    json.name(colour).open('{').name("name").text(name).name("rating");
    rating > 0 ? json.number(static_cast<long long>(rating)) : json.raw("null");
    json.close('}');
}

void write_game(JsonWriter& json,
                const book::LoggedGame& g,
                std::size_t ply,
                const std::string& opponent) {
    constexpr std::array Speeds{"bullet", "blitz", "classical"};
    const book::GameRecord& r = g.record;
    const bool white = r.our_side == engine::White;
    const std::string us = r.engine.empty() ? "Nutcracker" : r.engine;
    const std::string them = opponent.empty() ? "?" : opponent;
    const std::string date = date_text(r.played);
    json.open('{').name("uci");
    ply < r.game.moves().size() ? json.text(engine::to_coordinates(r.game.moves()[ply]))
                                : json.raw("null");
    json.name("id").text(r.uid).name("winner");
    const double score = white ? r.score : 1 - r.score;
    score > 0.75 ? json.text("white") : score < 0.25 ? json.text("black") : json.raw("null");
    json.name("speed").text(Speeds.at(static_cast<std::size_t>(r.time)));
    json.name("mode").text("rated");
    write_player(json, "white", white ? us : them, white ? r.our_rating : r.opponent.rating);
    write_player(json, "black", white ? them : us, white ? r.opponent.rating : r.our_rating);
    json.name("year").raw(date.substr(0, 4));
    json.name("month").text(date.substr(0, 7)).close('}');
}

// The last own games that came here.
Result<void> write_games(JsonWriter& json, const Shown& shown, book::BookFiles& files) {
    json.name("topGames").open('[').close(']').name("recentGames").open('[');
    std::vector<std::pair<book::LoggedGame, std::size_t>> found;
    if (shown.view.visited) {
        const book::Key key = shown.position().key();
        const Result<void> read = files.experience->games->each(
            {.state = book::GameState::Applied}, [&](book::LoggedGame& g) -> Result<void> {
                const std::vector<book::Key>& keys = g.record.game.keys();
                const auto at = std::find(keys.begin(), keys.end(), key);
                if (at == keys.end())
                    return {};
                if (found.size() == MostRecentGames)
                    found.erase(found.begin());
                found.emplace_back(std::move(g), static_cast<std::size_t>(at - keys.begin()));
                return {};
            });
        if (!read)
            return read;
    }
    for (auto g = found.rbegin(); g != found.rend(); ++g) {
        const Result<std::optional<book::OpponentRecord>> o =
            files.experience->opponents->get(g->first.opponent_id);
        if (!o)
            return tl::unexpected<Error>(o.error());
        write_game(json, g->first, g->second, *o ? (*o)->name : "");
    }
    json.close(']');
    return {};
}

int print_json(const Shown& shown, book::BookFiles& files) {
    const book::OpeningNames names;
    Results all;
    for (const book::BookMove& s : shown.view.moves) {
        const Results r = results_of(s, shown.side);
        all.white += r.white;
        all.draws += r.draws;
        all.black += r.black;
    }
    JsonWriter json;
    json.open('{').name("fen").text(shown.position().fen());
    write_results(json, all);
    json.name("side").text(shown.side == engine::White ? "white" : "black");
    json.name("value").number(shown.view.value, 4).name("moves").open('[');
    for (const book::BookMove& s : shown.view.moves)
        write_move(json, shown, s, names);
    json.close(']');
    if (const Result<void> written = write_games(json, shown, files); !written)
        return complain(written.error().what, 1);
    write_opening(json, names.of(shown.game));
    json.close('}');
    std::cout << json.str() << '\n';
    return 0;
}

int show_position(const Place& place, const Arguments& words, book::TimeClass time, bool json) {
    const Result<engine::Game> game = game_from(words);
    if (!game)
        return complain("show: " + game.error().what);
    Result<book::BookFiles> files = open_for_looking(place);
    if (!files)
        return complain(files.error().what, 1);
    const Result<Shown> shown = look_at(*files, *game, time);
    if (!shown)
        return complain(shown.error().what, 1);
    return json ? print_json(*shown, *files) : print_text(*shown);
}

}  // namespace

int show(const Place& place, const Arguments& arguments) {
    std::string time;
    bool json = false;
    po::options_description options("Usage: nutcracker-book show [OPTIONS] [FEN|MOVES]\n\nOptions");
    options.add_options()("help", "this text")("time",
                                               po::value(&time)->default_value("blitz"),
                                               "time class: lightning, blitz or standard")(
        "json", po::bool_switch(&json), "for programs, in the shape of the lichess explorer");
    CommandLine line =
        command_line("show",
                     arguments,
                     "\nImported results and own ones (won, drawn, lost), the value with its "
                     "deviation, and\nthe games' worth of evidence behind it, all of the side "
                     "whose games they are. JSON\ncounts imported games by colour and own ones by "
                     "what they were for us.\n");
    line.rest = "word";
    po::variables_map given;
    if (const auto code = read_options(line, options, given))
        return *code;
    const std::optional<book::TimeClass> time_class = time_from(time);
    if (!time_class)
        return complain("show: --time is lightning, blitz or standard, not \"" + time + "\"");
    return show_position(place,
                         given.contains("word") ? given["word"].as<Arguments>() : Arguments(),
                         *time_class,
                         json);
}

}  // namespace tools::book_command
