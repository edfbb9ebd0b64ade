#include "engine/syzygy/root_choice.h"

#include "engine/board/movegen.h"

namespace engine {
namespace {

constexpr int Best = 1'000'000;  // the rank of a win that the 50-move rule allows
constexpr int Rule = 100;        // plies

// The positions since the last capture or pawn move, the root's own at the end.
struct Since {
    std::vector<Key> keys;

    [[nodiscard]] auto count(Key key) const { return std::count(keys.begin(), keys.end(), key); }
    [[nodiscard]] bool any_repeated() const {
        return std::any_of(keys.begin(), keys.end(), [this](Key key) { return count(key) > 1; });
    }
};

// By repetition or the 50-move rule.
bool is_drawn_by_rule(const Position& next, const Since& since) {
    return since.count(next.key()) >= 2 || next.halfmove_clock() >= Rule;
}

// A higher rank is better; its sign is that of the result.
int rank_of_distance(int distance, int clock, bool repeated) {
    if (distance > 0)
        return distance + clock < Rule && !repeated ? Best : Best - (distance + clock);
    if (distance < 0)
        return 2 * -distance + clock < Rule ? -Best : -Best - distance + clock;
    return 0;
}

std::optional<int> rank_by_distance(
    const Syzygy& tables, const Position& root, const Since& since, bool repeated, Move m) {
    Position next = root;
    const std::optional<int> distance = tables.dtz_after(next, m);
    if (!distance || is_checkmate(next))
        return distance ? std::optional(Best) : std::nullopt;
    if (is_drawn_by_rule(next, since))
        return 0;
    const bool irreversible = next.halfmove_clock() == 0;
    return rank_of_distance(
        *distance, irreversible ? 0 : root.halfmove_clock(), repeated && !irreversible);
}

std::optional<int>
rank_by_result(const Syzygy& tables, const Position& root, const Since& since, Move m) {
    constexpr std::array<int, 5> Rank = {-Best, -Best + 2 * Rule, 0, Best - 2 * Rule, Best};
    Position next = root;
    next.make(m);
    if (is_checkmate(next))
        return Best;
    if (is_drawn_by_rule(next, since))
        return 0;
    const std::optional<Wdl> after = tables.wdl(next);
    return after ? std::optional(Rank[static_cast<std::size_t>(2 - static_cast<int>(*after))])
                 : std::nullopt;
}

Wdl result_of(int rank) {
    return rank >= Best - Rule    ? Wdl::Win
           : rank > 0             ? Wdl::CursedWin
           : rank == 0            ? Wdl::Drawn
           : rank <= -Best + Rule ? Wdl::Loss
                                  : Wdl::BlessedLoss;
}

// Nothing if the rank of a move is unknown.
template <typename Rank>
std::optional<RootChoice> best_of(const MoveList& moves, bool by_distance, Rank rank) {
    RootChoice choice;
    choice.by_distance = by_distance;
    int best = -2 * Best;
    for (const Move m : moves) {
        const std::optional<int> r = rank(m);
        if (!r)
            return std::nullopt;
        ++choice.hits;
        if (*r > best)
            choice.moves.clear();
        best = std::max(best, *r);
        if (*r == best)
            choice.moves.add(m);
    }
    choice.result = result_of(best);
    return choice;
}

}  // namespace

std::optional<RootChoice> choose_at_root(const Syzygy& tables,
                                         const Position& root,
                                         const std::vector<Key>& keys,
                                         const MoveList& moves) {
    if (popcount(root.pieces()) > tables.max_men() || root.castling_rights() != 0 || moves.empty())
        return std::nullopt;
    const std::size_t length =
        std::min(keys.size(), static_cast<std::size_t>(root.halfmove_clock()) + 1);
    const Since since{{keys.end() - static_cast<std::ptrdiff_t>(length), keys.end()}};
    const bool repeated = since.any_repeated();
    if (auto choice = best_of(moves, true, [&](Move m) {
            return rank_by_distance(tables, root, since, repeated, m);
        }))
        return choice;
    return best_of(moves, false, [&](Move m) { return rank_by_result(tables, root, since, m); });
}

}  // namespace engine
