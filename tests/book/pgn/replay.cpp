// Replay reads the same moves as engine::parse_move.
#include "book/pgn/replay.h"

#include "engine/board/movegen.h"
#include "tests/book/helpers.h"

#include <random>

using book::Replay;
using engine::Position;

namespace {

engine::Move read(const Replay& board, std::string text) {
    const std::size_t size = text.size();
    text.resize(size + Replay::MaxMoveText, ' ');
    const char* end = nullptr;
    const engine::Move m = board.read(text.data(), end);
    if (m)
        BOOST_TEST(static_cast<std::size_t>(end - text.data()) == size);
    return m;
}

// All texts of moves in plain notation, legal or not.
std::vector<std::string> all_texts() {
    std::vector<std::string> texts{"O-O", "O-O-O"};
    for (engine::Square to = 0; to < 64; ++to) {
        const std::string square = engine::square_name(to);
        for (const char* piece :
             {"N", "B", "R", "Q", "K", "Nx", "Nb", "N1", "Rax", "R8", "Bc", "Qh"})
            texts.push_back(piece + square);
        for (const char* promotion : {"", "=Q", "=N", "=K"}) {
            texts.push_back(square + promotion);
            for (char file = 'a'; file <= 'h'; ++file)
                texts.push_back(std::string(1, file) + 'x' + square + promotion);
        }
    }
    return texts;
}

// The move that engine::parse_move reads; NoMove if the text is not plain notation.
engine::Move expected(const Position& pos, const std::string& text) {
    const auto m = engine::parse_move(pos, text);
    if (!m)
        return engine::NoMove;
    // A pawn's capture is written with "x", and no other pawn move is.
    const bool captures = text.find('x') != std::string::npos;
    const bool pawn = type_of(pos.piece_on(m->from())) == engine::Pawn;
    return pawn && captures != pos.is_capture(*m) ? engine::NoMove : *m;
}

void compare_everything(const Position& pos, const Replay& board) {
    static const std::vector<std::string> texts = all_texts();
    for (const std::string& text : texts)
        if (read(board, text) != expected(pos, text))
            BOOST_ERROR(text << " in " << pos.fen());
}

// Plays random moves, and prefers the rare kinds.
void play_over(Position pos, std::mt19937& random, int plies) {
    Replay board;
    board.set_up(pos);
    for (int ply = 0; ply < plies; ++ply) {
        const engine::MoveList moves = legal_moves(pos);
        if (moves.empty())
            return;
        engine::Move m = moves[random() % moves.size()];
        for (int tries = 0; tries < 3 && m.kind() == engine::MoveKind::Normal; ++tries)
            m = moves[random() % moves.size()];
        if (ply % 16 == 5)
            compare_everything(pos, board);
        const std::string san = to_san(pos, m);
        const engine::Move found = read(board, san + "!?");
        if (found != m)
            BOOST_ERROR(san << " in " << pos.fen());
        board.make(m);
        pos.make(m);
        BOOST_TEST_REQUIRE(board.key() == pos.key());
        BOOST_TEST_REQUIRE(board.side_to_move() == pos.side_to_move());
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replay)

BOOST_AUTO_TEST_CASE(random_games_are_played_as_position_plays_them) {
    std::mt19937 random(11);  // NOLINT(cert-msc*): the same games every time
    for (int game = 0; game < 60; ++game)
        play_over(Position(), random, 200);
}

BOOST_AUTO_TEST_CASE(pins_checks_and_captures_in_passing_are_seen) {
    std::mt19937 random(12);  // NOLINT(cert-msc*)
    for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
                            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
                            "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1",
                            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
                            "6k1/8/8/8/R6R/8/8/R5K1 w - - 0 1"}) {
        const Position pos = helpers::must(Position::from_fen(fen));
        Replay board;
        board.set_up(pos);
        compare_everything(pos, board);
        for (int game = 0; game < 12; ++game)
            play_over(pos, random, 60);
    }
}

BOOST_AUTO_TEST_CASE(only_plain_moves_are_read) {
    const Replay board;
    for (const char* text : {"e4", "e4!", "e4??", "Nf3", "Nf3+", "Ngf3", "N1f3"})
        BOOST_TEST(!!read(board, text), text);
    for (const char* text :
         {"e2e4", "e2-e4", "Ng1f3", "Ng1-f3", "e5", "exd5", "Nf4", "Ke2", "O-O", "0-0", "e4e.p.",
          "e4=Q", "e4=",   "P",     "e",      "N",  "",     "Nx",  "e9",  "i4",  "e4Q", "e4+++++"})
        BOOST_TEST(!read(board, text), text);
}

BOOST_AUTO_TEST_SUITE_END()
