// The output of the command `eval`.
#include "engine/eval/classical.h"
#include "engine/eval/evaluate.h"

#include <algorithm>
#include <optional>

namespace engine {
namespace {

// Empty for kings, empty squares, and if the position would be illegal.
std::optional<Position> without_piece(const Position& pos, Square square) {
    const Piece piece = pos.piece_on(square);
    if (piece == NoPiece || type_of(piece) == King)
        return std::nullopt;
    std::string fen;
    for (int rank = 7; rank >= 0; --rank) {
        for (int file = 0; file < 8; ++file) {
            const Square at = make_square(file, rank);
            const Piece there = at == square ? NoPiece : pos.piece_on(at);
            fen += there == NoPiece ? '1' : PieceLetters[there];
        }
        fen += rank > 0 ? '/' : ' ';
    }
    fen += pos.side_to_move() == White ? "w" : "b";
    const Result<Position> without = Position::from_fen(fen);
    return without ? std::optional(*without) : std::nullopt;
}

std::string right_aligned(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace

Score Evaluator::white_score(const Position& pos) {
    if (accumulators_)
        accumulators_->reset();
    const Score score = evaluate(pos);
    return pos.side_to_move() == White ? score : -score;
}

std::string Evaluator::explain(const Position& pos) {
    return net_ ? table_of_pieces(pos) : table_of_terms(pos);
}

// The value of each piece but the kings: how much the evaluation changes without it.
std::string Evaluator::table_of_pieces(const Position& pos) {
    const Score whole = white_score(pos);
    std::string table = "What each piece adds, centipawns for White:\n";
    for (int rank = 7; rank >= 0; --rank) {
        for (int file = 0; file < 8; ++file) {
            const Square square = make_square(file, rank);
            std::string value;
            if (const std::optional<Position> without = without_piece(pos, square)) {
                const Score change = whole - white_score(*without);
                value = (change >= 0 ? "+" : "") + std::to_string(change);
            }
            table += {' ', PieceLetters[pos.piece_on(square)]};
            table += right_aligned(value, 5);
        }
        table += '\n';
    }
    return table + "total " + std::to_string(whole) + " centipawns for White, by the network\n";
}

std::string Evaluator::table_of_terms(const Position& pos) {
    // clang-format off
    static constexpr std::array<std::string_view, classical::TermCount> Names{
        "material", "squares", "pawns", "passed pawns", "knights", "bishops", "rooks", "queens",
        "king", "threats", "space"};
    // clang-format on
    const classical::Terms terms = classical::evaluate(pos, *pawns_);
    std::string table = "                 White        Black        Sum\n"
                        "              middle   end  middle   end  middle   end\n";
    for (std::size_t i = 0; i < classical::TermCount; ++i) {
        const auto [white, black] = terms.value[i];
        table += std::string(Names[i]) + std::string(12 - Names[i].size(), ' ');
        for (const Tapered t : {white, black, white - black})
            table += right_aligned(std::to_string(middlegame(t)), 8) +
                     right_aligned(std::to_string(endgame(t)), 6);
        table += '\n';
    }
    table += "phase " + std::to_string(std::min(terms.phase, classical::FullPhase)) + " of " +
             std::to_string(classical::FullPhase) + " (middlegame)\n";
    table += "total " + std::to_string(white_score(pos)) +
             " centipawns for White, side to move's " + std::to_string(W.tempo) + " included\n";
    return table;
}

}  // namespace engine
