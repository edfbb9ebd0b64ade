#include "engine/board/notation.h"

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"

#include <algorithm>

namespace engine {
namespace {

constexpr std::string_view Letters = "PNBRQK";

bool is_file(char c) {
    return 'a' <= c && c <= 'h';
}
bool is_rank(char c) {
    return '1' <= c && c <= '8';
}

// A capital letter.
PieceType piece_of_letter(char c) {
    const std::size_t i = Letters.find(c);
    return i == std::string_view::npos ? NoPieceType : static_cast<PieceType>(i);
}

// The parts of a move text; a part that is missing matches every move.
struct Wanted {
    PieceType piece = NoPieceType;  // missing in coordinate notation
    int from_file = -1, from_rank = -1;
    Square to = NoSquare;
    PieceType promotion = NoPieceType;
};

// The square of the king after castling in standard chess.
Square castled_king(Move m) {
    return make_square(m.to() > m.from() ? 6 : 2, rank_of(m.from()));
}

bool matches(const Position& pos, const Wanted& w, Move m) {
    if (w.piece != NoPieceType && type_of(pos.piece_on(m.from())) != w.piece)
        return false;
    if ((w.from_file >= 0 && file_of(m.from()) != w.from_file) ||
        (w.from_rank >= 0 && rank_of(m.from()) != w.from_rank))
        return false;
    if (m.kind() == MoveKind::Castling)  // e1g1 or e1h1, with the king's own square given
        return w.from_file >= 0 && w.from_rank >= 0 && (w.to == m.to() || w.to == castled_king(m));
    if (m.to() != w.to)
        return false;
    return m.kind() == MoveKind::Promotion ? m.promoted() == w.promotion
                                           : w.promotion == NoPieceType;
}

tl::unexpected<NoMoveBecause> no(NoMoveBecause why) {
    return tl::unexpected<NoMoveBecause>(why);
}

// True for O-O, false for O-O-O, with letter O, letter o or zero; empty for other texts.
std::optional<bool> short_castling(std::string_view text) {
    std::string plain;
    for (const char c : text)
        plain += c == '0' || c == 'o' ? 'O' : c;
    if (plain == "O-O" || plain == "OO")
        return true;
    if (plain == "O-O-O" || plain == "OOO")
        return false;
    return std::nullopt;
}

tl::expected<Move, NoMoveBecause> castle(const Position& pos, bool short_side) {
    for (const Move m : legal_moves(pos))
        if (m.kind() == MoveKind::Castling && (m.to() > m.from()) == short_side)
            return m;
    return no(NoMoveBecause::Illegal);
}

// Removes "=Q", "Q", "(Q)" or "/Q" from the end. An unmarked letter must follow a rank.
PieceType take_promotion(std::string_view& text) {
    if (text.size() > 3 && text.back() == ')')
        text.remove_suffix(1);
    if (text.size() < 3)
        return NoPieceType;
    const char letter = text.back();
    const char before = text[text.size() - 2];
    const PieceType piece = piece_of_letter(static_cast<char>(letter & ~0x20));
    const bool marked = before == '=' || before == '(' || before == '/';
    if (piece == NoPieceType || (!marked && !is_rank(before)))
        return NoPieceType;
    text.remove_suffix(marked ? 2 : 1);
    return piece;
}

// The piece that a move begins with. A small b is a file.
PieceType moving_piece(char c) {
    const bool small = 'a' <= c && c <= 'z' && c != 'b';
    return piece_of_letter(small ? static_cast<char>(c & ~0x20) : c);
}

// Replaces each figurine (U+2654 to U+265F) by the letter of its piece.
std::string without_figurines(std::string_view text) {
    constexpr std::string_view Prefix = "\xE2\x99", Pieces = "KQRBNP";
    constexpr std::size_t First = 0x94, Last = 0x9F;  // the third byte in UTF-8
    std::string plain;
    while (!text.empty()) {
        const std::size_t code = text.size() > 2 ? static_cast<unsigned char>(text[2]) : 0;
        const bool figurine = text.starts_with(Prefix) && First <= code && code <= Last;
        plain += figurine ? Pieces[(code - First) % Pieces.size()] : text.front();
        text.remove_prefix(figurine ? Prefix.size() + 1 : 1);
    }
    return plain;
}

// Splits a move text into its parts; empty if it is no move text.
std::optional<Wanted> parse_parts(std::string_view text) {
    Wanted w;
    w.promotion = take_promotion(text);
    if (text.size() < 2 || !is_file(text[text.size() - 2]) || !is_rank(text.back()))
        return std::nullopt;
    w.to = make_square(text[text.size() - 2] - 'a', text.back() - '1');
    text.remove_suffix(2);
    if (!text.empty() && moving_piece(text.front()) != NoPieceType) {
        w.piece = moving_piece(text.front());
        text.remove_prefix(1);
    }
    if (!text.empty() && (text.back() == 'x' || text.back() == '-' || text.back() == ':'))
        text.remove_suffix(1);
    if (!text.empty() && is_rank(text.back())) {
        w.from_rank = text.back() - '1';
        text.remove_suffix(1);
    }
    if (!text.empty() && is_file(text.back())) {
        w.from_file = text.back() - 'a';
        text.remove_suffix(1);
    }
    // No piece letter and no full from-square: a pawn move.
    if (w.piece == NoPieceType && (w.from_file < 0 || w.from_rank < 0))
        w.piece = Pawn;
    return text.empty() ? std::optional(w) : std::nullopt;
}

// The legal move that is meant.
tl::expected<Move, NoMoveBecause> find_move(const Position& pos, const Wanted& wanted) {
    Move found = NoMove;
    bool castling_too = false;
    for (const Move m : legal_moves(pos)) {
        if (!matches(pos, wanted, m))
            continue;
        if (found) {
            // In Chess960 a king move may be written like castling. The king move is meant, since
            // castling is written as king takes rook.
            castling_too |= m.kind() == MoveKind::Castling || found.kind() == MoveKind::Castling;
            if (!castling_too)
                return no(NoMoveBecause::Ambiguous);
            if (m.kind() == MoveKind::Castling)
                continue;
        }
        found = m;
    }
    if (!found)
        return no(NoMoveBecause::Illegal);
    return found;
}

}  // namespace

std::string square_name(Square s) {
    return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))};
}

