#include "tools/book/learned/news_command.h"

#include "book/store/failure.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <iostream>

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t ListLength = 10;

void count(book::Store& store, const std::vector<std::int64_t>& games, NewsReport& report) {
    for (const std::int64_t id : games) {
        const auto game = store.games.get(id, [](const engine::Game&) { return false; });
        ++*book::by_outcome(
            game ? game->record.score : 0.5, &report.wins, &report.draws, &report.losses);
    }
}

// "12 games, +5 =4 -3, 58 %".
std::string tally_text(const NewsReport& report) {
    if (report.games() == 0)
        return "no new games";
    return fmt::format("{}, +{} ={} -{}, {}",
                       counted(report.games(), "game"),
                       report.wins,
                       report.draws,
                       report.losses,
                       percent_text(report.wins, report.draws, report.losses));
}

std::string line_of(const book::ChangedMove& m) {
    engine::Game game = m.game;
    game.play(m.move);
    return book::moves_text(game, game.moves().size());
}

void print_title(const char* title) {
    std::cout << '\n' << coloured(title, Colour::Strong) << '\n';
}

void print_more(std::size_t all, std::size_t shown) {
    if (all > shown)
        std::cout << coloured(fmt::format("and {} more\n", all - shown), Colour::Soft);
}

void print_moves(const char* title, const std::vector<book::ChangedMove>& moves, std::size_t max) {
    if (moves.empty())
        return;
    print_title(title);
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 0; i < std::min(max, moves.size()); ++i) {
        const book::ChangedMove& m = moves[i];
        rows.push_back(
            {{.text = fmt::format("{:.2f} -> {:.2f}", in_range(m.before), in_range(m.after)),
              .colour = m.after > m.before ? Colour::Good : Colour::Bad},
             {.text = fmt::format(
                  "{:.0f} % -> {:.0f} %", 100 * m.probability_before, 100 * m.probability_after)},
             {.text = colour_text(m.side)},
             {.text = line_of(m)}});
    }
    print_table(std::cout, {"value", "played", "colour", "line"}, rows);
    print_more(moves.size(), rows.size());
}

std::string time_text(std::int64_t seconds) {
    return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

void print_other(const book::OtherNews& other, std::size_t max) {
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 0; i < std::min(max, other.imports.size()); ++i) {
        const book::Source& source = other.imports[i];
        rows.push_back({{.text = date_text(source.added)},
                        {.text = counted(source.games, "game"), .right = true},
                        {.text = source.name}});
    }
    if (!rows.empty()) {
        print_title("imported");
        print_table(std::cout, {"date", "games", "file"}, rows);
        print_more(other.imports.size(), rows.size());
    }
    rows.clear();
    for (std::size_t i = 0; i < std::min(max, other.changes.size()); ++i)
        rows.push_back({{.text = time_text(other.changes[i].at)}, {.text = other.changes[i].what}});
    if (!rows.empty()) {
        print_title("changed by hand");
        print_table(std::cout, {"time", "change"}, rows);
        print_more(other.changes.size(), rows.size());
    }
    if (other.searched > 0)
        std::cout << '\n' << counted(other.searched, "move") << " searched\n";
}

// Stores the visit, but only in the user's own book, and only if it can be written now.
void remember_this_visit(const Call& call,
                         const book::BookFiles& files,
                         const book::LastVisit& visit) {
    if (files.original)
        return;
    const Result<void> done = book::guarded([&] {
        book::Store store(call.book_file, true);
        if (!store.db.read_only())
            book::remember_visit(store, visit);
    });
    if (!done)
        std::cerr << "nutcracker-book: cannot store when news was last run: " << done.error().what
                  << '\n';
}

