#include "book/probe/lines.h"
#include "book/probe/preparation.h"
#include "engine/board/notation.h"
#include "tools/book/look.h"

#include <algorithm>
#include <iostream>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;

engine::Game game_of(const std::vector<engine::Move>& moves) {
    engine::Game game;
    for (const engine::Move m : moves)
        game.play(m);
    return game;
}

std::string line_words(const std::vector<engine::Move>& moves) {
    return moves_text(game_of(moves), moves.size());
}

const char* colour(book::Color side) {
    return side == engine::White ? "White" : "Black";
}

void print_line(const book::OwnLine& line, const book::OpeningNames& names) {
    std::cout << formatted("%.3f +- %.3f", line.value, line.width) << '\t' << '+' << line.wins
              << " =" << line.draws << " -" << line.losses << '\t' << colour(line.side) << '\t'
              << date_text(line.last) << '\t' << line_words(line.moves) << '\t'
              << names.of(game_of(line.moves)) << '\n';
}

void print_lines(std::vector<book::OwnLine> lines, bool best, std::size_t most) {
    book::sort_lines(lines, best);
    const book::OpeningNames names;
    std::cout << (best ? "best\n" : "worst\n");
    for (std::size_t i = 0; i < book::lines_to_show(lines.size(), most, best); ++i)
        print_line(lines[i], names);
}

std::string folded(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return text;
}

// By name or, if that tells only one, part of a name; the server may be left out likewise.
Result<book::OpponentRecord>
find_opponent(book::Store& store, const std::string& name, const std::string& server) {
    const Result<std::vector<book::OpponentRecord>> all = store.opponents->all();
    if (!all)
        return tl::unexpected<Error>(all.error());
    std::vector<book::OpponentRecord> found, similar;
    for (const book::OpponentRecord& o : *all) {
        if (!server.empty() && folded(o.server) != folded(server))
            continue;
        if (folded(o.name) == folded(book::identity(name)))
            found.push_back(o);
        else if (folded(o.name).find(folded(name)) != std::string::npos)
            similar.push_back(o);
    }
    if (found.empty())
        found = similar;
    if (found.size() == 1)
        return found.front();
    const std::string where = server.empty() ? "" : " on " + server;
    if (found.empty())
        return fail("no opponent \"" + name + "\"" + where + " in the book");
    std::string which;
    for (std::size_t i = 0; i < found.size() && i < 5; ++i)
        which += (i == 0 ? "" : "; ") + found[i].name +
                 (found[i].server.empty() ? "" : " on " + found[i].server);
    return fail("which \"" + name + "\"" + where + "? " + which);
}

void print_prepared(const book::OpponentRecord& o, const book::Prepared& p, std::size_t most) {
    const book::OpeningNames names;
    std::cout << o.name << ": " << o.games << " games, +" << o.wins << " =" << o.draws << " -"
              << o.losses << ", " << percent_text(o.wins, o.draws, o.losses) << "\n\n";
    for (const book::Color side : {engine::White, engine::Black})
        std::cout << "with " << colour(side)
                  << formatted(": expect %.3f against him, %.3f against anybody\n",
                               p.value[side],
                               p.usual[side]);
    std::cout << "\nhow he replies\n";
    for (std::size_t i = 0; i < p.replies.size() && i < most; ++i) {
        const book::HisReplies& r = p.replies[i];
        std::cout << r.games << (r.games == 1 ? " game\t" : " games\t")
                  << (r.game.ply() == 0 ? "at the start"
                                        : moves_text(r.game, r.game.moves().size()));
        for (const book::HisReplies::Reply& reply : r.replies)
            std::cout << '\t' << engine::to_san(r.game.position(), reply.move) << ' ' << reply.games
                      << formatted(" (we score %.0f %%)", 100 * reply.score);
        std::cout << '\n';
    }
    std::cout << "\nour best against that: likely, expected score, line\n";
    for (std::size_t i = 0; i < p.lines.size() && i < most; ++i)
        std::cout << formatted("%.0f %%\t%.3f\t", 100 * p.lines[i].reach, p.lines[i].value)
                  << colour(p.lines[i].side) << '\t' << line_words(p.lines[i].moves) << '\t'
                  << names.of(game_of(p.lines[i].moves)) << '\n';
}

}  // namespace

int lines(const Place& place, const Arguments& arguments) {
    book::LineOptions wanted;
    std::size_t most = 10;
    std::string only;
    po::options_description options("Usage: nutcracker-book lines [OPTIONS]\n\nOptions");
    options.add_options()("help", "this text")(
        "color", po::value(&only), "only lines that we played with white or black")(
        "number", po::value(&most)->default_value(10), "so many of the best and of the worst")(
        "min-games",
        po::value(&wanted.min_games)->default_value(2),
        "follow a line as long as so many games did")(
        "max-ply", po::value(&wanted.max_ply)->default_value(40), "and so far");
    po::variables_map given;
    if (const auto code = read_options(
            command_line("lines",
                         arguments,
                         "\nWhole lines of own games, the surely good ones and the surely bad "
                         "ones: value with its\ndeviation, results, our colour, last played, "
                         "moves, opening.\n"),
            options,
            given))
        return *code;
    if (wanted.min_games < 1 || wanted.max_ply < 1)
        return complain("lines: --min-games and --max-ply are at least 1");
    if (!only.empty() && only != "white" && only != "black")
        return complain("lines: --color is white or black, not \"" + only + "\"");
    if (!only.empty())
        wanted.side = only == "white" ? engine::White : engine::Black;
    Result<book::BookFiles> files = open_for_looking(place);
    const Result<book::Model> model = files ? files->model() : tl::unexpected<Error>(files.error());
    if (!model)
        return complain(model.error().what, 1);
    const Result<std::vector<book::OwnLine>> found =
        book::own_lines(files->layers(), *model, wanted);
    if (!found)
        return complain(found.error().what, 1);
    if (found->empty())
        return complain(
            "lines: no line was played by " + std::to_string(wanted.min_games) + " games yet", 1);
    print_lines(*found, true, most);
    print_lines(*found, false, most);
    return 0;
}

int prepare(const Place& place, const Arguments& arguments) {
    std::size_t most = 15;
    std::string server;
    po::options_description options("Usage: nutcracker-book prepare [OPTIONS] NAME\n\nOptions");
    options.add_options()("help", "this text")("server", po::value(&server), "where he plays")(
        "number", po::value(&most)->default_value(15), "so many positions and lines");
    CommandLine line = command_line("prepare",
                                    arguments,
                                    "\nWhat an opponent plays against us, and our best lines "
                                    "against that, for both colours.\n");
    line.rest = "name";
    line.most_rest = 1;
    po::variables_map given;
    if (const auto code = read_options(line, options, given))
        return *code;
    if (!given.contains("name"))
        return complain("prepare: give the name of an opponent");
    const std::string name = given["name"].as<Arguments>().front();
    Result<book::BookFiles> files = open_for_looking(place);
    if (!files)
        return complain(files.error().what, 1);
    if (!files->experience)
        return complain("there is no book \"" + place.book.string() + "\" yet", 1);
    const Result<book::OpponentRecord> opponent = find_opponent(*files->experience, name, server);
    const Result<book::Model> model = files->model();
    if (!opponent || !model)
        return complain("prepare: " + (!opponent ? opponent.error() : model.error()).what, 1);
    const Result<book::Prepared> prepared = book::prepare(files->layers(), *model, opponent->id);
    if (!prepared)
        return complain(prepared.error().what, 1);
    print_prepared(*opponent, *prepared, most);
    return 0;
}

}  // namespace tools::book_command