std::optional<Square> parse_square(std::string_view text) {
    if (text.size() != 2 || !is_file(text[0]) || !is_rank(text[1]))
        return std::nullopt;
    return make_square(text[0] - 'a', text[1] - '1');
}

std::string to_coordinates(Move m, bool chess960) {
    const bool castling = m.kind() == MoveKind::Castling && !chess960;
    std::string text = square_name(m.from()) + square_name(castling ? castled_king(m) : m.to());
    if (m.kind() == MoveKind::Promotion)
        text += static_cast<char>(Letters[m.promoted()] | 0x20);
    return text;
}

std::string to_san(const Position& pos, Move m) {
    std::string text;
    const PieceType piece = type_of(pos.piece_on(m.from()));
    if (m.kind() == MoveKind::Castling) {
        text = m.to() > m.from() ? "O-O" : "O-O-O";
    } else if (piece == Pawn) {
        if (pos.is_capture(m))
            text = {static_cast<char>('a' + file_of(m.from())), 'x'};
        text += square_name(m.to());
        if (m.kind() == MoveKind::Promotion)
            text += {'=', Letters[m.promoted()]};
    } else {
        bool twin = false;
        bool same_file = false;
        bool same_rank = false;
        for (const Move other : legal_moves(pos)) {
            if (other.kind() == MoveKind::Castling || other.to() != m.to() || other == m ||
                type_of(pos.piece_on(other.from())) != piece)
                continue;
            twin = true;
            same_file |= file_of(other.from()) == file_of(m.from());
            same_rank |= rank_of(other.from()) == rank_of(m.from());
        }
        text = Letters[piece];
        const std::string from = square_name(m.from());
        if (twin && (!same_file || same_rank))
            text += from[0];
        if (same_file)
            text += from[1];
        if (pos.is_capture(m))
            text += 'x';
        text += square_name(m.to());
    }
    Position after = pos;
    after.make(m);
    if (after.in_check())
        text += has_legal_move(after) ? '+' : '#';
    return text;
}

tl::expected<Move, NoMoveBecause> parse_move(const Position& pos, std::string_view move_text) {
    const std::string plain = without_figurines(move_text);
    std::string_view text = plain;
    if (text.ends_with("e.p."))
        text.remove_suffix(4);
    while (!text.empty() && std::string_view("+#!?").find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    if (const auto side = short_castling(text))
        return castle(pos, *side);
    const auto wanted = parse_parts(text);
    if (!wanted)
        return no(NoMoveBecause::NotAMove);
    return find_move(pos, *wanted);
}

tl::expected<Move, NoMoveBecause> parse_typed_move(const Position& pos, std::string_view text) {
    auto found = parse_move(pos, text);
    const bool coordinates = text.size() > 1 && is_rank(text[1]);
    if (!found && found.error() == NoMoveBecause::Illegal && text.front() == 'b' && !coordinates)
        if (const auto bishop = parse_move(pos, 'B' + std::string(text.substr(1))))
            return bishop;
    return found;
}

}  // namespace engine
