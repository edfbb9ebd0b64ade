// Commands about own games of the log: games, unlearn, relearn.
#include "book/learn/audit.h"
#include "book/probe/game_list.h"
#include "tools/book/book_command.h"

#include <iostream>

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::ordered_json;

Json game_json(const book::GameSummary& summary) {
    const book::LoggedGame& g = summary.game;
    const book::GameRecord& r = g.record;
    Json exit;
    if (r.exit_ply)
        exit = Json{{"ply", *r.exit_ply},
                    {"move", summary.exit_move},
                    {"cp", r.exit_cp},
                    {"depth", r.exit_depth}};
    return {{"number", g.id},
            {"id", utf8(r.uid)},
            {"date", played_text(r)},
            {"color", r.our_side == engine::White ? "white" : "black"},
            {"opponent", utf8(name_of(summary.opponent))},
            {"server", utf8(summary.opponent.server)},
            {"rating", r.opponent.rating > 0 ? Json(r.opponent.rating) : Json()},
            {"result", result_of(g)},
            {"ending", ending_of(g)},
            {"reason", utf8(r.reason)},
            {"timeControl", utf8(r.time_control)},
            {"event", utf8(r.event)},
            {"plies", g.plies},
            {"opening", summary.opening.empty() ? Json() : Json(summary.opening)},
            {"exit", std::move(exit)},
            {"epoch", g.epoch},
            {"state", state_text(g.state)}};
}

// All columns, for other programs.
void print_columns(const std::vector<book::GameSummary>& games) {
    for (const book::GameSummary& summary : games) {
        const book::LoggedGame& g = summary.game;
        const book::GameRecord& r = g.record;
        const auto text = [](const std::string& words) { return printable(utf8(words)); };
        fmt::print(std::cout,
                   "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                   g.id,
                   played_text(r),
                   colour_text(r.our_side),
                   text(name_of(summary.opponent)),
                   text(summary.opponent.server),
                   result_of(g),
                   ending_of(g),
                   text(r.time_control),
                   text(r.event),
                   g.plies,
                   state_text(g.state),
                   r.opponent.rating > 0 ? std::to_string(r.opponent.rating) : "",
                   exit_text(summary),
                   g.epoch,
                   summary.opening);
    }
}

// The options that choose games of the log.
struct WantedGames {
    std::string epoch, since, until;
    book::Opponent opponent{};

    void add_options(Call& call) {
        call.option("opponent", opponent.name, "games against this opponent");
        call.option("server",
                    opponent.server,
                    "with --opponent: the server where the opponent plays; -: none");
        call.option(
            "since", since, "games since this day: 2024-05-31, 2024-05, 2024, today or yesterday");
        call.option("until", until, "games up to this day");
        call.option("epoch", epoch, "games of this run of the engine: a number, or last");
    }
    [[nodiscard]] static bool given(const Call& call) {
        for (const char* const option : {"opponent", "server", "since", "until", "epoch"})
            if (call.given(option))
                return true;
        return false;
    }
    // Checks what can be checked without a book.
    [[nodiscard]] book::GameFilter check(const Call& call) const {
        book::GameFilter filter;
        call.require(opponent.server.empty() || !opponent.name.empty(),
                     "the name of the opponent is missing");
        call.require(!call.given("opponent") || !opponent.name.empty(),
                     "the name of the opponent is missing");
        if (call.given("since"))
            filter.since = period_option(call, since).first;
        if (call.given("until"))
            filter.before = period_option(call, until).end;
        if (call.given("epoch") && epoch != "last") {
            filter.epoch = number_from(epoch, 9);
            call.require(filter.epoch.has_value(),
                         fmt::format("\"{}\" is neither the number of a run nor \"last\"", epoch));
        }
        return filter;
    }
    void look_up(book::Store& store, book::GameFilter& filter) const {
        look_up_epoch(store, filter);
        if (!opponent.name.empty())
            filter.opponent = find_opponent(store, opponent, true).id;
    }
    // A part of the opponent's name is enough, also one that several names (spellings) have.
    void look_up(book::Store& store, book::GameListFilter& filter) const {
        look_up_epoch(store, filter.game);
        if (opponent.name.empty())
            return;
        const auto found = opponents_named(store, opponent, false);
        if (found.size() < 2) {
            filter.game.opponent = find_opponent(store, opponent).id;
            return;
        }
        filter.only.emplace();
        for (const book::OpponentRecord& o : found)
            for (const std::int64_t id : store.games.newest_first({.opponent = o.id}))
                filter.only->insert(id);
    }

  private:
    void look_up_epoch(book::Store& store, book::GameFilter& filter) const {
        if (epoch == "last")
            filter.epoch = store.games.last_epoch();
    }
};

// Reads which games to change, changes them, and prints their number.
int change_games(Call& call, std::int64_t (*change)(book::Store&, const book::GameFilter&)) {
    std::int64_t game = 0;
    WantedGames wanted;
    bool all = false;
    call.option("game", game, "the game with this number");
    wanted.add_options(call);
    call.option("all", all, "all games");
    call.read();
    call.require(call.given("game") || WantedGames::given(call) || all,
                 "say which games, or --all");
    book::GameFilter filter = wanted.check(call);
    require_one_log(call);
    tell_waiting(call);
    if (call.given("game"))
        filter.id = game;
    book::Store store = open_book(call, Access::Write);
    wanted.look_up(store, filter);
    const std::int64_t changed = change(store, filter);
    std::cout << counted(changed, "game") << '\n';
    return changed > 0 ? 0 : 1;
}

