#include "tools/lab/facts/ending_rules.h"

#include <limits>

namespace tools::facts {
namespace {

using engine::bit;
using engine::Bitboard;
using engine::Color;
using engine::Pawn;
using engine::PieceType;
using engine::Square;
using retro::Value;

constexpr int forward(Color c) {
    return c == engine::White ? 8 : -8;
}

bool is_bare(const Ending& ending, Color color) {
    for (std::size_t i = 2; i < ending.size(); ++i)
        if (ending[i].color == color)
            return false;
    return true;
}

}  // namespace

bool EndingRules::attacked(const Board& board, Color king, std::size_t without) const {
    Bitboard occupied = 0;
    for (std::size_t i = 0; i < ending_.size(); ++i)
        occupied |= i == without ? 0 : bit(board.squares[i]);
    for (std::size_t i = 0; i < ending_.size(); ++i) {
        if (ending_[i].color == king || i == without)
            continue;
        const Bitboard reach = ending_[i].type == Pawn
                                   ? engine::pawn_attacks(ending_[i].color, board.squares[i])
                                   : engine::attacks(ending_[i].type, board.squares[i], occupied);
        if ((reach & bit(board.squares[king])) != 0)
            return true;
    }
    return false;
}

std::size_t EndingRules::man_on(const Board& board, Square s) const {
    std::size_t man = 0;
    while (man < ending_.size() && board.squares[man] != s)
        ++man;
    return man < ending_.size() ? man : None;
}

Bitboard
EndingRules::targets(const Board& board, std::size_t man, Bitboard own, Bitboard all) const {
    const Square from = board.squares[man];
    if (ending_[man].type != Pawn)
        return engine::attacks(ending_[man].type, from, all) & ~own;
    const int step = forward(board.side);
    Bitboard to = engine::pawn_attacks(board.side, from) & all & ~own;
    if ((bit(from + step) & all) == 0) {
        to |= bit(from + step);
        if (engine::relative_rank(board.side, from) == 1)
            to |= bit(from + 2 * step) & ~all;
    }
    return to;
}

void EndingRules::find(const Board& board, std::vector<Reply>& replies) const {
    replies.clear();
    std::array<Bitboard, 2> by_color{};
    for (std::size_t i = 0; i < ending_.size(); ++i)
        by_color[ending_[i].color] |= bit(board.squares[i]);
    for (std::size_t man = 0; man < ending_.size(); ++man)
        if (ending_[man].color == board.side)
            for (Bitboard to = targets(board, man, by_color[board.side], by_color[0] | by_color[1]);
                 to != 0;)
                add(board, man, engine::pop_lowest(to), replies);
}

void EndingRules::add(const Board& board,
                      std::size_t man,
                      Square to,
                      std::vector<Reply>& replies) const {
    const std::size_t taken = man_on(board, to);
    Reply reply;
    reply.after = board;
    reply.after.squares[man] = to;
    reply.after.side = ~board.side;
    if (attacked(reply.after, board.side, taken))
        return;
    if (ending_[man].type == Pawn && engine::relative_rank(board.side, to) == 7) {
        for (const PieceType type : {engine::Queen, engine::Rook, engine::Bishop, engine::Knight})
            replies.push_back(conversion(reply.after, taken, man, type));
    } else if (taken != None) {
        replies.push_back(conversion(reply.after, taken, None, Pawn));
    } else {
        if (ending_[man].type == Pawn && std::abs(to - board.squares[man]) == 16)
            reply.answer = answer_to(reply.after, man);
        replies.push_back(reply);
    }
}

Reply EndingRules::conversion(const Board& after,
                              std::size_t taken,
                              std::size_t man,
                              PieceType type) const {
    retro::Placement placement;
    for (std::size_t i = 0; i < ending_.size(); ++i)
        if (i != taken)
            placement.add(i == man ? retro::Man{ending_[i].color, type} : ending_[i],
                          after.squares[i]);
    const Value v = placement.size == 2 ? Value{0} : known_(placement, after.side);
    return {.after = after,
            .converts = true,
            .result = -retro::sign(v),
            .plies = v == 0 || ending_.has_pawns() ? 0 : retro::plies(v),
            .answer = {}};
}

std::optional<int> EndingRules::answer_to(const Board& after, std::size_t man) const {
    std::optional<int> best;
    const Square crossed = after.squares[man] - forward(~after.side);
    for (std::size_t i = 2; i < ending_.size(); ++i) {
        if (ending_[i].type != Pawn || ending_[i].color != after.side ||
            (engine::pawn_attacks(after.side, after.squares[i]) & bit(crossed)) == 0)
            continue;
        Board captured = after;
        captured.squares[i] = crossed;
        captured.side = ~after.side;
        if (attacked(captured, after.side, man))
            continue;
        const int result = conversion(captured, man, None, Pawn).result;
        best = best ? std::max(*best, result) : result;
    }
    return best;
}

Bounds bounds_of(const EndingRules& rules,
                 const Board& board,
                 const std::vector<Reply>& replies,
                 int longest) {
    const double most = longest + Offset;
    if (replies.empty()) {
        const double value = rules.in_check(board) ? -most : 0;
        return {value, value};
    }
    std::optional<double> best;  // of captures and promotions
    bool others = false;
    for (const Reply& reply : replies) {
        others = others || !reply.converts;
        if (reply.converts)
            best = std::max(best.value_or(-most), reply.result * (most - reply.plies - 1));
    }
    if (best && (*best > 0 || !others))
        return {*best, *best};
    constexpr double Unknown = std::numeric_limits<double>::infinity();
    Bounds bounds{best && *best == 0 ? 0 : -Unknown, Unknown};
    if (is_bare(rules.ending(), board.side))
        bounds.high = 0;
    if (is_bare(rules.ending(), ~board.side))
        bounds.low = 0;
    return bounds;
}

double value_of(const EndingRules& rules, const Reply& reply, double after, int longest) {
    const double most = longest + Offset;
    if (reply.converts)
        return reply.result * (most - reply.plies);
    if (!reply.answer)
        return -after;
    if (*reply.answer > 0)
        return -(most - 1);
    if (*reply.answer == 0)
        return std::min(-after, 0.0);
    std::vector<Reply> others;
    rules.find(reply.after, others);
    return others.empty() ? most - 1 : -after;  // the capture is forced
}

}  // namespace tools::facts
