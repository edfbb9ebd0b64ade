// Commands about lines of own games: lines, prepare.
#include "book/import/filter.h"
#include "book/import/pgn_source.h"
#include "book/import/player_names.h"
#include "book/model/letter_case.h"
#include "book/probe/opening_names.h"
#include "book/probe/preparation.h"
#include "engine/board/notation.h"
#include "tools/book/book_command.h"
#include "tools/book/game_text.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <iostream>
#include <map>

#include <fmt/ostream.h>

namespace tools::book_command {
namespace {

// "1.e4 e5 2.Nf3", a tab, and the name of the opening.
std::string line_text(const std::vector<engine::Move>& moves, const book::OpeningNames& names) {
    const engine::Game game = game_of(moves);
    return book::moves_text(game, moves.size()) + '\t' + names.of(game);
}

void print_lines(const std::vector<book::OwnLine>& lines, bool best) {
    const book::OpeningNames names;
    std::cout << coloured(best ? "best\n" : "worst\n", Colour::Strong);
    std::vector<std::vector<Cell>> rows;
    for (const book::OwnLine& line : lines) {
        const engine::Game game = game_of(line.moves);
        rows.push_back({{.text = fmt::format("{:.3f} +- {:.3f}", in_range(line.value), line.width),
                         .colour = best ? Colour::Good : Colour::Bad},
                        {.text = fmt::format("+{} ={} -{}", line.wins, line.draws, line.losses)},
                        {.text = colour_text(line.side)},
                        {.text = played_text(line.last)},
                        {.text = book::moves_text(game, line.moves.size())},
                        {.text = names.of(game)}});
    }
    std::vector<std::string> heads{"value", "results", "colour", "last", "moves", "opening"};
    if (is_terminal()) {  // the moves last, so that a long line needs no wide column
        std::iter_swap(heads.end() - 1, heads.end() - 2);
        for (std::vector<Cell>& row : rows)
            std::iter_swap(row.end() - 1, row.end() - 2);
    }
    print_table(std::cout, heads, rows);
}

struct TheirGames {      // in a file
    std::string name{};  // as it stands there
    std::vector<book::OpponentGame> games{};
    std::int64_t bad = 0;  // games that cannot be read
};

// The games of the player of this name, or of the only one whose name contains it. Throws Failure
// if there is none, or more than one.
TheirGames read_games_of(const std::string& player, const std::string& file) {
    std::map<std::string, TheirGames> by_name;  // by player_key()
    const book::GamesFile source = book::open_games(file);
    book::PgnReader reader(source.read, source.trouble);
    std::int64_t bad = 0;
    book::PlayerNames players;
    for (book::PgnGame game; reader.next(game);) {
        bad += game.trouble.empty() ? 0 : 1;
        if (!game.trouble.empty() || game.outcome == book::Outcome::Unknown ||
            game.start.key() != engine::Position().key())
            continue;
        const double white = game.outcome == book::Outcome::White   ? 1
                             : game.outcome == book::Outcome::Black ? 0
                                                                    : 0.5;
        for (const book::Color theirs : {engine::White, engine::Black}) {
            const std::string& name = theirs == engine::White ? game.white : game.black;
            if (by_name.empty())
                players.add(name);
            if (!book::contains_ignoring_case(name, player))
                continue;
            TheirGames& found = by_name[book::player_key(name)];
            found.name = book::identity(name);
            found.games.push_back({.our_side = ~theirs,
                                   .moves = game.moves,
                                   .score = theirs == engine::White ? 1 - white : white});
        }
    }
    auto chosen = by_name.find(book::player_key(player));
    if (chosen == by_name.end() && by_name.size() == 1)
        chosen = by_name.begin();
    if (by_name.empty())
        throw book::Failure(fmt::format("no game of \"{}\" in \"{}\"{}",
                                        player,
                                        file,
                                        printable(suggestion_text(players.suggestions({player})))));
    if (chosen == by_name.end()) {
        std::string which;
        for (const auto& [key, found] : by_name)
            if (which.size() < 200)
                which += (which.empty() ? "" : "; ") + found.name;
        throw book::Failure(fmt::format("\"{}\" in \"{}\" is ambiguous: {}", player, file, which));
    }
    chosen->second.bad = bad;
    return std::move(chosen->second);
}

void print_preparation(const book::OpponentRecord& o,
                       const TheirGames& theirs,
                       const book::Preparation& p,
                       std::size_t max) {
    fmt::print(std::cout,
               "{}: {}, +{} ={} -{}, {}",
               printable(utf8(o.name)),
               counted(o.games, "game"),
               o.wins,
               o.draws,
               o.losses,
               percent_text(o.wins, o.draws, o.losses));
    if (!theirs.games.empty())
        fmt::print(std::cout,
                   "; {} of this player in the file",
                   counted(static_cast<std::int64_t>(theirs.games.size()), "game"));
    std::cout << "\n\n";
    for (const book::Color side : {engine::White, engine::Black})
        fmt::print(std::cout,
                   "expected score with {}, at equal strength: {:.3f} against their replies, "
                   "{:.3f} against usual replies\n",
                   colour_text(side),
                   in_range(p.value[side]),
                   in_range(p.usual[side]));
    std::cout << "\nhow they reply\n";
    for (std::size_t i = 0; i < p.replies.size() && i < max; ++i) {
        const book::OpponentReplies& r = p.replies[i];
        std::cout << counted(r.games, "game") << '\t'
                  << (r.game.ply() == 0 ? "at the start"
                                        : book::moves_text(r.game, r.game.moves().size()));
        for (const book::OpponentReplies::Reply& reply : r.replies)
            fmt::print(std::cout,
                       "\t{} {} (our side scored {:.0f} %)",
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
                   in_range(p.lines[i].value),
                   colour_text(p.lines[i].side),
                   line_text(p.lines[i].moves, names));
}

}  // namespace

int lines(Call& call) {
    book::LineOptions options;
    std::size_t max = 10;
    std::string colour;
    bool best = false, worst = false;
    call.option("best", best, "list only the best lines");
    call.option("worst", worst, "list only the worst lines");
    call.option("colour", colour, "only lines that we played with white or black");
    call.option("color", colour, "the same");
    call.option("number", max, "how many of the best and of the worst lines to list");
    call.option("min-games", options.min_games, "end a line where fewer games follow it", 1);
    call.option("max-ply", options.max_ply, "end a line after this number of plies", 1);
    call.read();
    options.side = colour_from(call, "--colour", colour);
    tell_waiting(call);
    book::BookFiles files = open_files(call);
    const std::vector<book::OwnLine> found =
        book::own_lines(files.layers(), files.model(), options);
    if (found.empty())
        throw book::Failure(
            fmt::format("no line has been played in {} yet", counted(options.min_games, "game")));
    const bool both = best == worst;  // then no line is listed twice
    for (const bool good : {true, false})
        if (both || (good ? best : worst))
            print_lines(book::choose_lines(found, good, max, both), good);
    return 0;
}

int prepare(Call& call) {
    std::size_t max = 15;
    book::Opponent wanted;
    std::string pgn;
    call.option("server", wanted.server, "the server where the opponent plays; -: none");
    call.option("pgn", pgn, "also use the opponent's games against anybody in this file");
    call.option("number", max, "how many positions and lines to list");
    wanted.name = call.read()[0];
    const TheirGames theirs = pgn.empty() ? TheirGames() : read_games_of(wanted.name, pgn);
    if (theirs.bad > 0)
        complain(fmt::format("\"{}\": {} cannot be read", pgn, counted(theirs.bad, "game")));
    if (!pgn.empty())
        wanted.name = theirs.name;
    book::BookFiles files = open_files(call);
    if (!files.experience && pgn.empty())
        throw no_book(call);
    book::OpponentRecord opponent;
    opponent.name = wanted.name;
    if (files.experience &&
        (pgn.empty() || !opponents_named(*files.experience, wanted, true).empty()))
        opponent = find_opponent(*files.experience, wanted, !pgn.empty());
    print_preparation(opponent,
                      theirs,
                      book::prepare(files.layers(), files.model(), opponent.id, theirs.games),
                      max);
    return 0;
}

}  // namespace tools::book_command