std::optional<book::OwnResult> result_from(bool won, bool drawn, bool lost) {
    if (won)
        return book::OwnResult::Won;
    if (drawn)
        return book::OwnResult::Drawn;
    return lost ? std::optional(book::OwnResult::Lost) : std::nullopt;
}

// Writes the games of all pages, the oldest first. Returns the exit code.
int write_games(const Call& call,
                book::Store& store,
                const book::GameListFilter& filter,
                const std::string& file) {
    const std::vector<book::GameSummary> games =
        book::list_games(store, book::OpeningNames(), filter, 0, 0).games;
    if (games.empty())
        return complain("games: no game matches; nothing was written");
    tell_waiting(call);
    write_file(call, file, [&](std::ostream& out) {
        for (auto game = games.rbegin(); game != games.rend(); ++game)
            write_pgn(out, store, {.id = game->game.id});
    });
    if (file != "-")
        std::cerr << counted(static_cast<std::int64_t>(games.size()), "game") << " in " << file
                  << '\n';
    return 0;
}

}  // namespace

std::string exit_text(const book::GameSummary& summary) {
    if (summary.exit_move.empty())
        return "";
    const book::GameRecord& r = summary.game.record;
    const int first = 2 * (r.game.start().fullmove_number() - 1) +
                      (r.game.start().side_to_move() == engine::Black ? 1 : 0);
    const int ply = first + r.exit_ply.value_or(0);
    return fmt::format("{}{}{}", ply / 2 + 1, ply % 2 == 0 ? "." : "...", summary.exit_move);
}

void print_games(const std::vector<book::GameSummary>& games, bool aligned) {
    if (!aligned)
        return print_columns(games);
    std::vector<std::vector<Cell>> rows;
    for (const book::GameSummary& summary : games) {
        const book::LoggedGame& g = summary.game;
        const book::GameRecord& r = g.record;
        const std::string result = result_of(g), ending = ending_of(g);
        const Colour colour = book::by_outcome(r.score, Colour::Good, Colour::Plain, Colour::Bad);
        const std::string rating =
            r.opponent.rating > 0 ? fmt::format(" ({})", r.opponent.rating) : "";
        const bool plain = g.state == book::GameState::Applied && ending == "normal";
        rows.push_back({{.text = std::to_string(g.id), .right = true},
                        {.text = played_text(r)},
                        {.text = utf8(name_of(summary.opponent)) + rating},
                        {.text = colour_text(r.our_side)},
                        {.text = result, .colour = result == "*" ? Colour::Plain : colour},
                        {.text = exit_text(summary)},
                        {.text = std::to_string(g.epoch), .right = true},
                        {.text = plain                                 ? ""
                                 : g.state == book::GameState::Applied ? ending
                                                                       : state_text(g.state),
                         .colour = Colour::Soft},
                        {.text = summary.opening}});
    }
    print_table(std::cout,
                {"game", "date", "opponent", "colour", "result", "exit", "epoch", "", "opening"},
                rows,
                true);
}

int games(Call& call) {
    WantedGames wanted;
    std::string colour, time, position, pgn;
    bool won = false, drawn = false, lost = false, json = false;
    std::size_t number = 20, page = 1;
    book::GameListFilter filter;
    wanted.add_options(call);
    call.option("opening",
                filter.opening,
                "words of the opening's name or code, such as sicil, \"caro kann\" or B90");
    call.option("colour", colour, "games that we played with white or black");
    call.option("color", colour, "the same");
    call.option("won", won, "games that we won");
    call.option("drawn", drawn, "games that were drawn");
    call.option("lost", lost, "games that we lost");
    call.option("time",
                time,
                "time class: lightning, blitz (also if the time control is unknown) or standard");
    call.option(
        "position", position, "games that went through this position: FEN, moves, PGN or opening");
    call.option("number", number, "games on a page; 0: all");
    call.option("page", page, "which page to show; page 1 has the latest games", 1);
    call.option("json", json, "print one JSON object per line");
    call.option("pgn", pgn, "write the games of all pages to this PGN file; -: standard output");
    call.read();
    call.require(pgn.empty() || !(json || call.given("number") || call.given("page")),
                 "--pgn writes all games: without --json, --number and --page");
    call.require(won + drawn + lost <= 1, "only one of --won, --drawn and --lost");
    filter.game = wanted.check(call);
    filter.game.side = colour_from(call, "--colour", colour);
    if (!time.empty())
        filter.game.time = time_class_from(call, time);
    filter.game.result = result_from(won, drawn, lost);
    call.require(number > 0 || page == 1, "--number 0 lists all games on one page");
    if (!position.empty())
        filter.position = call.game_from({position}).position();
    book::Store store = open_log(call);
    wanted.look_up(store, filter);
    if (!pgn.empty())
        return write_games(call, store, filter, pgn);
    const book::GamePage found =
        book::list_games(store, book::OpeningNames(), filter, (page - 1) * number, number);
    if (json)
        for (const book::GameSummary& game : found.games)
            std::cout << game_json(game).dump(-1, ' ', true) << '\n';
    else
        print_games(found.games, is_terminal());
    if (found.games.empty())
        return complain(page > 1 ? "games: there is no such page" : "games: no game matches");
    if (found.more)
        std::cerr << fmt::format(
            "page {}{}; --page {} shows older games\n",
            page,
            found.total
                ? fmt::format(" of {}", (*found.total - 1) / static_cast<std::int64_t>(number) + 1)
                : "",
            page + 1);
    return 0;
}

int unlearn(Call& call) {
    return change_games(call, book::unlearn);
}
int relearn(Call& call) {
    return change_games(call, book::relearn);
}

}  // namespace tools::book_command
