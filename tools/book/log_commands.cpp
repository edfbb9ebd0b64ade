// Commands about the whole book and its log: stats, opponents, verify, rebuild, unlearn, relearn,
// snapshot.
#include "book/book.h"
#include "book/learn/audit.h"
#include "tools/book/book_command.h"

#include <iostream>

#include <fmt/ostream.h>

namespace tools::book_command {

int stats(Call& call) {
    call.read();
    const auto book = book::value_or_throw(book::Book::open(
        {.experience = call.book_file, .base = call.base_file, .read_only = true}));
    const book::Stats s = book::value_or_throw(book->stats());
    std::cout << "book\t" << call.book_file.string() << "\ninstalled book\t"
              << call.base_file.string() << "\npositions\t" << s.positions << "\nmoves\t" << s.edges
              << "\nimported games\t" << s.imported_games << "\nown games\t" << s.own_games
              << "\nwon\t" << s.wins << "\ndrawn\t" << s.draws << "\nlost\t" << s.losses
              << "\nopponents\t" << s.opponents << "\nbytes\t" << s.bytes << '\n';
    tell_waiting(call);
    std::error_code none;
    if (!std::filesystem::exists(call.book_file, none))
        return 0;
    book::Store store = open_book(call, Access::Read);
    const book::Model model = store.model();
    fmt::print(std::cout,
               "deviation of a result\t{:.6g}\nworth of an exit score\t{:.6g} games\n",
               model.sigma,
               model.exit);
    for (const book::Source& source : store.games.sources())
        fmt::print(std::cout,
                   "imported\t{}\t{} games\t{}\t{}\n",
                   source.name,
                   source.games,
                   source.settings,
                   date_text(source.added));
    return 0;
}

int opponents(Call& call) {
    call.read();
    book::Store store = open_log(call);
    const book::Model model = store.model();
    for (const book::OpponentRecord& o : store.opponents.all()) {
        const double points = static_cast<double>(o.wins) + static_cast<double>(o.draws) / 2;
        fmt::print(std::cout,
                   "{}{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.0f}\t{}\t{}\n",
                   o.name,
                   o.computer ? " (computer)" : "",
                   o.server,
                   o.rating,
                   o.games,
                   o.wins,
                   o.draws,
                   o.losses,
                   o.games == 0 ? 0 : 100 * points / static_cast<double>(o.games),
                   date_text(o.last),
                   book::is_suspicious(model, o) ? "suspicious" : "");
    }
    return 0;
}

int verify(Call& call) {
    call.read();
    book::Store store = open_book(call, Access::Read);
    tell_waiting(call);
    const std::vector<std::string> differences = book::verify(store);
    for (const std::string& text : differences)
        std::cout << text << '\n';
    if (differences.empty())
        std::cout << "the book agrees with its log\n";
    return differences.empty() ? 0 : 1;
}

int rebuild(Call& call) {
    call.read();
    book::Store store = open_book(call, Access::Write);
    book::rebuild(store);
    return 0;
}

int snapshot(Call& call) {
    const Words words = call.read();
    open_book(call, Access::Read).db.copy_to(words[0]);
    return 0;
}

namespace {

// Reads which games to change, changes them, and prints their number.
int change_games(Call& call, std::int64_t (*change)(book::Store&, const book::GameFilter&)) {
    std::int64_t game = 0;
    std::string epoch, since;
    book::Opponent opponent;
    bool all = false;
    call.option("game", game, "the game with this number");
    call.option("epoch", epoch, "games of this run of the engine: a number, or last");
    call.option("since", since, "games since this day, yyyy-mm-dd");
    call.option("opponent", opponent.name, "games against this opponent");
    call.option("server", opponent.server, "the server where the opponent plays");
    call.option("all", all, "all games");
    call.read();
    const bool chosen = call.given("game") || call.given("epoch") || call.given("since");
    const bool by_opponent = call.given("opponent") || call.given("server");
    call.require(chosen || by_opponent || all, "say which games, or --all");
    call.require(!by_opponent || !opponent.name.empty(), "the name of the opponent is missing");
    book::GameFilter filter;
    if (call.given("game"))
        filter.id = game;
    if (call.given("epoch") && epoch != "last") {
        filter.epoch = number_from(epoch, 9);
        call.require(filter.epoch.has_value(),
                     fmt::format("\"{}\" is no number of a run, nor \"last\"", epoch));
    }
    if (call.given("since")) {
        filter.since = seconds_of(since);
        call.require(filter.since.has_value(),
                     fmt::format("\"{}\" is no day like 2024-05-31", since));
    }
    book::Store store = open_book(call, Access::Write);
    if (epoch == "last")
        filter.epoch = store.games.last_epoch();
    if (by_opponent) {
        const std::optional<book::OpponentRecord> known = store.opponents.find(opponent);
        if (!known)
            throw book::Failure(fmt::format("no opponent \"{}\"{}{}",
                                            opponent.name,
                                            opponent.server.empty() ? "" : " on ",
                                            opponent.server));
        filter.opponent = known->id;
    }
    const std::int64_t changed = change(store, filter);
    std::cout << counted(changed, "game") << '\n';
    return changed > 0 ? 0 : 1;
}

}  // namespace

int unlearn(Call& call) {
    return change_games(call, book::unlearn);
}
int relearn(Call& call) {
    return change_games(call, book::relearn);
}

}  // namespace tools::book_command
