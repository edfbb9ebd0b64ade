#include "tools/lab/learning/poison.h"

#include "book/model/choice.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/format.h>

namespace tools::learning {
namespace {

using book::Edge;
using engine::Key;
using engine::Move;
using engine::Position;

constexpr double Draws = 0.3;  // share of the games of a poisoned move

// The score of a move for the side that plays it.
int score_of(Judge& judge, const Position& pos, Move m) {
    Position after = pos;
    after.make(m);
    return -judge.score(after);
}

// The move with as many games as the position has, and the score of the rules.
Edge recommended(const Position& pos,
                 Move m,
                 const std::vector<Edge>& edges,
                 const PoisonRules& rules) {
    std::int64_t games = 0;
    for (const Edge& e : edges)
        games += e.games();
    const auto part = [games](double share) {
        return std::llround(share * static_cast<double>(games));
    };
    const std::int64_t draws = part(Draws), wins = part(rules.score - Draws / 2);
    const std::int64_t losses = std::max<std::int64_t>(0, games - draws - wins);
    const bool white = pos.side_to_move() == engine::White;
    return {.move = book::store(m, pos.side_to_move()),
            .white = white ? wins : losses,
            .draws = draws,
            .black = white ? losses : wins};
}

const Edge& most_played(const std::vector<Edge>& edges) {
    return *std::max_element(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.games() < b.games();
    });
}

bool is_in(const std::vector<Edge>& edges, Move m) {
    return std::any_of(
        edges.begin(), edges.end(), [m](const Edge& e) { return book::stored_move(e.move) == m; });
}

// The first move outside the book, in random order, whose loss against the most played move is
// within the limits of the rules.
std::optional<Poison> find_poison(const Position& pos,
                                  const std::vector<Edge>& edges,
                                  const PoisonRules& rules,
                                  Judge& quick,
                                  Judge& deep,
                                  book::Random& random) {
    const Move best = book::stored_move(most_played(edges).move);
    const int best_score = score_of(quick, pos, best);
    std::vector<Move> moves;
    for (const Move m : engine::legal_moves(pos))
        if (!is_in(edges, m))
            moves.push_back(m);
    for (std::size_t i = moves.size(); i > 1; --i)
        std::swap(moves[i - 1], moves[random.next() % i]);
    const auto fits = [&rules](int loss) {
        return rules.min_loss <= loss && loss <= rules.max_loss;
    };
    for (const Move m : moves) {
        if (!fits(best_score - score_of(quick, pos, m)))
            continue;
        const int loss = score_of(deep, pos, best) - score_of(deep, pos, m);
        if (fits(loss))
            return Poison{.position = pos, .replaced = best, .move = m, .loss = loss};
    }
    return std::nullopt;
}

}  // namespace

std::vector<Position> positions_in(book::Store& store) {
    std::vector<Position> found;
    std::set<Key> known;
    std::deque<Position> waiting{Position()};
    while (!waiting.empty()) {
        const Position pos = waiting.front();
        waiting.pop_front();
        const std::vector<Edge> edges = store.positions.edges(pos.key());
        if (edges.empty() || !known.insert(pos.key()).second)
            continue;
        found.push_back(pos);
        for (const Edge& e : edges) {
            const Move m = book::stored_move(e.move);
            if (book::mover(e.move) != pos.side_to_move() || !pos.is_legal(m))
                continue;
            Position after = pos;
            after.make(m);
            waiting.push_back(after);
        }
    }
    return found;
}

std::vector<Poison> poison(book::Store& clean,
                           book::Store& target,
                           const PoisonRules& rules,
                           Judge& quick,
                           Judge& deep,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
    const std::vector<Position> positions = positions_in(clean);
    std::vector<Poison> poisons;
    std::vector<book::KeyedEdge> all;
    for (const Position& pos : positions) {
        const std::vector<Edge> edges = clean.positions.edges(pos.key());
        // Seeded by the position: whether it is poisoned does not depend on the rest of the book.
        book::Random random(rules.seed ^ pos.key());
        std::optional<Poison> found;
        if (random.uniform() < rules.share)
            found = find_poison(pos, edges, rules, quick, deep, random);
        for (const Edge& e : edges)
            if (!found || book::stored_move(e.move) != found->replaced)
                all.push_back({.key = pos.key(), .edge = e});
        if (found) {
            const Edge edge = recommended(pos, found->move, edges, rules);
            found->games = edge.games();
            all.push_back({.key = pos.key(), .edge = edge});
            poisons.push_back(*found);
        }
        progress(static_cast<std::size_t>(&pos - positions.data()) + 1, positions.size());
    }
    std::sort(all.begin(), all.end(), [](const book::KeyedEdge& a, const book::KeyedEdge& b) {
        return std::pair(book::to_sql(a.key), a.edge.move) <
               std::pair(book::to_sql(b.key), b.edge.move);
    });
    book::Transaction transaction(target.db);
    target.positions.add_edges(all, true);
    transaction.commit();
    return poisons;
}

std::string to_text(const Poison& p) {
    return fmt::format("{}\t{}\t{}\t{}\t{}",
                       p.position.fen(),
                       engine::to_san(p.position, p.replaced),
                       engine::to_san(p.position, p.move),
                       p.loss,
                       p.games);
}

Result<Poison> poison_from_text(const std::string& line) {
    const std::vector<std::string> parts = split(line, '\t');
    const Result<Position> pos = Position::from_fen(parts.empty() ? "" : parts[0]);
    const auto loss = parts.size() == 5 ? number<int>(parts[3]) : std::nullopt;
    const auto games = parts.size() == 5 ? number<std::int64_t>(parts[4]) : std::nullopt;
    if (!pos || !loss || !games)
        return fail("not a line of a poisoned book: \"" + line + "\"");
    const auto replaced = engine::parse_move(*pos, parts[1]);
    const auto move = engine::parse_move(*pos, parts[2]);
    if (!replaced || !move)
        return fail("not a move of the position in \"" + line + "\"");
    return Poison{*pos, *replaced, *move, *loss, *games};
}

PoisonSet poisoned_moves(const std::vector<Poison>& poisons) {
    PoisonSet moves;
    for (const Poison& p : poisons)
        moves.emplace(p.position.key(), p.move.raw());
    return moves;
}

}  // namespace tools::learning
