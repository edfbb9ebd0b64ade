// Generates legal moves only, by pin and check masks. A sink receives sets of target squares, so
// that listing and counting moves share one generator.
#include "engine/board/movegen.h"

#include "engine/board/attacks.h"

namespace engine {
namespace {

enum class Promote { None, QueenOnly, UnderOnly, All };

class ListSink {
  public:
    explicit ListSink(MoveList& list) : list_(list) {}
    void piece(Square from, Bitboard targets) {
        while (targets != 0)
            list_.add(Move(from, pop_lowest(targets)));
    }
    // Each pawn comes from its target minus `step`.
    void pawns(Bitboard targets, int step) {
        while (targets != 0) {
            const Square to = pop_lowest(targets);
            list_.add(Move(to - step, to));
        }
    }
    template <Promote which>
    void promotions(Bitboard targets, int step) {
        while (targets != 0) {
            const Square to = pop_lowest(targets);
            if constexpr (which != Promote::UnderOnly)
                list_.add(Move::promotion(to - step, to, Queen));
            if constexpr (which != Promote::QueenOnly)
                for (const PieceType piece : {Rook, Bishop, Knight})
                    list_.add(Move::promotion(to - step, to, piece));
        }
    }
    void special(Move m) { list_.add(m); }

  private:
    MoveList& list_;
};

class CountSink {
  public:
    [[nodiscard]] int count() const { return count_; }
    void piece(Square /*from*/, Bitboard targets) { count_ += popcount(targets); }
    void pawns(Bitboard targets, int /*step*/) { count_ += popcount(targets); }
    template <Promote which>
    void promotions(Bitboard targets, int /*step*/) {
        constexpr int each = which == Promote::All ? 4 : which == Promote::QueenOnly ? 1 : 3;
        count_ += each * popcount(targets);
    }
    void special(Move /*m*/) { ++count_; }

  private:
    int count_ = 0;
};

template <Color us, Moves moves, typename Sink>
class Generator {
  public:
    Generator(const Position& pos, Sink& sink)
        : pos_(pos), sink_(sink), king_(pos.king(us)), occupied_(pos.pieces()),
          theirs_(pos.pieces(Them)) {}

    void run() {
        wanted_ = moves == Moves::Captures ? theirs_
                  : moves == Moves::Quiets ? ~occupied_
                                           : ~pos_.pieces(us);
        king_moves();
        const Bitboard checkers = pos_.checkers();
        if (more_than_one(checkers))
            return;
        check_mask_ = checkers != 0 ? between(king_, lowest(checkers)) | checkers : ~Bitboard{0};
        const Bitboard pinned = pos_.king_blockers(us) & pos_.pieces(us);
        pawns(pos_.pieces(us, Pawn) & ~pinned, check_mask_);
        for (Bitboard rest = pos_.pieces(us, Pawn) & pinned; rest != 0;) {
            const Square from = pop_lowest(rest);
            pawns(bit(from), check_mask_ & line(king_, from));
        }
        if (moves != Moves::Quiets && pos_.ep_square() != NoSquare)
            en_passant();
        pieces(pinned);
        if (moves != Moves::Captures && checkers == 0)
            for (const bool short_side : {true, false})
                if (pos_.can_castle(castling_right(us, short_side)))
                    castle(short_side);
    }

  private:
    static constexpr Color Them = ~us;
    static constexpr int Up = us == White ? 8 : -8;

    void king_moves() {
        Bitboard targets = king_attacks(king_) & wanted_;
        Bitboard safe = 0;
        const Bitboard without_king = occupied_ ^ bit(king_);
        while (targets != 0) {
            const Square to = pop_lowest(targets);
            if (!pos_.is_attacked(to, Them, without_king))
                safe |= bit(to);
        }
        sink_.piece(king_, safe);
    }

    void pieces(Bitboard pinned) {
        const Bitboard wanted = wanted_ & check_mask_;
        // A pinned knight never moves.
        for (Bitboard rest = pos_.pieces(us, Knight) & ~pinned; rest != 0;) {
            const Square from = pop_lowest(rest);
            sink_.piece(from, knight_attacks(from) & wanted);
        }
        for (Bitboard rest = pos_.pieces(Bishop, Queen) & pos_.pieces(us); rest != 0;) {
            const Square from = pop_lowest(rest);
            slide(from, bishop_attacks(from, occupied_) & wanted, pinned);
        }
        for (Bitboard rest = pos_.pieces(Rook, Queen) & pos_.pieces(us); rest != 0;) {
            const Square from = pop_lowest(rest);
            slide(from, rook_attacks(from, occupied_) & wanted, pinned);
        }
    }

