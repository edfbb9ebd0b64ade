// King and pawn against king: known positions, counts, and agreement with all moves.
#include "engine/eval/kpk.h"

#include "engine/board/movegen.h"

#include <boost/test/unit_test.hpp>

using namespace engine;

namespace {

bool won(std::string_view fen) {
    return PawnEnding::instance().is_won(*Position::from_fen(fen));
}

bool bare_king_is_mated_by_queen_or_rook_in_the_end(const Position& promoted) {
    // Won unless the piece is lost at once or the bare king is stalemated.
    if (!has_legal_move(promoted))
        return promoted.in_check();
    for (const Move m : legal_moves(promoted))
        if (promoted.is_capture(m))
            return false;
    return true;
}

bool won_after(const Position& pos, Move m) {
    Position next = pos;
    next.make(m);
    if (m.kind() == MoveKind::Promotion)
        return (m.promoted() == Queen || m.promoted() == Rook) &&
               bare_king_is_mated_by_queen_or_rook_in_the_end(next);
    return next.pieces(Pawn) != 0 && PawnEnding::instance().is_won(next);
}

// The same by the values after all moves.
bool won_by_moves(const Position& pos, Color strong) {
    const MoveList moves = legal_moves(pos);
    if (pos.side_to_move() == strong)
        return std::any_of(moves.begin(), moves.end(), [&](Move m) { return won_after(pos, m); });
    if (moves.empty())
        return pos.in_check();
    return std::all_of(moves.begin(), moves.end(), [&](Move m) { return won_after(pos, m); });
}

std::string fen(Square king, Square pawn, Square bare, Color strong, Color side) {
    std::string board(64, '1');
    board[static_cast<std::size_t>(king ^ 56)] = strong == White ? 'K' : 'k';
    board[static_cast<std::size_t>(pawn ^ 56)] = strong == White ? 'P' : 'p';
    board[static_cast<std::size_t>(bare ^ 56)] = strong == White ? 'k' : 'K';
    for (std::size_t rank = 7; rank > 0; --rank)
        board.insert(8 * rank, "/");
    return board + (side == White ? " w" : " b");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kpk)

BOOST_AUTO_TEST_CASE(textbook_positions_are_known) {
    BOOST_TEST(won("4k3/8/4K3/4P3/8/8/8/8 w - -"));  // the king on the sixth, before its pawn
    BOOST_TEST(won("4k3/8/4K3/4P3/8/8/8/8 b - -"));
    BOOST_TEST(!won("8/4k3/8/4K3/4P3/8/8/8 w - -"));  // Black has the opposition
    BOOST_TEST(won("8/4k3/8/4K3/4P3/8/8/8 b - -"));   // White has it
    BOOST_TEST(!won("4k3/4P3/4K3/8/8/8/8/8 b - -"));  // stalemate
    BOOST_TEST(!won("1k6/1P6/K7/8/8/8/8/8 w - -"));   // to pass would win
    BOOST_TEST(!won("1k6/8/K7/P7/8/8/8/8 w - -"));    // a rook pawn
    BOOST_TEST(won("8/8/8/P7/8/8/7k/K7 w - -"));      // outside the square
    BOOST_TEST(!won("8/8/8/8/1k6/P7/8/7K b - -"));    // taken
}

BOOST_AUTO_TEST_CASE(every_value_follows_from_the_values_after_its_moves) {
    for (Square pawn = 8; pawn < 56; ++pawn)
        for (Square king = 0; king < 64; ++king)
            for (Square bare = 0; bare < 64; bare += (pawn + king) % 3 + 1)
                for (const Color strong : {White, Black})
                    for (const Color side : {White, Black}) {
                        if (king == pawn || bare == pawn || bare == king)
                            continue;
                        const auto pos = Position::from_fen(fen(king, pawn, bare, strong, side));
                        if (!pos)
                            continue;
                        if (PawnEnding::instance().is_won(*pos) != won_by_moves(*pos, strong))
                            BOOST_ERROR(pos->fen());
                    }
}

BOOST_AUTO_TEST_CASE(as_many_positions_are_won_as_the_solved_ending_has) {
    std::array<int, 2> won_with{};  // this side to move; pawns on files a to d
    for (Square pawn = 8; pawn < 56; ++pawn)
        for (Square king = 0; file_of(pawn) < 4 && king < 64; ++king)
            for (Square bare = 0; bare < 64; ++bare)
                for (const Color side : {White, Black}) {
                    if (king == pawn || bare == pawn || bare == king)
                        continue;
                    const auto pos = Position::from_fen(fen(king, pawn, bare, White, side));
                    won_with[side] += pos && PawnEnding::instance().is_won(*pos) ? 1 : 0;
                }
    BOOST_TEST(won_with[White] == 62'480);
    BOOST_TEST(won_with[Black] == 48'802);
}

BOOST_AUTO_TEST_SUITE_END()
