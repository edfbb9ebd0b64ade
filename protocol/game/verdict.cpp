#include "protocol/game/verdict.h"

#include <algorithm>
#include <cstdlib>

namespace protocol {
namespace {

using engine::Game;
using engine::Position;
using engine::Status;

constexpr int TrustedDepth = 6;                // plies; a shallower score decides nothing
constexpr std::chrono::seconds TimeToWin{10};  // an opponent with less may still lose a won game

// Bare kings, one minor piece, or two bishops of one colour of squares against each other: the dead
// positions on which clients and servers agree.
bool plainly_dead(const Position& pos) {
    const int men = engine::popcount(pos.pieces());
    if (!pos.is_dead() || men > 4)
        return false;
    return men < 4 || (engine::popcount(pos.pieces(engine::White)) == 2 &&
                       pos.pieces(engine::Bishop) != 0 && pos.pieces(engine::Knight) == 0);
}

bool is_claim(Status status) {
    return status == Status::Repetition || status == Status::FiftyMoves;
}

bool can_win_in_time(const Standing& standing) {
    return standing.theirs.count() == 0 || standing.theirs > TimeToWin ||
           standing.increment >= std::chrono::seconds(1);
}

}  // namespace

std::optional<std::string> verdict(const Game& game) {
    switch (game.status()) {
    case Status::Checkmate:
        return game.position().side_to_move() == engine::White ? "0-1 {Black mates}"
                                                               : "1-0 {White mates}";
    case Status::Stalemate:
        return "1/2-1/2 {stalemate}";
    case Status::FiftyMoves:
        return "1/2-1/2 {fifty-move rule}";
    case Status::Repetition:
        return "1/2-1/2 {repetition}";
    case Status::DeadPosition:
        if (plainly_dead(game.position()))
            return "1/2-1/2 {insufficient material}";
        return std::nullopt;
    case Status::Ongoing:
        break;
    }
    return std::nullopt;
}

bool claimable(const Game& game) {
    return is_claim(game.status());
}

bool brings_claim(const Game& game, engine::Move move) {
    return is_claim(game.status_after(move));
}

bool accepts_draw(const Standing& standing) {
    if (standing.depth < TrustedDepth || !can_win_in_time(standing))
        return false;
    // Against a weaker player a level game is worth playing on, against a stronger one it is a
    // gift.
    const int expected = std::clamp(standing.rating_lead / 10, -50, 50);
    const bool settled = standing.men <= 8 || standing.ply >= 100 || standing.halfmove_clock >= 30;
    return standing.score <= -expected - (settled ? 0 : 50);
}

void Temper::chosen(const Standing& standing, int resign_score) {
    const bool trusted = standing.depth >= TrustedDepth || engine::is_mate(standing.score);
    const bool lost = trusted && standing.score <= -resign_score && can_win_in_time(standing);
    lost_ = lost ? lost_ + 1 : 0;
    const bool level = standing.depth >= TrustedDepth && std::abs(standing.score) <= 5;
    level_ = level ? level_ + 1 : 0;
}

bool Temper::offers_draw(const Standing& standing) {
    constexpr int level_moves = 8;
    constexpr int plies_between = 40;
    if (level_ < level_moves || standing.ply < 80 || standing.halfmove_clock < 16 ||
        standing.rating_lead > 100 || !can_win_in_time(standing))
        return false;
    if (offered_ply_ && standing.ply - *offered_ply_ < plies_between)
        return false;
    offered_ply_ = standing.ply;
    return true;
}

}  // namespace protocol