    void slide(Square from, Bitboard targets, Bitboard pinned) {
        if ((pinned & bit(from)) != 0)
            targets &= line(king_, from);
        sink_.piece(from, targets);
    }

    void pawns(Bitboard pawns, Bitboard allowed) {
        constexpr Bitboard last = us == White ? Rank8 : Rank1;
        constexpr Bitboard third = us == White ? rank_bb(2) : rank_bb(5);
        const Bitboard one = forward<us>(pawns) & ~occupied_;
        if constexpr (moves != Moves::Captures) {
            const Bitboard two = forward<us>(one & third) & ~occupied_;
            sink_.pawns(one & ~last & allowed, Up);
            sink_.pawns(two & allowed, 2 * Up);
        }
        constexpr Promote pushed = moves == Moves::Captures ? Promote::QueenOnly
                                   : moves == Moves::Quiets ? Promote::UnderOnly
                                                            : Promote::All;
        sink_.template promotions<pushed>(one & last & allowed, Up);
        if constexpr (moves != Moves::Quiets) {
            const Bitboard west = pawn_attacks_west<us>(pawns) & theirs_ & allowed;
            const Bitboard east = pawn_attacks_east<us>(pawns) & theirs_ & allowed;
            sink_.pawns(west & ~last, Up - 1);
            sink_.pawns(east & ~last, Up + 1);
            sink_.template promotions<Promote::All>(west & last, Up - 1);
            sink_.template promotions<Promote::All>(east & last, Up + 1);
        }
    }

    // Two pawns leave the same rank at once, which pin masks do not cover, so test for check
    // afterwards.
    void en_passant() {
        const Square to = pos_.ep_square();
        const Square victim = to - Up;
        for (Bitboard rest = pawn_attacks(Them, to) & pos_.pieces(us, Pawn); rest != 0;) {
            const Square from = pop_lowest(rest);
            const Bitboard after = (occupied_ ^ bit(from) ^ bit(victim)) | bit(to);
            if ((pos_.attackers_to(king_, after) & theirs_ & ~bit(victim)) == 0)
                sink_.special(Move(from, to, MoveKind::EnPassant));
        }
    }

    void castle(bool short_side) {
        const Square rook = pos_.castling_rook(castling_right(us, short_side));
        const Square king_to = relative(us, short_side ? G1 : C1);
        const Square rook_to = relative(us, short_side ? F1 : D1);
        const Bitboard leaving = bit(king_) | bit(rook);
        const Bitboard king_way = between(king_, king_to) | bit(king_to);
        const Bitboard rook_way = between(rook, rook_to) | bit(rook_to);
        if (((king_way | rook_way) & occupied_ & ~leaving) != 0)
            return;
        for (Bitboard rest = king_way; rest != 0;)
            if (pos_.is_attacked(pop_lowest(rest), Them, occupied_ ^ leaving))
                return;
        sink_.special(Move(king_, rook, MoveKind::Castling));
    }

    const Position& pos_;
    Sink& sink_;
    const Square king_;
    const Bitboard occupied_, theirs_;
    Bitboard wanted_ = 0, check_mask_ = 0;
};

template <Moves moves, typename Sink>
void run(const Position& pos, Sink& sink) {
    if (pos.side_to_move() == White)
        Generator<White, moves, Sink>(pos, sink).run();
    else
        Generator<Black, moves, Sink>(pos, sink).run();
}

}  // namespace

template <Moves moves>
void generate(const Position& pos, MoveList& list) {
    ListSink sink(list);
    run<moves>(pos, sink);
}
template void generate<Moves::All>(const Position&, MoveList&);
template void generate<Moves::Captures>(const Position&, MoveList&);
template void generate<Moves::Quiets>(const Position&, MoveList&);

MoveList legal_moves(const Position& pos) {
    MoveList list;
    generate<Moves::All>(pos, list);
    return list;
}

int count_legal_moves(const Position& pos) {
    CountSink sink;
    run<Moves::All>(pos, sink);
    return sink.count();
}

bool has_legal_move(const Position& pos) {
    return count_legal_moves(pos) != 0;
}

bool is_checkmate(const Position& pos) {
    return pos.in_check() && !has_legal_move(pos);
}

}  // namespace engine
