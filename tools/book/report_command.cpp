// The command report.
#include "book/probe/opening_names.h"
#include "engine/board/notation.h"
#include "tools/book/report_tree.h"
#include "tools/common/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::json;

constexpr std::size_t MaxRows = 20, MaxLines = 10, MaxPoints = 300;

struct Tally {
    std::int64_t wins = 0, draws = 0, losses = 0;
    [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
    void count(double score) { ++*book::by_outcome(score, &wins, &draws, &losses); }
    [[nodiscard]] Json json() const { return {wins, draws, losses}; }
};

struct OwnGames {  // sums over the log
    std::array<Tally, 2> by_side;
    std::vector<double> scores, expected;  // of each game, in order
    std::map<std::string, std::array<Tally, 2>> by_opening;
    struct Against {
        Tally tally;
        std::vector<double> expected;
    };
    std::map<std::int64_t, Against> by_opponent;
    std::vector<book::OpponentRecord> opponents;
    std::int64_t last = 0;  // latest game, seconds since 1970
};

// "Sicilian Defence" from "B33 Sicilian Defence: Sveshnikov Variation".
std::string family(const std::string& name) {
    const std::size_t space = name.find(' ');
    if (space == std::string::npos)
        return "No named opening";
    return name.substr(space + 1, name.find(':') - std::min(name.find(':'), space + 1));
}

OwnGames read_log(book::Store& store) {
    OwnGames own;
    const book::OpeningNames names;
    store.games.each({.state = book::GameState::Applied}, [&](book::LoggedGame& g) {
        const book::GameRecord& r = g.record;
        const bool rated = r.our_rating > 0 && r.opponent.rating > 0;
        const double expected =
            rated ? book::expected_score(r.our_rating - r.opponent.rating) : 0.5;
        own.by_side.at(r.our_side).count(r.score);
        own.scores.push_back(r.score);
        own.expected.push_back(expected);
        own.by_opening[family(names.of(r.game))].at(r.our_side).count(r.score);
        own.by_opponent[g.opponent_id].tally.count(r.score);
        own.by_opponent[g.opponent_id].expected.push_back(expected);
        own.last = book::later_date(own.last, r.played);
    });
    own.opponents = store.opponents.all();
    std::erase_if(own.opponents, [](const book::OpponentRecord& o) { return o.games == 0; });
    return own;
}

// "1,234,567".
std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

// Pairs of a number and its label.
Json facts_json(const OwnGames& own, book::BookFiles& files) {
    std::int64_t imported = 0, bytes = 0;
    const book::Layers layers = files.layers();
    for (book::Store* store : {layers.experience, layers.original, layers.base}) {
        if (!store)
            continue;
        imported += store->games.counts().imported;
        bytes += store->db.bytes();
    }
    Tally all;
    for (const Tally& t : own.by_side) {
        all.wins += t.wins;
        all.draws += t.draws;
        all.losses += t.losses;
    }
    Json facts = Json::array();
    const auto add = [&facts](const std::string& value, const char* label) {
        facts.push_back({value, label});
    };
    add(grouped(all.games()), "own games");
    add(percent_text(all.wins, all.draws, all.losses), "score in own games");
    add("+" + grouped(all.wins) + " =" + grouped(all.draws) + " \u2212" + grouped(all.losses),
        "won, drawn, lost");
    add(grouped(static_cast<std::int64_t>(own.by_opponent.size())), "opponents");
    add(grouped(imported), "imported games");
    add(fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6), "on disk");
    if (own.last != 0)
        add(date_text(own.last), "last game");
    return facts;
}

// Means over the last `window` games: [games so far, score, expected score, standard error].
Json curve_json(const OwnGames& own, std::size_t window) {
    const std::size_t games = own.scores.size();
    const std::size_t step = std::max<std::size_t>(1, games / MaxPoints);
    double sum = 0, squares = 0, expected = 0;
    Json curve = Json::array();
    for (std::size_t i = 0; i < games; ++i) {
        sum += own.scores[i];
        squares += own.scores[i] * own.scores[i];
        expected += own.expected[i];
        if (i >= window) {
            sum -= own.scores[i - window];
            squares -= own.scores[i - window] * own.scores[i - window];
            expected -= own.expected[i - window];
        }
        if (i + 1 < window || ((i + 1 - window) % step != 0 && i + 1 < games))
            continue;
        const auto n = static_cast<double>(window);
        const double mean = sum / n;
        const double error = std::sqrt(std::max(0.0, squares / n - mean * mean) / n);
        curve.push_back({i + 1, rounded(mean, 3), rounded(expected / n, 3), rounded(error, 3)});
    }
    return curve;
}

