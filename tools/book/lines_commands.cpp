// Commands about lines of own games: lines, prepare.
#include "book/import/filter.h"
#include "book/probe/opening_names.h"
#include "book/probe/preparation.h"
#include "engine/board/notation.h"
#include "tools/book/book_command.h"

#include <algorithm>
#include <iostream>

#include <fmt/ostream.h>

namespace tools::book_command {
namespace {

// "1.e4 e5 2.Nf3", a tab, and the name of the opening.
std::string line_text(const std::vector<engine::Move>& moves, const book::OpeningNames& names) {
    engine::Game game;
    for (const engine::Move m : moves)
        game.play(m);
    return book::moves_text(game, moves.size()) + '\t' + names.of(game);
}

void print_lines(std::vector<book::OwnLine> lines, bool best, std::size_t max) {
    book::sort_lines(lines, best);
    const book::OpeningNames names;
    std::cout << (best ? "best\n" : "worst\n");
    for (std::size_t i = 0; i < book::lines_to_show(lines.size(), max, best); ++i)
        fmt::print(std::cout,
                   "{:.3f} +- {:.3f}\t+{} ={} -{}\t{}\t{}\t{}\n",
                   lines[i].value,
                   lines[i].width,
                   lines[i].wins,
                   lines[i].draws,
                   lines[i].losses,
                   colour_text(lines[i].side),
                   date_text(lines[i].last),
                   line_text(lines[i].moves, names));
}

// Finds an opponent by name, or by a part that only one name has. The server may be empty.
book::OpponentRecord find_opponent(book::Store& store, const book::Opponent& wanted) {
    const auto same = [](const std::string& a, const std::string& b) {
        return a.size() == b.size() && book::contains_ignoring_case(a, b);
    };
    std::vector<book::OpponentRecord> found, similar;
    for (const book::OpponentRecord& o : store.opponents.all()) {
        if (!wanted.server.empty() && !same(o.server, wanted.server))
            continue;
        if (same(o.name, book::identity(wanted.name)))
            found.push_back(o);
        else if (book::contains_ignoring_case(o.name, wanted.name))
            similar.push_back(o);
    }
    if (found.empty())
        found = similar;
    if (found.size() == 1)
        return found.front();
    const auto on = [](const std::string& server) { return server.empty() ? "" : " on " + server; };
    if (found.empty())
        throw book::Failure(
            fmt::format("no opponent \"{}\"{} in the book", wanted.name, on(wanted.server)));
    std::string which;
    for (std::size_t i = 0; i < found.size() && i < 5; ++i)
        which += (i == 0 ? "" : "; ") + found[i].name + on(found[i].server);
    throw book::Failure(fmt::format("which \"{}\"{}? {}", wanted.name, on(wanted.server), which));
}

void print_preparation(const book::OpponentRecord& o, const book::Preparation& p, std::size_t max) {
    fmt::print(std::cout,
               "{}: {} games, +{} ={} -{}, {}\n\n",
               o.name,
               o.games,
               o.wins,
               o.draws,
               o.losses,
               percent_text(o.wins, o.draws, o.losses));
    for (const book::Color side : {engine::White, engine::Black})
        fmt::print(std::cout,
                   "with {}: expect {:.3f} against them, {:.3f} against anybody\n",
                   colour_text(side),
                   p.value[side],
                   p.usual[side]);
    std::cout << "\nhow they reply\n";
    for (std::size_t i = 0; i < p.replies.size() && i < max; ++i) {
        const book::OpponentReplies& r = p.replies[i];
        std::cout << counted(r.games, "game") << '\t'
                  << (r.game.ply() == 0 ? "at the start"
                                        : book::moves_text(r.game, r.game.moves().size()));
        for (const book::OpponentReplies::Reply& reply : r.replies)
            fmt::print(std::cout,
                       "\t{} {} (we score {:.0f} %)",
                       engine::to_san(r.game.position(), reply.move),
                       reply.games,
                       100 * reply.score);
        std::cout << '\n';
    }
    std::cout << "\nour best lines against that: probability, expected score, line\n";
    const book::OpeningNames names;
    for (std::size_t i = 0; i < p.lines.size() && i < max; ++i)
        fmt::print(std::cout,
                   "{:.0f} %\t{:.3f}\t{}\t{}\n",
                   100 * p.lines[i].reach,
                   p.lines[i].value,
                   colour_text(p.lines[i].side),
                   line_text(p.lines[i].moves, names));
}

}  // namespace

int lines(Call& call) {
    book::LineOptions options;
    std::size_t max = 10;
    std::string colour;
    call.option("color", colour, "only lines that we played with white or black");
    call.option("number", max, "how many of the best and of the worst lines to list");
    call.option("min-games", options.min_games, "end a line where fewer games follow it");
    call.option("max-ply", options.max_ply, "end a line after this number of plies");
    call.read();
    call.require(options.min_games >= 1 && options.max_ply >= 1,
                 "--min-games and --max-ply are at least 1");
    options.side = colour_from(call, "--color", colour);
    tell_waiting(call);
    book::BookFiles files = open_files(call);
    const std::vector<book::OwnLine> found =
        book::own_lines(files.layers(), files.model(), options);
    if (found.empty())
        throw book::Failure(fmt::format("no line was played by {} games yet", options.min_games));
    print_lines(found, true, max);
    print_lines(found, false, max);
    return 0;
}

int prepare(Call& call) {
    std::size_t max = 15;
    book::Opponent wanted;
    call.option("server", wanted.server, "the server where the opponent plays");
    call.option("number", max, "how many positions and lines to list");
    wanted.name = call.read()[0];
    book::BookFiles files = open_files(call);
    if (!files.experience)
        throw book::Failure(fmt::format("there is no book \"{}\" yet", call.book_file.string()));
    const book::OpponentRecord opponent = find_opponent(*files.experience, wanted);
    print_preparation(opponent, book::prepare(files.layers(), files.model(), opponent.id), max);
    return 0;
}

}  // namespace tools::book_command
