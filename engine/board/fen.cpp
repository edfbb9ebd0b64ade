// Reading and writing Forsyth-Edwards notation, with Shredder's rook files for Chess960.
// Source: S. Edwards, "PGN specification", 1994; S. Meyer-Kahlen's and R. Scharnagl's extensions.
#include "engine/board/attacks.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace engine {
namespace {

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t start = text.find_first_not_of(" \t\r\n");
        if (start == std::string_view::npos)
            return words;
        text.remove_prefix(start);
        const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::string quoted(std::string_view text) {
    return "\"" + std::string(text.substr(0, 100)) + "\"";
}

}  // namespace

// Fills a Position field by field. Each step returns an error text, empty if the field is valid.
class FenReader {
  public:
    FenReader(Material allowed, CastlingStyle castling) : allowed_(allowed), castling_(castling) {}
    Result<Position> read(std::string_view fen);

  private:
    std::string pieces(std::string_view field);
    std::string side(std::string_view field);
    std::string castling(std::string_view field);
    std::string en_passant(std::string_view field);
    std::string clock(std::string_view field, std::uint16_t& value);
    [[nodiscard]] std::string counts() const;

    Material allowed_;
    CastlingStyle castling_;
    Position pos_{Position::EmptyBoard{}};
};

std::string FenReader::pieces(std::string_view field) {
    int file = 0;
    int rank = 7;
    for (const char c : field) {
        const std::size_t letter = PieceLetters.find(c);
        if (c == '/') {
            if (file != 8 || rank == 0)
                return "wrong number of squares in " + quoted(field);
            --rank;
            file = 0;
        } else if ('1' <= c && c <= '8') {
            file += c - '0';
        } else if (c != ' ' && letter < NoPiece) {
            if (file > 7)
                return "wrong number of squares in " + quoted(field);
            pos_.put(static_cast<Piece>(letter), make_square(file++, rank));
        } else {
            return "no such piece in " + quoted(field);
        }
        if (file > 8)
            return "wrong number of squares in " + quoted(field);
    }
    return file == 8 && rank == 0 ? "" : "wrong number of squares in " + quoted(field);
}

std::string FenReader::counts() const {
    for (const Color c : {White, Black}) {
        const std::string who = c == White ? "White" : "Black";
        if (popcount(pos_.pieces(c, King)) != 1)
            return who + " has not exactly one king";
        if (allowed_ == Material::Any)
            continue;
        const int pawns = popcount(pos_.pieces(c, Pawn));
        if (popcount(pos_.pieces(c)) > 16 || pawns > 8)
            return who + " has too many pieces";
        const auto more = [&](PieceType t, int usual) {
            return std::max(0, popcount(pos_.pieces(c, t)) - usual);
        };
        if (more(Knight, 2) + more(Bishop, 2) + more(Rook, 2) + more(Queen, 1) > 8 - pawns)
            return who + " has too many pieces";
    }
    if ((pos_.pieces(Pawn) & (Rank1 | Rank8)) != 0)
        return "a pawn stands on the first or last rank";
    return "";
}

std::string FenReader::side(std::string_view field) {
    if (field != "w" && field != "b")
        return "no side to move in " + quoted(field);
    pos_.side_ = field == "w" ? White : Black;
    const Color them = ~pos_.side_;
    if (pos_.is_attacked(pos_.king(them), pos_.side_))
        return "the side not to move is in check";
    return "";
}

std::string FenReader::castling(std::string_view field) {
    if (field == "-")
        return "";
    for (const char letter : field) {
        const Color c = 'A' <= letter && letter <= 'Z' ? White : Black;
        const char lower = static_cast<char>(letter | 0x20);
        const Square king = pos_.king(c);
        const Bitboard home = rank_bb(c == White ? 0 : 7);
        const Bitboard rooks = pos_.pieces(c, Rook) & home;
        const Bitboard above = rooks & ~((bit(king) << 1) - 1);  // on the king's short side
        const Bitboard below = rooks & (bit(king) - 1);
        Bitboard rook = 0;
        if (lower == 'k')
            rook = above != 0 ? std::bit_floor(above) : 0;
        else if (lower == 'q')
            rook = below & (~below + 1);
        else if ('a' <= lower && lower <= 'h')
            rook = rooks & file_bb(lower - 'a');
        else
            return "bad castling rights in " + quoted(field);
        const bool standard = file_of(king) == 4 && (rook & (file_bb(0) | file_bb(7))) != 0;
        if (rook != 0 && (home & bit(king)) != 0 &&
            (standard || castling_ == CastlingStyle::Chess960))
            pos_.set_castling(c, lowest(rook));
    }
    return "";
}