// Rows of [name, results with White, results with Black].
Json openings_json(const OwnGames& own) {
    std::vector<std::pair<std::string, std::array<Tally, 2>>> rows(own.by_opening.begin(),
                                                                   own.by_opening.end());
    const auto games = [](const auto& row) {
        return row.second[0].games() + row.second[1].games();
    };
    std::stable_sort(rows.begin(), rows.end(), [&games](const auto& a, const auto& b) {
        return games(a) > games(b);
    });
    rows.resize(std::min(rows.size(), MaxRows));
    Json openings = Json::array();
    for (const auto& [name, tallies] : rows)
        openings.push_back({name, tallies[0].json(), tallies[1].json()});
    return openings;
}

// Rows of [name, rating, results, expected score, 1 if suspicious, number].
Json opponents_json(const OwnGames& own, const book::Model& model) {
    Json opponents = Json::array();
    for (const book::OpponentRecord& o : own.opponents) {
        const auto games = own.by_opponent.find(o.id);
        if (games == own.by_opponent.end() || opponents.size() == MaxRows)
            continue;
        opponents.push_back({utf8(o.name + (o.computer ? " (computer)" : "") +
                                  (o.server.empty() ? "" : ", " + o.server)),
                             o.rating,
                             games->second.tally.json(),
                             rounded(tools::mean_of(games->second.expected).mean, 3),
                             book::is_suspicious(model, o) ? 1 : 0,
                             o.id});
    }
    return opponents;
}

// Rows of [UCI moves, text, our colour, results, value, deviation, opening], MaxLines of each
// colour.
Json lines_json(const std::vector<book::OwnLine>& lines, bool best) {
    std::vector<book::OwnLine> shown;
    for (const book::Color side : {engine::White, engine::Black}) {
        std::vector<book::OwnLine> ours;
        std::copy_if(lines.begin(),
                     lines.end(),
                     std::back_inserter(ours),
                     [side](const book::OwnLine& line) { return line.side == side; });
        for (book::OwnLine& line : book::choose_lines(std::move(ours), best, MaxLines, true))
            shown.push_back(std::move(line));
    }
    book::sort_lines(shown, best);
    const book::OpeningNames names;
    Json rows = Json::array();
    for (const book::OwnLine& line : shown) {
        engine::Game game;
        Json moves = Json::array();
        for (const engine::Move m : line.moves) {
            moves.push_back(engine::to_coordinates(m));
            game.play(m);
        }
        rows.push_back({std::move(moves),
                        book::moves_text(game, line.moves.size()),
                        int{line.side},
                        {line.wins, line.draws, line.losses},
                        rounded(line.value, 3),
                        rounded(line.width, 3),
                        names.of(game)});
    }
    return rows;
}

// The data of the page, safe inside a script of HTML.
std::string
report_data(book::BookFiles& files, const TreeLimits& limits, const std::string& waiting) {
    Json data = overview_json(files, waiting);
    data.update(tree_json(files, limits));
    std::string text = data.dump(-1, ' ', true);
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
        text.replace(at, 1, "\\u003c");
    return text;
}

}  // namespace

Json overview_json(book::BookFiles& files, const std::string& waiting) {
    const book::Model model = files.model();
    const OwnGames own = files.experience ? read_log(*files.experience) : OwnGames();
    const std::vector<book::OwnLine> lines = book::own_lines(files.layers(), model, {});
    const std::size_t window = std::clamp<std::size_t>(own.scores.size() / 10, 10, 500);
    return {{"made", "as of " + date_text(book::seconds_now())},
            {"facts", facts_json(own, files)},
            {"waiting", waiting},
            {"news", files.experience ? news_text(*files.experience) : ""},
            {"white", own.by_side[engine::White].games()},
            {"black", own.by_side[engine::Black].games()},
            {"window", window},
            {"curve", curve_json(own, window)},
            {"openings", openings_json(own)},
            {"opponents", opponents_json(own, model)},
            {"best", lines_json(lines, true)},
            {"worst", lines_json(lines, false)}};
}

int report(Call& call) {
    std::string name = "book.html";
    TreeLimits limits;
    call.option("out", name, "the page to write; - is standard output");
    call.option("positions",
                limits.positions,
                "number of positions in the tree; those with the most games are shown",
                1);
    call.read();
    book::BookFiles files = open_files(call);
    tell_waiting(call);
    const std::string data = report_data(files, limits, waiting_text(call));
    write_file(call, name, [&data](std::ostream& out) {
        for (const char* const* line = ReportPage; *line; ++line) {
            std::string text = *line;
            if (const std::size_t mark = text.find("@DATA@"); mark != std::string::npos)
                text.replace(mark, 6, data);
            out << text;
        }
    });
    if (name != "-")
        std::cerr << "written to " << name << '\n';
    return 0;
}

}  // namespace tools::book_command
