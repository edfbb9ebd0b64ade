#include "protocol/game/edit_mode.h"

#include "engine/board/notation.h"
#include "protocol/io/text.h"

namespace protocol {

Editor::Editor(const engine::Position& pos) : black_moves_(pos.side_to_move() == engine::Black) {
    for (engine::Square s = 0; s < 64; ++s)
        square(s) = engine::PieceLetters[pos.piece_on(s)];
}

bool Editor::take(std::string_view line) {
    if (line == "#") {
        board_.fill(Empty);
        return true;
    }
    if (line == "c") {
        placing_black_ = !placing_black_;
        return true;
    }
    if (line.size() != 3)
        return false;
    const std::optional<engine::Square> target = engine::parse_square(line.substr(1));
    const std::size_t type = std::string_view("pnbrqkx").find(lower(line.substr(0, 1)));
    if (!target || type == std::string::npos)
        return false;
    square(*target) = (placing_black_ ? "pnbrqk." : "PNBRQK.")[type];
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
            if (piece == Empty) {
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
