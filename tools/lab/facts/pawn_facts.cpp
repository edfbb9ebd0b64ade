#include "tools/lab/facts/pawn_facts.h"

#include "tools/lab/facts/fact_writer.h"
#include "tools/lab/facts/pawn_results.h"

namespace tools::facts {
namespace {

using engine::bit;
using engine::Bitboard;
using engine::Color;
using engine::file_of;
using engine::rank_of;
using engine::Square;

constexpr int Never = 99;  // plies

// A position as one side sees it: its own pawns move up the board.
struct View {
    bool moves = false;  // this side is to move
    Square king = 0, foe = 0;
    struct Pawn {
        Square at;
        int moves;          // to promote, if nothing is in the way
        Bitboard path;      // the squares before it
        int alone = 0;      // the result against the bare king
        int result = 0;     // the worst against one enemy pawn
        int plies = Never;  // to promote by force, as far as can be seen at once
    };
    std::vector<Pawn> pawns;
    Bitboard own = 0, enemy = 0;  // pawns
    int plies = Never;            // of the fastest
    int best = -1;                // of their results

    View(const Ending& ending, const Board& board, Color color);

  private:
    [[nodiscard]] int plies_of(const Pawn& pawn) const;
};

View::View(const Ending& ending, const Board& board, Color color) : moves(board.side == color) {
    const int flip = color == engine::White ? 0 : 56;
    king = board.squares[color] ^ flip;
    foe = board.squares[~color] ^ flip;
    for (std::size_t i = 2; i < ending.size(); ++i) {
        const Square s = board.squares[i] ^ flip;
        (ending[i].color == color ? own : enemy) |= bit(s);
        if (ending[i].color == color)
            pawns.push_back({s,
                             std::min(7 - rank_of(s), 5),
                             (engine::FileA << file_of(s)) & ~((Bitboard{2} << (s | 7)) - 1)});
    }
    for (Pawn& pawn : pawns) {
        const PawnResults& results = PawnResults::instance();
        // The result of the ending itself must not be one of its facts.
        pawn.alone = ending.size() > 3 ? results.alone(moves, king, foe, pawn.at) : 0;
        pawn.result = pawn.alone;
        for (Bitboard left = ending.size() > 4 ? enemy : 0; left != 0;)
            pawn.result = std::min(
                pawn.result, results.against(moves, king, foe, pawn.at, engine::pop_lowest(left)));
        best = std::max(best, pawn.result);
        pawn.plies = plies_of(pawn);
        plies = std::min(plies, pawn.plies);
    }
}

int View::plies_of(const Pawn& pawn) const {
    if ((pawn.path & (own | enemy | bit(foe))) != 0)
        return Never;
    const Square goal = engine::make_square(file_of(pawn.at), 7);
    const int n = pawn.moves + ((pawn.path & bit(king)) != 0 ? 1 : 0);
    const bool caught = distance(foe, goal) <= n + (moves ? 0 : 1);
    const bool escorted = (pawn.path & ~engine::attacks(engine::King, king, 0)) == 0;
    if (caught && !escorted)
        return Never;
    return 2 * n - (moves ? 1 : 0);
}

// Who promotes first: nobody, we alone, they alone, we by three plies or more, by one, they by one,
// they by three or more.
int race(int own, int enemy) {
    if (own == Never || enemy == Never)
        return own != Never ? 1 : enemy != Never ? 2 : 0;
    return own < enemy - 1 ? 3 : own < enemy ? 4 : enemy < own - 1 ? 6 : 5;
}

int file_class(Square s) {
    return std::min(file_of(s), 7 - file_of(s));
}

Square flipped(Square s) {
    return s ^ 56;
}

// The pawn of a side that is nearest to its promotion.
const View::Pawn* front(const View& v) {
    const auto found = std::max_element(
        v.pawns.begin(), v.pawns.end(), [](const View::Pawn& a, const View::Pawn& b) {
            return rank_of(a.at) < rank_of(b.at);
        });
    return found == v.pawns.end() ? nullptr : &*found;
}

Square promotion(Square pawn) {
    return engine::make_square(file_of(pawn), 7);
}

Facts king_facts(const View& own, const View& foe) {
    FactWriter out;
    out.one_of(own.best, -1, 1);
    out.one_of(foe.best, -1, 1);
    out.flag(own.moves);
    out.one_of(race(own.plies, foe.plies), 0, 6);
    out.flag(own.pawns.size() > foe.pawns.size());
    out.one_of(distance(own.king, own.foe), 2, 5);
    out.one_of(rank_of(own.king), 0, 7);
    out.one_of(file_class(own.king), 0, 3);
    const View::Pawn* mine = front(own);
    const View::Pawn* theirs = front(foe);
    // Where the king is from its own first pawn, and from the enemy's.
    out.one_of(mine == nullptr ? 9 : distance(own.king, mine->at), 1, 5);
    out.one_of(mine == nullptr ? -9 : rank_of(own.king) - rank_of(mine->at), -1, 2);
    out.one_of(mine == nullptr ? 9 : std::abs(file_of(own.king) - file_of(mine->at)), 0, 3);
    out.one_of(theirs == nullptr ? 9 : distance(own.king, flipped(theirs->at)), 1, 6);
    out.one_of(theirs == nullptr ? -9
                                 : distance(own.king, flipped(promotion(theirs->at))) -
                                       theirs->moves - (own.moves ? 1 : 0),
               -3,
               2);
    out.one_of(theirs == nullptr ? 0 : rank_of(theirs->at), 1, 6);
    const bool same_file = file_of(own.king) == file_of(own.foe),
               same_rank = rank_of(own.king) == rank_of(own.foe);
    out.flag(!own.moves && (same_file || same_rank) && distance(own.king, own.foe) == 2);
    const Bitboard reach = engine::attacks(engine::King, own.king, 0);
    Bitboard defended = engine::attacks(engine::King, own.foe, 0);
    for (const View::Pawn& p : foe.pawns)
        for (const View::Pawn& q : foe.pawns)
            defended |= (engine::pawn_attacks(engine::White, q.at) & bit(p.at)) != 0
                            ? bit(flipped(p.at))
                            : 0;
    out.flag((reach & own.enemy & ~defended) != 0);
    return out.facts();
}

Facts pawn_facts(const View& own, const View& foe, const View::Pawn& pawn) {
    FactWriter out;
    out.flag(pawn.alone > 0);
    out.one_of(pawn.result, -1, 1);
    out.flag(own.moves);
    out.one_of(race(own.plies, foe.plies), 0, 6);
    out.flag(own.pawns.size() > foe.pawns.size());
    out.flag(pawn.plies == own.plies);
    out.one_of(rank_of(pawn.at), 1, 6);
    out.one_of(file_class(pawn.at), 0, 3);
    out.flag((pawn.path & own.enemy) != 0);
    out.flag((pawn.path & bit(own.foe)) != 0);
    out.one_of(distance(own.king, pawn.at), 1, 4);
    out.one_of(rank_of(own.king) - rank_of(pawn.at), -1, 2);
    out.one_of(distance(own.foe, promotion(pawn.at)) - pawn.moves - (own.moves ? 0 : 1), -2, 1);
    out.one_of(distance(own.foe, pawn.at), 1, 4);
    out.one_of(distance(own.foe, pawn.at) - distance(own.king, pawn.at), -2, 2);
    const View::Pawn* theirs = front(foe);
    out.one_of(theirs == nullptr ? 0 : rank_of(theirs->at), 1, 6);
    int friends = 3, protectors = 0;
    for (const View::Pawn& p : own.pawns) {
        if (p.at == pawn.at)
            continue;
        friends = std::min(friends, std::abs(file_of(p.at) - file_of(pawn.at)));
        protectors += (engine::pawn_attacks(engine::White, p.at) & bit(pawn.at)) != 0 ? 1 : 0;
    }
    out.one_of(own.pawns.size() == 1 ? 4 : friends, 0, 4);
    out.flag(protectors > 0);
    bool passed = true, attacked = false;
    for (const View::Pawn& p : foe.pawns) {
        const Square s = flipped(p.at);
        passed = passed &&
                 (std::abs(file_of(s) - file_of(pawn.at)) > 1 || rank_of(s) <= rank_of(pawn.at));
        attacked = attacked || (engine::pawn_attacks(engine::White, pawn.at) & bit(s)) != 0;
    }
    out.flag(passed);
    out.flag(attacked);
    return out.facts();
}

}  // namespace

Facts facts_of_smaller_endings(Role role) {
    return role == Role::King ? 0x3F : role == Role::Pawn ? 0xF : 0;
}

std::array<Facts, MaxMen> pawn_facts_of(const Ending& ending, const Board& board) {
    const std::array<View, 2> views = {View(ending, board, engine::White),
                                       View(ending, board, engine::Black)};
    std::array<Facts, MaxMen> facts{};
    std::array<std::size_t, 2> next{};
    for (std::size_t i = 0; i < ending.size(); ++i) {
        const View& own = views[ending[i].color];
        const View& foe = views[~ending[i].color];
        facts[i] =
            i < 2 ? king_facts(own, foe) : pawn_facts(own, foe, own.pawns[next[ending[i].color]++]);
    }
    return facts;
}

}  // namespace tools::facts
