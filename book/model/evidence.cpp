#include "book/model/evidence.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace book {
namespace {

constexpr double MinSpread = 0.3;     // limits results against much stronger or weaker players
constexpr double ClockWeight = 0.25;  // of a game lost on time or by disconnection,
constexpr int MinClockPlies = 30;     // and the plies up to which its weight is 0
// Centipawns at which a side scores ten times as much as the other.
constexpr double CentipawnScale = 400;

double weight_of(Termination termination, int plies) {
    switch (termination) {
    case Termination::Board:
        return 1;
    case Termination::Flag:
    case Termination::Disconnection:
        return plies > MinClockPlies ? ClockWeight : 0;
    case Termination::Aborted:
        break;
    }
    return 0;
}

}  // namespace

double expected_score(double rating_difference) {
    // Source: A. Elo, "The Rating of Chessplayers", 1978.
    return 1 / (1 + std::pow(10, -rating_difference / 400));
}

double score_from_centipawns(double centipawns) {
    return 1 / (1 + std::pow(10, -centipawns / CentipawnScale));
}

double spread_at(double expected) {
    return std::max(MinSpread, 4 * expected * (1 - expected));
}

Evidence evidence(double score, double rating_difference, Termination termination, int plies) {
    assert(0 <= score && score <= 1);
    const double expected = expected_score(rating_difference);
    const double spread = spread_at(expected);
    return {.weight = spread * spread * weight_of(termination, plies),
            .result = 0.5 + (score - expected) / spread};
}

bool promises_more(const TriedMoves& tried, int centipawns) {
    return score_from_centipawns(centipawns) > tried.to_beat;
}

}  // namespace book
