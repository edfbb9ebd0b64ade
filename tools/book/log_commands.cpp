#include "book/book.h"
#include "book/learn/audit.h"
#include "engine/board/notation.h"
#include "tools/book/look.h"

#include <iostream>

#include <boost/program_options.hpp>

namespace tools::book_command {

int stats(const Place& place, const Arguments& arguments) {
    if (const auto code = read_words(
            "stats",
            arguments,
            "Usage: nutcracker-book stats\n\nWhat is in the book and in the installed one.\n"))
        return *code;
    Result<std::unique_ptr<book::Book>> opened =
        book::Book::open({.experience = place.book, .base = place.base, .read_only = true});
    if (!opened)
        return complain(opened.error().what, 1);
    const Result<book::Stats> s = (*opened)->stats();
    if (!s)
        return complain(s.error().what, 1);
    std::cout << "book\t" << place.book.string() << "\ninstalled book\t" << place.base.string()
              << "\npositions\t" << s->positions << "\nmoves\t" << s->edges << "\nimported games\t"
              << s->imported_games << "\nown games\t" << s->own_games << "\nwon\t" << s->wins
              << "\ndrawn\t" << s->draws << "\nlost\t" << s->losses << "\nopponents\t"
              << s->opponents << "\nbytes\t" << s->bytes << '\n';
    std::error_code none;
    if (!std::filesystem::exists(place.book, none))
        return 0;
    const Result<book::Store> store = open_book(place, Access::Read);
    const Result<book::Model> model = store ? store->model() : tl::unexpected<Error>(store.error());
    const Result<std::vector<book::Source>> sources =
        store ? store->games->sources() : tl::unexpected<Error>(store.error());
    if (!model || !sources)
        return complain(!model ? model.error().what : sources.error().what, 1);
    std::cout << "deviation of a result\t" << model->sigma << "\nworth of an exit score\t"
              << model->exit << " games\n";
    for (const book::Source& source : *sources)
        std::cout << "imported\t" << source.name << '\t' << source.games << " games\t"
                  << source.settings << '\t' << date_text(source.added) << '\n';
    return 0;
}

int opponents(const Place& place, const Arguments& arguments) {
    if (const auto code =
            read_words("opponents",
                       arguments,
                       "Usage: nutcracker-book opponents\n\nName, server, rating, games, our wins, "
                       "draws and losses, score in per cent, last\nplayed, and \"guarded\" for who "
                       "beats us beyond expectation.\n"))
        return *code;
    const Result<book::Store> store = open_log(place);
    if (!store)
        return complain(store.error().what, 1);
    const Result<book::Model> model = store->model();
    const Result<std::vector<book::OpponentRecord>> all = store->opponents->all();
    if (!model || !all)
        return complain(!model ? model.error().what : all.error().what, 1);
    for (const book::OpponentRecord& o : *all) {
        const double points = static_cast<double>(o.wins) + static_cast<double>(o.draws) / 2;
        const double score = o.games == 0 ? 0 : 100 * points / static_cast<double>(o.games);
        std::cout << o.name << (o.computer ? " (computer)" : "") << '\t' << o.server << '\t'
                  << o.rating << '\t' << o.games << '\t' << o.wins << '\t' << o.draws << '\t'
                  << o.losses << '\t' << formatted("%.0f", score) << '\t' << date_text(o.last)
                  << '\t' << (book::is_suspicious(*model, o) ? "guarded" : "") << '\n';
    }
    return 0;
}

int verify(const Place& place, const Arguments& arguments) {
    if (const auto code = read_words(
            "verify",
            arguments,
            "Usage: nutcracker-book verify\n\nMakes the book anew in memory from its log of "
            "games and compares. Exit code 1 if\nthey differ.\n"))
        return *code;
    Result<book::Store> store = open_book(place, Access::Read);
    if (!store)
        return complain(store.error().what, 1);
    const Result<std::vector<std::string>> complaints = book::verify(*store);
    if (!complaints)
        return complain(complaints.error().what, 1);
    for (const std::string& text : *complaints)
        std::cout << text << '\n';
    if (complaints->empty())
        std::cout << "the book agrees with its log\n";
    return complaints->empty() ? 0 : 1;
}

int rebuild(const Place& place, const Arguments& arguments) {
    if (const auto code = read_words(
            "rebuild",
            arguments,
            "Usage: nutcracker-book rebuild\n\nMakes everything that is derived from own "
            "games anew from the log.\n"))
        return *code;
    Result<book::Store> store = open_book(place, Access::Write);
    if (!store)
        return complain(store.error().what, 1);
    const Result<void> done = book::rebuild(*store);
    return done ? 0 : complain(done.error().what, 1);
}

namespace {

namespace po = boost::program_options;

struct Wanted {  // the games that a command is for
    std::string epoch, since, opponent, server;
    book::GameFilter filter;
    bool last_epoch = false;
};

std::optional<int> read_wanted(const char* name, const Arguments& arguments, Wanted& w) {
    po::options_description options(
        std::string("Usage: nutcracker-book ") + name +
        " --game N|--since DATE|--epoch N|last|--opponent NAME|--all\n\nOptions");
    std::int64_t game = 0;
    options.add_options()("help",
                          "this text")("game", po::value(&game), "the game with this number")(
        "epoch", po::value(&w.epoch), "games of this run of the engine: a number, or last")(
        "since", po::value(&w.since), "games since this day, yyyy-mm-dd")(
        "opponent", po::value(&w.opponent), "games against this opponent")(
        "server", po::value(&w.server), "where the opponent plays")("all", "all games");
    po::variables_map given;
    if (const auto code = read_options(command_line(name, arguments), options, given))
        return code;
    const std::string who = std::string(name) + ": ";
    if (given.empty())
        return complain(who + "say which games, or --all");
    if ((given.contains("server") || given.contains("opponent")) && w.opponent.empty())
        return complain(who + "the name of the opponent is missing");
    if (given.contains("game"))
        w.filter.id = game;
    w.last_epoch = w.epoch == "last";
    if (given.contains("epoch") && !w.last_epoch) {
        if (w.epoch.empty() || w.epoch.size() > 9 ||
            w.epoch.find_first_not_of("0123456789") != std::string::npos)
            return complain(who + "\"" + w.epoch + "\" is no number of a run, nor \"last\"");
        w.filter.epoch = std::stoll(w.epoch);
    }
    if (given.contains("since") && !(w.filter.since = seconds_of(w.since)))
        return complain(who + "\"" + w.since + "\" is no day like 2024-05-31");
    return std::nullopt;
}

Result<book::GameFilter> filter_from(const Wanted& w, book::Store& store) {
    book::GameFilter filter = w.filter;
    if (w.last_epoch) {
        const Result<std::int64_t> last = store.games->last_epoch();
        if (!last)
            return tl::unexpected<Error>(last.error());
        filter.epoch = *last;
    }
    if (!w.opponent.empty()) {
        const Result<std::optional<book::OpponentRecord>> known =
            store.opponents->find({.name = w.opponent, .server = w.server});
        if (!known)
            return tl::unexpected<Error>(known.error());
        if (!*known)
            return fail("no opponent \"" + w.opponent + "\"" +
                        (w.server.empty() ? "" : " on " + w.server));
        filter.opponent = (*known)->id;
    }
    return filter;
}

int change(const Place& place,
           const Arguments& arguments,
           const char* name,
           Result<std::int64_t> (*apply)(book::Store&, const book::GameFilter&)) {
    Wanted wanted;
    if (const auto code = read_wanted(name, arguments, wanted))
        return *code;
    Result<book::Store> store = open_book(place, Access::Write);
    if (!store)
        return complain(store.error().what, 1);
    const Result<book::GameFilter> filter = filter_from(wanted, *store);
    const Result<std::int64_t> changed =
        filter ? apply(*store, *filter) : tl::unexpected<Error>(filter.error());
    if (!changed)
        return complain(std::string(name) + ": " + changed.error().what, 1);
    std::cout << *changed << (*changed == 1 ? " game\n" : " games\n");
    return *changed > 0 ? 0 : 1;
}

}  // namespace

int unlearn(const Place& place, const Arguments& arguments) {
    return change(place, arguments, "unlearn", book::unlearn);
}
int relearn(const Place& place, const Arguments& arguments) {
    return change(place, arguments, "relearn", book::relearn);
}

int snapshot(const Place& place, const Arguments& arguments) {
    if (const auto code = read_words(
            "snapshot",
            arguments,
            "Usage: nutcracker-book snapshot FILE\n\nWrites a complete copy of the book; "
            "games may be learned meanwhile.\n",
            1,
            1))
        return *code;
    Result<book::Store> store = open_book(place, Access::Read);
    if (!store)
        return complain(store.error().what, 1);
    const Result<void> done = store->db->copy_to(arguments[0]);
    return done ? 0 : complain(done.error().what, 1);
}

}  // namespace tools::book_command
