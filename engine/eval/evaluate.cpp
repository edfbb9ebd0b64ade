#include "engine/eval/evaluate.h"

#include "engine/eval/classical.h"
#include "engine/eval/endings.h"

#include <algorithm>
#include <cstdio>

namespace engine {
namespace {

// Between middlegame and endgame by the pieces left, for White.
Score mix(const Position& pos, const classical::Terms& terms) {
    const int phase = std::min(terms.phase, classical::FullPhase);
    const Tapered total = terms.total();
    const int late =
        endgame(total) * winning_scale(pos, endgame(total) >= 0 ? White : Black) / FullScale;
    return (middlegame(total) * phase + late * (classical::FullPhase - phase)) /
           classical::FullPhase;
}

}  // namespace

Evaluator::Evaluator() : pawns_(std::make_unique<PawnTable>()) {}

void Evaluator::use(std::shared_ptr<const Network> net) {
    net_ = std::move(net);
    accumulators_.reset();
    if (net_)
        accumulators_.emplace(*net_);
}

Score Evaluator::evaluate(const Position& pos) {
    Score white = 0;
    if (const auto driven = drive_bare_king(pos))
        white = *driven;
    else if (accumulators_)
        return accumulators_->evaluate(pos);
    else
        white = mix(pos, classical::judge(pos, *pawns_));
    const Score score = (pos.side_to_move() == White ? white : -white) + W.tempo;
    return std::clamp(score, -KnownWin + 1, KnownWin - 1);
}

std::string Evaluator::explain(const Position& pos) {
    static constexpr std::array<const char*, classical::TermCount> Names{"material",
                                                                         "squares",
                                                                         "pawns",
                                                                         "passed pawns",
                                                                         "knights",
                                                                         "bishops",
                                                                         "rooks",
                                                                         "queens",
                                                                         "king",
                                                                         "threats",
                                                                         "space"};
    const classical::Terms terms = classical::judge(pos, *pawns_);
    std::string table = "                 White        Black        Sum\n"
                        "              middle   end  middle   end  middle   end\n";
    const auto row = [&table](const char* name, Tapered white, Tapered black) {
        std::array<char, 100> line{};
        const Tapered sum = white - black;
        std::snprintf(line.data(),
                      line.size(),
                      "%-13s %6d %5d  %6d %5d  %6d %5d\n",
                      name,
                      middlegame(white),
                      endgame(white),
                      middlegame(black),
                      endgame(black),
                      middlegame(sum),
                      endgame(sum));
        table += line.data();
    };
    for (std::size_t i = 0; i < classical::TermCount; ++i)
        row(Names[i], terms.value[i][White], terms.value[i][Black]);
    const Score score = evaluate(pos);
    table += "phase " + std::to_string(std::min(terms.phase, classical::FullPhase)) + " of " +
             std::to_string(classical::FullPhase) + " (middlegame)\n";
    table += "total " + std::to_string(pos.side_to_move() == White ? score : -score) +
             " centipawns for White, side to move's " + std::to_string(W.tempo) + " included\n";
    return table;
}

}  // namespace engine
