// The command make-base.
#include "book/probe/opening_names.h"
#include "engine/engine.h"
#include "tools/book/book_command.h"
#include "tools/common/files.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include <fmt/format.h>

namespace tools::book_command {
namespace {

namespace fs = std::filesystem;

constexpr int MaxCentipawns = 2000;  // of a score in the book, and the score of mates
// The penalty of a move, in centipawns, for each halving of its named lines compared with the
// position's main move: moves that are played often have more named lines.
constexpr double PenaltyPerHalving = 8, MaxPenalty = 80;

struct Move {  // one move of the named lines
    int lines = 0;
    engine::Position after;
};
using Moves =
    std::map<std::pair<std::int64_t, book::StoredMove>, Move>;  // ordered as the table edge

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

// Searches each position once. Scores are from the view of the side that has just moved.
class Scorer {
  public:
    Scorer(std::unique_ptr<engine::Searcher> searcher, std::uint64_t nodes)
        : searcher_(std::move(searcher)), nodes_(nodes) {}

    book::Analysis score(const engine::Position& pos) {
        const auto known = scores_.find(pos.key());
        if (known != scores_.end())
            return known->second;
        engine::Limits limits;
        limits.nodes = nodes_;
        const engine::SearchResult result = engine::think(*searcher_, engine::Game(pos), limits);
        const int cp = result.score == engine::NoScore
                           ? 0
                           : std::clamp(-result.score, -MaxCentipawns, MaxCentipawns);
        return scores_[pos.key()] = {.move = 0,
                                     .cp = cp,
                                     .depth = result.depth,
                                     .nodes = static_cast<std::int64_t>(result.nodes),
                                     .at = 0,
                                     .engine = "Nutcracker " NUTCRACKER_VERSION};
    }

  private:
    std::unique_ptr<engine::Searcher> searcher_;
    std::uint64_t nodes_;
    std::map<engine::Key, book::Analysis> scores_;
};

// Writes moves and scores into an empty book.
void fill(book::Store& store, const Moves& moves, Scorer& scorer, std::size_t openings) {
    std::map<std::int64_t, int> max_lines;  // of a move of each position
    for (const auto& [name, move] : moves)
        max_lines[name.first] = std::max(max_lines[name.first], move.lines);
    book::Transaction transaction(store.db);
    std::int64_t total = 0;
    std::vector<book::KeyedEdge> edges;
    for (const auto& [name, move] : moves) {
        const auto& [key, stored] = name;
        book::Analysis analysis = scorer.score(move.after);
        analysis.move = stored;
        const double halvings = std::log2(max_lines[key] / static_cast<double>(move.lines));
        analysis.cp -= static_cast<int>(std::min(MaxPenalty, PenaltyPerHalving * halvings));
        store.positions.set_analysis(book::from_sql(key), analysis);
        edges.push_back(
            {.key = book::from_sql(key), .edge = {.move = stored, .unknown = move.lines}});
        total += move.lines;
    }
    store.positions.add_edges(edges, true);
    store.games.add_source({.kind = "openings",
                            .name = "named openings",
                            .games = static_cast<std::int64_t>(openings),
                            .moves = total});
    transaction.commit();
    store.db.seal();
}

}  // namespace

int make_base(Call& call) {
    std::string table, out;
    std::uint64_t nodes = 1000;
    call.option("openings", table, "lines of ECO code, name and moves, separated by tabs");
    call.option("out", out, "the book to write");
    call.option("nodes", nodes, "nodes searched for each position");
    call.read();
    call.require(!table.empty() && !out.empty() && nodes > 0,
                 "--openings and --out are needed, and --nodes at least 1");
    const std::vector<book::Opening> openings =
        book::parse_openings(book::value_or_throw(read_bytes(table)));
    std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    book::value_or_throw(searcher->set_hash(16));
    const std::string unfinished = out + ".part";
    std::error_code error;
    fs::remove(unfinished, error);
    Scorer scorer(std::move(searcher), nodes);
    const Moves moves = moves_of(openings);
    {
        book::Store store(unfinished, true);
        fill(store, moves, scorer, openings.size());
    }
    std::cerr << openings.size() << " lines, " << moves.size() << " moves\n";
    fs::rename(unfinished, out, error);
    if (error)
        throw book::Failure(fmt::format("\"{}\" cannot be written: {}", out, error.message()));
    return 0;
}

}  // namespace tools::book_command
