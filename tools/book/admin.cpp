#include "book/audit.h"
#include "book/book.h"
#include "engine/board/notation.h"
#include "tools/book/commands.h"

#include <cstdio>
#include <iostream>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;

bool wants_help(const Arguments& arguments, const char* text) {
    if (arguments.size() != 1 || arguments[0] != "--help")
        return false;
    std::cout << text;
    return true;
}

}  // namespace

int stats(const Place& place, const Arguments& arguments) {
    if (wants_help(
            arguments,
            "Usage: nutcracker-book stats\n\nWhat is in the book and in the installed one.\n"))
        return 0;
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
    const Result<book::Store> store = open_book(place, false);
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
    if (wants_help(arguments,
                   "Usage: nutcracker-book opponents\n\nName, server, rating, games, our wins, "
                   "draws and losses, score in per cent, last\nplayed, and \"guarded\" for who "
                   "beats us beyond expectation.\n"))
        return 0;
    const Result<book::Store> store = open_log(place);
    if (!store)
        return complain(store.error().what, 1);
    const Result<book::Model> model = store->model();
    const Result<std::vector<book::OpponentRecord>> all = store->opponents->all();
    if (!model || !all)
        return complain(!model ? model.error().what : all.error().what, 1);
    for (const book::OpponentRecord& o : *all) {
        const double score =
            o.games == 0 ? 0
                         : 100 * (static_cast<double>(o.wins) + static_cast<double>(o.draws) / 2) /
                               static_cast<double>(o.games);
        std::array<char, 32> percent{};
        std::snprintf(percent.data(), percent.size(), "%.0f", score);
        std::cout << o.name << (o.computer ? " (computer)" : "") << '\t' << o.server << '\t'
                  << o.rating << '\t' << o.games << '\t' << o.wins << '\t' << o.draws << '\t'
                  << o.losses << '\t' << percent.data() << '\t' << date_text(o.last) << '\t'
                  << (book::is_hot(*model, o) ? "guarded" : "") << '\n';
    }
    return 0;
}

int verify(const Place& place, const Arguments& arguments) {
    if (wants_help(arguments,
                   "Usage: nutcracker-book verify\n\nMakes the book anew in memory from its log of "
                   "games and compares. Exit code 1 if\nthey differ.\n"))
        return 0;
    Result<book::Store> store = open_book(place, false);
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
    if (wants_help(arguments,
                   "Usage: nutcracker-book rebuild\n\nMakes everything that is derived from own "
                   "games anew from the log.\n"))
        return 0;
    Result<book::Store> store = open_book(place, true);
    if (!store)
        return complain(store.error().what, 1);
    const Result<void> done = book::rebuild(*store);
    return done ? 0 : complain(done.error().what, 1);
}

namespace {

// The games that options name; nothing (and a complaint) if they name none, which would mean all.
std::optional<book::GameFilter>
filter_from(const char* name, const Arguments& arguments, book::Store& store, int& code) {
    std::int64_t game = 0;
    std::string epoch, since, opponent, server;
    po::options_description options(
        std::string("Usage: nutcracker-book ") + name +
        " --game N|--since DATE|--epoch N|last|--opponent NAME|--all\n\nOptions");
    options.add_options()("help",
                          "this text")("game", po::value(&game), "the game with this number")(
        "epoch", po::value(&epoch), "games of this run of the engine: a number, or last")(
        "since", po::value(&since), "games since this day, yyyy-mm-dd")(
        "opponent", po::value(&opponent), "games against this opponent")(
        "server", po::value(&server), "where the opponent plays")("all", "all games");
    po::variables_map given;
    po::store(po::command_line_parser(arguments).options(options).run(), given);
    po::notify(given);
    code = 0;
    if (given.contains("help")) {
        std::cout << options;
        return std::nullopt;
    }
    book::GameFilter filter;
    if (given.contains("game"))
        filter.id = game;
    if (given.contains("epoch")) {
        const Result<std::int64_t> last = store.games->last_epoch();
        const std::string_view digits = "0123456789";
        if (epoch == "last" && last)
            filter.epoch = *last;
        else if (epoch.find_first_not_of(digits) == std::string::npos && epoch.size() < 10)
            filter.epoch = std::stoll("0" + epoch);
        else
            code = complain(std::string(name) + ": \"" + epoch +
                            "\" is no number of a run, nor \"last\"");
    }
    if (given.contains("since")) {
        filter.since = seconds_of(since);
        if (!filter.since)
            code = complain(std::string(name) + ": \"" + since + "\" is no day like 2024-05-31");
    }
    if (given.contains("opponent")) {
        const Result<std::optional<book::OpponentRecord>> known =
            store.opponents->find({.name = opponent, .server = server});
        if (known && *known)
            filter.opponent = (*known)->id;
        else
            code = complain(std::string(name) + ": no opponent \"" + opponent + "\"" +
                                (server.empty() ? "" : " on " + server),
                            1);
    }
    if (code == 0 && given.empty())
        code = complain(std::string(name) + ": say which games, or --all");
    return code == 0 ? std::optional(filter) : std::nullopt;
}

int change(const Place& place,
           const Arguments& arguments,
           const char* name,
           Result<std::int64_t> (*apply)(book::Store&, const book::GameFilter&)) try {
    Result<book::Store> store = open_book(place, true);
    if (!store)
        return complain(store.error().what, 1);
    int code = 0;
    const std::optional<book::GameFilter> filter = filter_from(name, arguments, *store, code);
    if (!filter)
        return code;
    const Result<std::int64_t> changed = apply(*store, *filter);
    if (!changed)
        return complain(changed.error().what, 1);
    std::cout << *changed << (*changed == 1 ? " game\n" : " games\n");
    return *changed > 0 ? 0 : 1;
} catch (const po::error& e) {
    return complain(std::string(name) + ": " + e.what());
}

}  // namespace

int unlearn(const Place& place, const Arguments& arguments) {
    return change(place, arguments, "unlearn", book::unlearn);
}
int relearn(const Place& place, const Arguments& arguments) {
    return change(place, arguments, "relearn", book::relearn);
}

int snapshot(const Place& place, const Arguments& arguments) {
    if (wants_help(arguments,
                   "Usage: nutcracker-book snapshot FILE\n\nWrites a complete copy of the book; "
                   "games may be learned meanwhile.\n"))
        return 0;
    if (arguments.size() != 1 || arguments[0].starts_with("-"))
        return complain("snapshot: give the file to write");
    Result<book::Store> store = open_book(place, false);
    if (!store)
        return complain(store.error().what, 1);
    const Result<void> done = store->db->copy_to(arguments[0]);
    return done ? 0 : complain(done.error().what, 1);
}

}  // namespace tools::book_command