std::string FenReader::en_passant(std::string_view field) {
    if (field == "-")
        return "";
    const std::optional<Square> parsed = parse_square(field);
    if (!parsed)
        return "bad en passant square in " + quoted(field);
    const Square s = *parsed;
    const Color us = pos_.side_;
    const int down = us == White ? -8 : 8;
    // Kept only if the pawn has just made its double step and can be captured.
    if (relative_rank(us, s) == 5 && pos_.piece_on(s) == NoPiece &&
        pos_.piece_on(s - down) == NoPiece && pos_.piece_on(s + down) == make_piece(~us, Pawn) &&
        (pawn_attacks(~us, s) & pos_.pieces(us, Pawn)) != 0)
        pos_.ep_square_ = static_cast<std::uint8_t>(s);
    return "";
}

std::string FenReader::clock(std::string_view field, std::uint16_t& value) {
    int number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size() || number < 0)
        return "bad move counter in " + quoted(field);
    value = static_cast<std::uint16_t>(std::min(number, 9999));
    return "";
}

Result<Position> FenReader::read(std::string_view fen) {
    const std::vector<std::string_view> words = split(fen);
    if (words.size() < 2 || words.size() > 6)
        return fail("a FEN has two to six fields: " + quoted(fen));
    std::string error = pieces(words[0]);
    if (error.empty())
        error = counts();
    if (error.empty())
        error = side(words[1]);
    if (error.empty() && words.size() > 2)
        error = castling(words[2]);
    if (error.empty() && words.size() > 3)
        error = en_passant(words[3]);
    if (error.empty() && words.size() > 4)
        error = clock(words[4], pos_.halfmove_clock_);
    if (error.empty() && words.size() > 5)
        error = clock(words[5], pos_.fullmove_number_);
    if (!error.empty())
        return fail("bad position: " + error);
    pos_.fullmove_number_ = std::max<std::uint16_t>(pos_.fullmove_number_, 1);
    pos_.refresh();
    return pos_;
}

Result<Position>
Position::from_fen(std::string_view fen, Material allowed, CastlingStyle castling) {
    return FenReader(allowed, castling).read(fen);
}

// KQkq where the rook is the outermost on its side, else the rook's file.
static std::string castling_field(const Position& pos) {
    std::string field;
    for (const Color c : {White, Black})
        for (const bool short_side : {true, false}) {
            const CastlingRight right = castling_right(c, short_side);
            if (!pos.can_castle(right))
                continue;
            const Square rook = pos.castling_rook(right);
            const Bitboard beyond = short_side ? ~((bit(rook) << 1) - 1) : bit(rook) - 1;
            const bool outermost = (pos.pieces(c, Rook) & rank_bb(rank_of(rook)) & beyond) == 0;
            const char letter =
                outermost ? (short_side ? 'K' : 'Q') : static_cast<char>('A' + file_of(rook));
            field += c == White ? letter : static_cast<char>(letter | 0x20);
        }
    return field.empty() ? "-" : field;
}

std::string Position::fen() const {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int gap = 0;
        for (int file = 0; file < 8; ++file) {
            const Piece p = piece_on(make_square(file, rank));
            if (p == NoPiece) {
                ++gap;
                continue;
            }
            if (gap != 0)
                text += static_cast<char>('0' + gap);
            gap = 0;
            text += PieceLetters[p];
        }
        if (gap != 0)
            text += static_cast<char>('0' + gap);
        if (rank != 0)
            text += '/';
    }
    text += side_ == White ? " w " : " b ";
    text += castling_field(*this) + ' ';
    text += ep_square_ == NoSquare ? "-" : square_name(ep_square_);
    return text + ' ' + std::to_string(halfmove_clock_) + ' ' + std::to_string(fullmove_number_);
}

}  // namespace engine
