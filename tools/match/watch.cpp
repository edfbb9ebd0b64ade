#include "tools/match/watch.h"

#include "tools/common/statistics.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tools::match {
namespace {

using engine::Color;

constexpr std::array<const char*, 6> WhiteFigures{"♙", "♘", "♗", "♖", "♕", "♔"};
constexpr std::array<const char*, 6> BlackFigures{"♟", "♞", "♝", "♜", "♛", "♚"};
constexpr std::array<const char*, 6> WhiteLetters{"P", "N", "B", "R", "Q", "K"};
constexpr std::array<const char*, 6> BlackLetters{"p", "n", "b", "r", "q", "k"};

const char* piece_text(engine::Piece p, bool unicode) {
    if (p == engine::NoPiece)
        return unicode ? "·" : ".";
    const auto type = static_cast<std::size_t>(engine::type_of(p));
    if (engine::color_of(p) == engine::White)
        return unicode ? WhiteFigures[type] : WhiteLetters[type];
    return unicode ? BlackFigures[type] : BlackLetters[type];
}

// "12. Nf3" or "12... Nf6"; `view` stands after the move.
std::string numbered(const View& view) {
    const Color mover = ~view.game.position().side_to_move();
    const int number = view.game.position().fullmove_number() - (mover == engine::Black ? 1 : 0);
    return fmt::format(
        "{}{} {}", number, mover == engine::White ? "." : "...", view.record.moves.back().san);
}

std::string clock_of(const View& view, Color c) {
    return view.clocks[c] ? clock_text(*view.clocks[c]) : "-";
}

std::string thinking_text(const PlayedMove& move) {
    if (move.thinking.depth == 0)
        return "book move, or no score";
    return fmt::format("{}/{}", score_text(move.thinking.score), move.thinking.depth);
}

std::string player_text(const View& view, Color c) {
    const bool moved = view.game.position().side_to_move() != c;
    return fmt::format("{}  {:<24} {}{}",
                       c == engine::White ? "White" : "Black",
                       view.record.names[c],
                       clock_of(view, c),
                       moved ? "" : "  to move");
}

// The last known score from White's side; 0 before there is any.
int white_score(const View& view) {
    const auto& moves = view.record.moves;
    const Color mover = ~view.game.position().side_to_move();
    for (std::size_t back = 0; back < moves.size(); ++back) {
        const Thinking& t = moves[moves.size() - 1 - back].thinking;
        if (t.depth > 0) {
            const bool white = (mover == engine::White) == (back % 2 == 0);
            return white ? t.score : -t.score;
        }
    }
    return 0;
}

std::string line_picture(const View& view) {
    const PlayedMove& move = view.record.moves.back();
    return fmt::format("{:<14}{:<26}{:<9}clocks {} - {}\n",
                       numbered(view),
                       thinking_text(move),
                       seconds_text(move.spent) + "s",
                       clock_of(view, engine::White),
                       clock_of(view, engine::Black));
}

std::string board_picture(const View& view, const WatchStyle& style) {
    const PlayedMove& move = view.record.moves.back();
    const int score = white_score(view);
    const std::string text =
        fmt::format("{}\n\n{}\n{}\n\n{:<14}{}  {}s\n[{}] {} for White\n{:.76}\n",
                    player_text(view, engine::Black),
                    board_text(view.game.position(), move.move, style.unicode),
                    player_text(view, engine::White),
                    numbered(view),
                    thinking_text(move),
                    seconds_text(move.spent),
                    bar_text(score, 40, style.unicode),
                    score_text(score),
                    move.thinking.line);
    if (!style.redraw)
        return text + '\n';
    // Escape codes: cursor home; clear to the end of each line, then to the end of the screen.
    std::string screen = "\033[H";
    for (const char c : text)
        screen += c == '\n' ? std::string("\033[K\n") : std::string(1, c);
    return screen + "\033[J";
}

}  // namespace

std::string board_text(const engine::Position& pos, engine::Move last, bool unicode) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        text += fmt::format("  {} ", rank + 1);
        for (int file = 0; file < 8; ++file) {
            const engine::Square s = engine::make_square(file, rank);
            const bool marked = last && (s == last.from() || s == last.to());
            text += marked ? '[' : ' ';
            text += piece_text(pos.piece_on(s), unicode);
            text += marked ? ']' : ' ';
        }
        text += '\n';
    }
    return text + "     a  b  c  d  e  f  g  h\n";
}

std::string bar_text(int score, int width, bool unicode) {
    const int filled = static_cast<int>(std::lround(winning_chance(score) * width));
    std::string text;
    for (int i = 0; i < width; ++i)
        text += i < filled ? (unicode ? "█" : "#") : (unicode ? "░" : "-");
    return text;
}

std::string picture(const View& view, const WatchStyle& style) {
    return style.board ? board_picture(view, style) : line_picture(view);
}

}  // namespace tools::match
