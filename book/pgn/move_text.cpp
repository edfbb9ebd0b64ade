#include "book/pgn/move_text.h"

#include "engine/board/notation.h"

#include <cstring>

namespace book {

std::string_view without_marks(std::string_view word) {
    while (!word.empty() && std::strchr("+#!?=", word.back()))
        word.remove_suffix(1);
    return word;
}

Move read_move(const engine::Position& pos, std::string_view word) {
    std::string_view text = without_marks(word);
    for (const std::string_view mark : {"e.p.", "ep", "e.p", "ch", "mate", "dis"})
        if (text.size() > mark.size() + 1 && text.ends_with(mark) &&
            '1' <= text[text.size() - mark.size() - 1] &&
            text[text.size() - mark.size() - 1] <= '8')
            text.remove_suffix(mark.size());
    const auto move = engine::parse_move(pos, text);
    return move ? *move : engine::NoMove;
}

}  // namespace book