Json moves_json(const std::vector<book::ChangedMove>& moves, std::size_t max) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < std::min(max, moves.size()); ++i) {
        const book::ChangedMove& m = moves[i];
        const bool chess960 = m.game.start().is_chess960();
        Json list = Json::array();
        for (const engine::Move move : m.game.moves())
            list.push_back(engine::to_coordinates(move, chess960));
        list.push_back(engine::to_coordinates(m.move, chess960));
        rows.push_back({{"line", line_of(m)},
                        {"start", m.game.starts_normally() ? "" : m.game.start().fen()},
                        {"moves", std::move(list)},
                        {"color", m.side == engine::White ? "white" : "black"},
                        {"valueBefore", rounded(m.before, 3)},
                        {"value", rounded(m.after, 3)},
                        {"probabilityBefore", rounded(m.probability_before, 3)},
                        {"probability", rounded(m.probability_after, 3)}});
    }
    return {{"all", moves.size()}, {"rows", std::move(rows)}};
}

}  // namespace

NewsReport read_news(book::BookFiles& files, const book::NewsOptions& options) {
    book::Store& store = *files.experience;
    NewsReport report{.since = options.visit ? options.visit->at : options.since};
    const std::vector<std::int64_t> games = book::new_games(store, options);
    count(store, games, report);
    report.news = book::news_of(files.layers(), files.model(), games);
    if (!options.games)
        report.other = book::other_news(store, report.since.value_or(0));
    return report;
}

Json news_json(const NewsReport& report, std::size_t number) {
    const book::OtherNews& other = report.other;
    Json imports = Json::array(), changes = Json::array();
    for (std::size_t i = 0; i < std::min(number, other.imports.size()); ++i)
        imports.push_back({{"date", date_text(other.imports[i].added)},
                           {"games", other.imports[i].games},
                           {"file", utf8(other.imports[i].name)}});
    for (std::size_t i = 0; i < std::min(number, other.changes.size()); ++i)
        changes.push_back(
            {{"time", time_text(other.changes[i].at)}, {"what", utf8(other.changes[i].what)}});
    return {{"since", report.since ? Json(time_text(*report.since)) : Json()},
            {"games", report.games()},
            {"wins", report.wins},
            {"draws", report.draws},
            {"losses", report.losses},
            {"moved", moves_json(report.news.moved, number)},
            {"found", moves_json(report.news.found, number)},
            {"dropped", moves_json(report.news.dropped, number)},
            {"imported", {{"all", other.imports.size()}, {"rows", std::move(imports)}}},
            {"changed", {{"all", other.changes.size()}, {"rows", std::move(changes)}}},
            {"searched", other.searched}};
}

std::string news_text(book::Store& store) {
    const std::optional<book::LastVisit> visit = book::last_visit(store);
    if (!visit)
        return "";
    NewsReport report;
    count(store, book::new_games(store, {.visit = visit}), report);
    return fmt::format(
        "{} since news was last run on {}", tally_text(report), date_text(visit->at));
}

int news(Call& call) {
    std::string since;
    std::size_t games = 0, number = ListLength;
    bool json = false;
    call.option("since",
                since,
                "what was learned since this day: 2024-05-31, 2024-05, 2024, today or yesterday");
    call.option("games", games, "what the last N games have changed", 1);
    call.option("number", number, "number of lines in each list");
    call.option("json", json, "print a JSON object");
    call.read();
    call.require(!call.given("since") || !call.given("games"), "only one of --since and --games");
    book::NewsOptions options;
    if (call.given("since"))
        options.since = period_option(call, since).first;
    if (call.given("games"))
        options.games = games;
    book::BookFiles files = open_files(call);
    if (!files.experience)
        throw no_book(call);
    tell_waiting(call);
    const bool is_visit = !options.since && !options.games;
    if (is_visit)
        options.visit = book::last_visit(*files.experience);
    // Games learned while the news is computed are news the next time.
    const book::LastVisit visit = book::visit_at(*files.experience, book::seconds_now());
    const NewsReport report = read_news(files, options);
    if (json) {
        std::cout << news_json(report, number).dump(-1, ' ', true) << '\n';
    } else {
        std::cout << tally_text(report)
                  << (report.since ? " since " + time_text(*report.since) : "") << '\n';
        print_moves("values that changed most", report.news.moved, number);
        print_moves("new moves in the book", report.news.found, number);
        print_moves("moves that are no longer played", report.news.dropped, number);
        print_other(report.other, number);
    }
    if (is_visit && std::cout.flush())  // else the user has seen nothing
        remember_this_visit(call, files, visit);
    return 0;
}

}  // namespace tools::book_command
