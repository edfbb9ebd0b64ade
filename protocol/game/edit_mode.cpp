#include "protocol/game/edit_mode.h"

#include "engine/board/notation.h"

namespace protocol {
namespace {

constexpr std::string_view Letters = "PNBRQK";

char to_black(char letter) {
    return static_cast<char>(letter - 'A' + 'a');
}

}  // namespace

Editor::Editor(const engine::Position& pos) : black_moves_(pos.side_to_move() == engine::Black) {
    for (engine::Square s = 0; s < 64; ++s) {
        const engine::Piece piece = pos.piece_on(s);
        if (piece == engine::NoPiece)
            continue;
        const char letter = Letters[engine::type_of(piece)];
        board_[static_cast<std::size_t>(s)] =
            engine::color_of(piece) == engine::Black ? to_black(letter) : letter;
    }
}

bool Editor::take(std::string_view line) {
    if (line == "#") {
        board_.fill(0);
        return true;
    }
    if (line == "c") {
        placing_black_ = !placing_black_;
        return true;
    }
    if (line.size() != 3)
        return false;
    const std::optional<engine::Square> square = engine::parse_square(line.substr(1));
    if (!square)
        return false;
    char& here = board_[static_cast<std::size_t>(*square)];
    const char letter =
        line.front() >= 'a' ? static_cast<char>(line.front() - 'a' + 'A') : line.front();
    if (letter == 'X') {
        here = 0;
        return true;
    }
    if (Letters.find(letter) == std::string_view::npos)
        return false;
    here = placing_black_ ? to_black(letter) : letter;
    return true;
}

std::string Editor::castling() const {
    std::string rights;
    if (board_[engine::E1] == 'K') {
        rights += board_[engine::H1] == 'R' ? "K" : "";
        rights += board_[engine::A1] == 'R' ? "Q" : "";
    }
    if (board_[engine::E8] == 'k') {
        rights += board_[engine::H8] == 'r' ? "k" : "";
        rights += board_[engine::A8] == 'r' ? "q" : "";
    }
    return rights.empty() ? "-" : rights;
}

std::string Editor::fen() const {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const char piece = board_[static_cast<std::size_t>(engine::make_square(file, rank))];
            if (piece == 0) {
                ++empty;
                continue;
            }
            if (empty > 0)
                text += std::to_string(empty);
            empty = 0;
            text += piece;
        }
        if (empty > 0)
            text += std::to_string(empty);
        if (rank > 0)
            text += '/';
    }
    return text + (black_moves_ ? " b " : " w ") + castling() + " - 0 1";
}

}  // namespace protocol
