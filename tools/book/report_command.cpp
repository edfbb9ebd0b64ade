#include "book/probe/lines.h"
#include "engine/board/notation.h"
#include "tools/book/report_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;

constexpr std::size_t MostRows = 20, MostLines = 10, MostPoints = 300;

struct Tally {
    std::int64_t wins = 0, draws = 0, losses = 0;
    [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
    void count(double score) { ++(score > 0.75 ? wins : score < 0.25 ? losses : draws); }
};

void write_tally(JsonWriter& json, const Tally& t) {
    json.open('[');
    for (const std::int64_t n : {t.wins, t.draws, t.losses})
        json.number(static_cast<long long>(n));
    json.close(']');
}

struct Log {  // what the log of own games says
    std::array<Tally, 2> sides;
    std::vector<double> scores, expected;  // of each game, in order
    std::map<std::string, std::array<Tally, 2>> openings;
    std::map<std::int64_t, double> expected_of;  // opponents: the sum over their games
    std::vector<book::OpponentRecord> opponents;
    std::int64_t first = 0, last = 0;
};

// "Sicilian Defence" of "B33 Sicilian Defence: Sveshnikov Variation".
std::string family(const std::string& name) {
    const std::size_t space = name.find(' ');
    return space == std::string::npos
               ? "No named opening"
               : name.substr(space + 1, name.find(':') - std::min(name.find(':'), space + 1));
}

Result<Log> read_log(book::Store& store) {
    Log log;
    const book::OpeningNames names;
    const Result<void> read = store.games->each(
        {.state = book::GameState::Applied}, [&](book::LoggedGame& g) -> Result<void> {
            const book::GameRecord& r = g.record;
            const bool rated = r.our_rating > 0 && r.opponent.rating > 0;
            const double expected =
                rated ? book::expected_score(r.our_rating - r.opponent.rating) : 0.5;
            log.sides.at(r.our_side).count(r.score);
            log.scores.push_back(r.score);
            log.expected.push_back(expected);
            log.openings[family(names.of(r.game))].at(r.our_side).count(r.score);
            log.expected_of[g.opponent_id] += expected;
            log.first = log.first == 0 ? r.played : std::min(log.first, r.played);
            log.last = std::max(log.last, r.played);
            return {};
        });
    Result<std::vector<book::OpponentRecord>> opponents = store.opponents->all();
    if (!read || !opponents)
        return tl::unexpected<Error>(!read ? read.error() : opponents.error());
    log.opponents = std::move(*opponents);
    return log;
}

// Thousands apart.
std::string grouped(std::int64_t n) {
    std::string text = std::to_string(n);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

Result<void> write_facts(JsonWriter& json, const Log& log, book::BookFiles& files) {
    std::int64_t imported = 0, bytes = 0;
    const book::Layers layers = files.layers();
    for (book::Store* store : {layers.experience, layers.original, layers.base}) {
        if (!store)
            continue;
        const Result<book::Games::Counts> counts = store->games->counts();
        if (!counts)
            return tl::unexpected<Error>(counts.error());
        imported += counts->imported;
        bytes += store->db->bytes();
    }
    Tally all;
    for (const Tally& t : log.sides) {
        all.wins += t.wins;
        all.draws += t.draws;
        all.losses += t.losses;
    }
    json.name("facts").open('[');
    const auto fact = [&json](const std::string& value, const char* label) {
        json.open('[').text(value).text(label).close(']');
    };
    fact(grouped(all.games()), "own games");
    fact(percent_text(all.wins, all.draws, all.losses), "score in them");
    fact("+" + grouped(all.wins) + " =" + grouped(all.draws) + " \u2212" + grouped(all.losses),
         "won, drawn, lost");
    fact(grouped(static_cast<std::int64_t>(log.opponents.size())), "opponents");
    fact(grouped(imported), "imported games");
    fact(formatted("%.1f MB", static_cast<double>(bytes) / 1e6), "on disk");
    if (log.last > 0)
        fact(date_text(log.last), "last game");
    json.close(']');
    json.name("white").number(static_cast<long long>(log.sides[engine::White].games()));
    json.name("black").number(static_cast<long long>(log.sides[engine::Black].games()));
    return {};
}

// Running means: [games so far, score, expected score, standard error of the score].
void write_curve(JsonWriter& json, const Log& log) {
    const std::size_t games = log.scores.size();
    const std::size_t window = std::clamp<std::size_t>(games / 10, 10, 500);
    const std::size_t step = std::max<std::size_t>(1, games / MostPoints);
    double sum = 0, squares = 0, expected = 0;
    json.name("window").number(static_cast<long long>(window)).name("curve").open('[');
    for (std::size_t i = 0; i < games; ++i) {
        sum += log.scores[i];
        squares += log.scores[i] * log.scores[i];
        expected += log.expected[i];
        if (i >= window) {
            sum -= log.scores[i - window];
            squares -= log.scores[i - window] * log.scores[i - window];
            expected -= log.expected[i - window];
        }
        if (i + 1 < window || ((i + 1 - window) % step != 0 && i + 1 < games))
            continue;
        const auto n = static_cast<double>(window);
        const double mean = sum / n;
        json.open('[')
            .number(static_cast<long long>(i + 1))
            .number(mean, 3)
            .number(expected / n, 3)
            .number(std::sqrt(std::max(0.0, squares / n - mean * mean) / n), 3)
            .close(']');
    }
    json.close(']');
}

void write_openings(JsonWriter& json, const Log& log) {
    std::vector<std::pair<std::string, std::array<Tally, 2>>> rows(log.openings.begin(),
                                                                   log.openings.end());
    const auto games = [](const auto& row) {
        return row.second[0].games() + row.second[1].games();
    };
    std::stable_sort(rows.begin(), rows.end(), [&games](const auto& a, const auto& b) {
        return games(a) > games(b);
    });
    json.name("openings").open('[');
    for (std::size_t i = 0; i < rows.size() && i < MostRows; ++i) {
        json.open('[').text(rows[i].first);
        for (const Tally& t : rows[i].second)
            write_tally(json, t);
        json.close(']');
    }
    json.close(']');
}

void write_opponents(JsonWriter& json, const Log& log, const book::Model& model) {
    json.name("opponents").open('[');
    std::size_t written = 0;
    for (const book::OpponentRecord& o : log.opponents) {
        const Tally tally{.wins = o.wins, .draws = o.draws, .losses = o.losses};
        if (tally.games() == 0 || ++written > MostRows)
            continue;
        const auto expected = log.expected_of.find(o.id);
        json.open('[')
            .text(o.name + (o.computer ? " (computer)" : "") +
                  (o.server.empty() ? "" : ", " + o.server))
            .number(static_cast<long long>(o.rating));
        write_tally(json, tally);
        json.number(expected == log.expected_of.end()
                        ? 0.5
                        : expected->second / static_cast<double>(tally.games()),
                    3)
            .raw(book::is_suspicious(model, o) ? "1" : "0")
            .close(']');
    }
    json.close(']');
}

void write_lines(JsonWriter& json, std::vector<book::OwnLine> lines) {
    const book::OpeningNames names;
    for (const bool best : {true, false}) {
        book::sort_lines(lines, best);
        json.name(best ? "best" : "worst").open('[');
        for (std::size_t i = 0; i < book::lines_to_show(lines.size(), MostLines, best); ++i) {
            const book::OwnLine& line = lines[i];
            engine::Game game;
            json.open('[').open('[');
            for (const engine::Move m : line.moves) {
                json.text(engine::to_coordinates(m));
                game.play(m);
            }
            json.close(']').text(moves_text(game, line.moves.size()));
            json.number(static_cast<long long>(line.side));
            write_tally(json, {.wins = line.wins, .draws = line.draws, .losses = line.losses});
            json.number(line.value, 3).number(line.width, 3).text(names.of(game)).close(']');
        }
        json.close(']');
    }
}

Result<std::string> report_data(book::BookFiles& files, const TreeLimits& limits) {
    const Result<book::Model> model = files.model();
    const Result<Log> log = files.experience ? read_log(*files.experience) : Result<Log>(Log{});
    const Result<std::vector<book::OwnLine>> lines =
        model ? book::own_lines(files.layers(), *model, {}) : tl::unexpected<Error>(model.error());
    if (!log || !lines)
        return tl::unexpected<Error>(!log ? log.error() : lines.error());
    JsonWriter json;
    json.open('{').name("made").text("as of " + date_text(std::time(nullptr)));
    Result<void> written = write_facts(json, *log, files);
    write_curve(json, *log);
    write_openings(json, *log);
    write_opponents(json, *log, *model);
    write_lines(json, *lines);
    if (written)
        written = write_tree(json, files, limits);
    if (!written)
        return tl::unexpected<Error>(written.error());
    json.close('}');
    return json.str();
}

void write_page(std::ostream& out, const std::string& data) {
    for (const char* const* line = ReportPage; *line; ++line) {
        const std::string text = *line;
        const std::size_t mark = text.find("@DATA@");
        if (mark == std::string::npos)
            out << text;
        else
            out << text.substr(0, mark) << data << text.substr(mark + 6);
    }
}

}  // namespace

int report(const Place& place, const Arguments& arguments) {
    std::string name;
    TreeLimits limits;
    po::options_description options("Usage: nutcracker-book report [OPTIONS]\n\nOptions");
    options.add_options()("help", "this text")("out",
                                               po::value(&name)->default_value("book.html"),
                                               "the page to write; - is standard output")(
        "positions",
        po::value(&limits.positions)->default_value(limits.positions),
        "at most so many in the tree, those with most games");
    po::variables_map given;
    if (const auto code = read_options(
            command_line("report",
                         arguments,
                         "\nOne page for any browser, which needs nothing else: a board to walk "
                         "through the book,\nthe learning curve, results by opening and opponent, "
                         "the best and the worst lines.\n"),
            options,
            given))
        return *code;
    if (limits.positions < 1)
        return complain("report: --positions is at least 1");
    Result<book::BookFiles> files = open_for_looking(place);
    if (!files)
        return complain(files.error().what, 1);
    const Result<std::string> data = report_data(*files, limits);
    if (!data)
        return complain("report: " + data.error().what, 1);
    std::ofstream file;
    if (name != "-")
        file.open(name, std::ios::binary | std::ios::trunc);
    std::ostream& out = name == "-" ? std::cout : file;
    write_page(out, *data);
    out.flush();
    if (!out)
        return complain("\"" + name + "\" cannot be written", 1);
    if (name != "-")
        std::cerr << "written to " << name << '\n';
    return 0;
}

}  // namespace tools::book_command
