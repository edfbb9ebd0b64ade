#include "book/book_files.h"
#include "book/probe/opening_names.h"
#include "engine/engine.h"
#include "tools/book/book_command.h"
#include "tools/common/files.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr int MostCentipawns = 2000;  // a score in the book; mates come out as this
// A move with half as many named lines as the position's first one is marked down by so much, and
// so on: players gave names to what they play.
constexpr double MarkdownPerHalving = 8, MostMarkdown = 80;

struct Move {  // one move of the named lines
    int lines = 0;
    engine::Position after;
};
using Moves =
    std::map<std::pair<std::int64_t, book::StoredMove>, Move>;  // in the order of the table

Moves moves_of(const std::vector<book::Opening>& openings) {
    Moves moves;
    for (const book::Opening& opening : openings) {
        engine::Position pos;
        for (const engine::Move m : opening.moves) {
            const std::pair name(book::to_sql(pos.key()), book::store(m, pos.side_to_move()));
            pos.make(m);
            Move& move = moves[name];
            ++move.lines;
            move.after = pos;
        }
    }
    return moves;
}

// Scores positions, each once, from the side that has just moved.
class Scorer {
  public:
    Scorer(std::unique_ptr<engine::Searcher> searcher, std::uint64_t nodes)
        : searcher_(std::move(searcher)), nodes_(nodes) {}

    book::Analysis score(const engine::Position& pos) {
        const auto known = scores_.find(pos.key());
        if (known != scores_.end())
            return known->second;
        engine::SearchResult choice;
        engine::Limits limits;
        limits.nodes = nodes_;
        searcher_->start(
            engine::Game(pos),
            limits,
            [](const engine::SearchInfo&) {},
            [&choice](const engine::SearchResult& c) { choice = c; });
        searcher_->wait();
        const int cp = choice.score == engine::NoScore
                           ? 0
                           : std::clamp(-choice.score, -MostCentipawns, MostCentipawns);
        return scores_[pos.key()] = {.move = 0,
                                     .cp = cp,
                                     .depth = choice.depth,
                                     .nodes = static_cast<std::int64_t>(choice.nodes),
                                     .at = 0,
                                     .engine = "Nutcracker " NUTCRACKER_VERSION};
    }

  private:
    std::unique_ptr<engine::Searcher> searcher_;
    std::uint64_t nodes_;
    std::map<engine::Key, book::Analysis> scores_;
};

Result<void> fill(book::Store& store, const Moves& moves, Scorer& scorer, std::size_t openings) {
    std::map<std::int64_t, int> most;  // lines of the main move of each position
    for (const auto& [name, move] : moves)
        most[name.first] = std::max(most[name.first], move.lines);
    Result<std::optional<book::Transaction>> transaction = book::Transaction::begin(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    if (!*transaction)
        return fail("another program is writing to the book");
    std::int64_t total = 0;
    std::vector<book::KeyedEdge> edges;
    for (const auto& [name, move] : moves) {
        const auto& [key, stored] = name;
        book::Analysis analysis = scorer.score(move.after);
        analysis.move = stored;
        analysis.cp -= static_cast<int>(
            std::min(MostMarkdown,
                     MarkdownPerHalving * std::log2(most[key] / static_cast<double>(move.lines))));
        if (const Result<void> set = store.positions->set_analysis(book::from_sql(key), analysis);
            !set)
            return set;
        edges.push_back(
            {.key = book::from_sql(key), .edge = {.move = stored, .unknown = move.lines}});
        total += move.lines;
    }
    Result<void> done = store.positions->add_edges(edges, true);
    if (done)
        done = store.games->add_source({.kind = "openings",
                                        .name = "named openings",
                                        .games = static_cast<std::int64_t>(openings),
                                        .moves = total});
    if (done)
        done = (*transaction)->commit();
    return done ? store.db->seal() : done;
}

int make(const std::string& table, const fs::path& out, std::uint64_t nodes) {
    const Result<std::string> text = read_bytes(table);
    if (!text)
        return complain("make-base: " + text.error().what, 1);
    const Result<std::vector<book::Opening>> openings = book::parse_openings(*text);
    if (!openings)
        return complain("make-base: " + openings.error().what, 1);
    std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    if (const Result<void> set = searcher->set_hash(16); !set)
        return complain(set.error().what, 1);
    fs::path unfinished = out;
    unfinished += ".part";
    std::error_code error;
    fs::remove(unfinished, error);
    {
        Result<book::Store> store = book::Store::open(unfinished, true);
        if (!store)
            return complain(store.error().what, 1);
        Scorer scorer(std::move(searcher), nodes);
        const Moves moves = moves_of(*openings);
        if (const Result<void> filled = fill(*store, moves, scorer, openings->size()); !filled)
            return complain(filled.error().what, 1);
        std::cerr << openings->size() << " lines, " << moves.size() << " moves\n";
    }
    fs::rename(unfinished, out, error);
    return error ? complain("\"" + out.string() + "\" cannot be written: " + error.message(), 1)
                 : 0;
}

}  // namespace

int make_base(const Place&, const Arguments& arguments) {
    std::string table, out;
    std::uint64_t nodes = 0;
    po::options_description options(
        "Usage: nutcracker-book make-base --openings TABLE --out FILE [--nodes N]\n\nOptions");
    options.add_options()("help", "this text")(
        "openings", po::value(&table), "lines of ECO code, name and moves, separated by tabs")(
        "out", po::value(&out), "the book to write")(
        "nodes", po::value(&nodes)->default_value(1000), "nodes searched for each position");
    po::variables_map given;
    if (const auto code = read_options(command_line("make-base", arguments), options, given))
        return *code;
    if (table.empty() || out.empty() || nodes == 0)
        return complain("make-base: --openings and --out are needed, and --nodes at least 1");
    return make(table, out, nodes);
}

}  // namespace tools::book_command
