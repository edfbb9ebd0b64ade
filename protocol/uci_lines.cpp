#include "protocol/uci_lines.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace protocol {
namespace {

std::string score_text(engine::Score score, engine::Bound bound) {
    return (engine::is_mate(score) ? fmt::format("mate {}", engine::mate_moves(score))
                                   : fmt::format("cp {}", score)) +
           (bound == engine::Bound::Lower   ? " lowerbound"
            : bound == engine::Bound::Upper ? " upperbound"
                                            : "");
}

}  // namespace

WinDrawLoss win_draw_loss(engine::Score score) {
    // Fitted to 74,000 positions of self-play games: at WinHalf centipawns half of them are won.
    // 209 games at 5+0.05 give 145 and 75; 400 games at 8,000 nodes a move give 130 and 75.
    constexpr double WinHalf = 140, Spread = 75;
    const auto chance = [](double advantage) {
        return static_cast<int>(std::lround(1000 / (1 + std::exp((WinHalf - advantage) / Spread))));
    };
    const int win = chance(score), loss = chance(-score);
    return {win, 1000 - win - loss, loss};
}

std::string uci_line(const ShownLine& line, const UciStyle& style) {
    const engine::SearchInfo& info = line.info;
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(line.spent.count(), 1));
    std::string text = fmt::format("info depth {} seldepth {} multipv {} score {}",
                                   info.depth,
                                   std::max(info.seldepth, info.depth),
                                   info.line,
                                   score_text(line.score, line.bound));
    if (style.wdl) {
        const WinDrawLoss wdl = win_draw_loss(line.score);
        text += fmt::format(" wdl {} {} {}", wdl.win, wdl.draw, wdl.loss);
    }
    text += fmt::format(" nodes {} nps {} hashfull {} tbhits {} time {} pv",
                        info.nodes,
                        info.nodes * 1'000 / ms,
                        info.hash_full,
                        info.tbhits,
                        line.spent.count());
    for (const engine::Move move : line.moves)
        text += ' ' + engine::to_coordinates(move, style.chess960);
    return text;
}

std::string bestmove_line(engine::Move best, engine::Move ponder, const UciStyle& style) {
    if (!best)
        return "bestmove (none)";
    std::string text = "bestmove " + engine::to_coordinates(best, style.chess960);
    if (ponder)
        text += " ponder " + engine::to_coordinates(ponder, style.chess960);
    return text;
}

}  // namespace protocol
