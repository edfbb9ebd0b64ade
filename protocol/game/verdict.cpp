#include "protocol/game/verdict.h"

#include <algorithm>
#include <cstdlib>

namespace protocol {
namespace {

using engine::Game;
using engine::Position;
using engine::Status;

constexpr int MinDepth = 6;          // plies; a shallower score decides nothing
constexpr int MaxDrawishScore = 25;  // centipawns; such a score rarely wins an ending
// An opponent with less time may still lose a won game.
constexpr std::chrono::seconds MinTimeToWin{10};

// Bare kings, one minor piece, or one bishop each on the same colour: the dead positions that all
// clients and servers recognise.
bool is_recognised_dead(const Position& pos) {
    const int men = engine::popcount(pos.pieces());
    if (!pos.is_dead() || men > 4)
        return false;
    return men < 4 || (engine::popcount(pos.pieces(engine::White)) == 2 &&
                       pos.pieces(engine::Bishop) != 0 && pos.pieces(engine::Knight) == 0);
}

// In a dead position that clients do not recognise, the game goes on until a draw can be claimed.
Status known_status(const Game& game) {
    const Status status = game.status();
    const bool unknown = status == Status::DeadPosition && !is_recognised_dead(game.position());
    return unknown ? game.claim() : status;
}

bool opponent_has_time(const Assessment& now) {
    return !now.theirs || *now.theirs > MinTimeToWin || now.increment >= std::chrono::seconds(1);
}

}  // namespace

std::optional<std::string> result_by_rules(const Game& game) {
    switch (known_status(game)) {
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
        return "1/2-1/2 {insufficient material}";
    case Status::Ongoing:
        break;
    }
    return std::nullopt;
}

std::optional<std::string> result_without_claim(const Game& game) {
    // FIDE Laws of Chess, 9.6
    const bool ends_itself = game.repetitions() >= 5 || game.position().halfmove_clock() >= 150;
    return ends_itself || !can_claim_draw(game) ? result_by_rules(game) : std::nullopt;
}

bool can_claim_draw(const Game& game) {
    const Status status = known_status(game);
    return status == Status::Repetition || status == Status::FiftyMoves;
}

bool needs_claim(const Game& game) {
    return can_claim_draw(game) && !result_without_claim(game);
}

bool claims_draw(engine::Score score) {
    constexpr int MaxClaimScore = 50;  // centipawns
    return score <= MaxClaimScore;
}

bool can_claim_draw_after(const Game& game, engine::Move move) {
    Game after = game;
    after.play(move);
    return can_claim_draw(after);
}

bool is_equal_without_pawns(const Position& pos) {
    const auto count = [&pos](engine::Color side, engine::PieceType type) {
        return engine::popcount(pos.pieces(side, type));
    };
    const auto minors = [&count](engine::Color side) {
        return count(side, engine::Knight) + count(side, engine::Bishop);
    };
    const auto equal = [&count](engine::PieceType type) {
        return count(engine::White, type) == count(engine::Black, type);
    };
    return pos.pieces(engine::Pawn) == 0 && equal(engine::Queen) && equal(engine::Rook) &&
           minors(engine::White) == minors(engine::Black);
}

bool accepts_draw(const Assessment& now) {
    // Play on if the opponent is about to lose on time and we are not.
    if (now.depth < MinDepth || (!opponent_has_time(now) && now.theirs < now.ours))
        return false;
    // The advantage in centipawns up to which we accept.
    const bool no_progress =
        now.equal_without_pawns || now.halfmove_clock >= 16 || now.drawish_searches >= 4;
    int limit = -50;
    if (now.men <= 8)
        limit = no_progress ? MaxDrawishScore : 0;
    else if (now.ply >= 100 || now.halfmove_clock >= 30)
        limit = 0;
    // Contempt: play on in an equal game against a weaker player, take the draw from a stronger
    // one.
    const int expected_cp = std::clamp(now.rating_lead / 10, -50, 50);
    return now.score <= std::min(limit - expected_cp, 50);
}

void EndPolicy::update(const Assessment& now, int resign_score_cp) {
    const bool trusted = now.depth >= MinDepth || engine::is_mate(now.score);
    const bool lost = trusted && now.score <= -resign_score_cp && opponent_has_time(now);
    lost_moves_ = lost ? lost_moves_ + 1 : 0;
    const bool equal = now.depth >= MinDepth && std::abs(now.score) <= 5;
    equal_searches_ = equal ? equal_searches_ + 1 : 0;
    const bool drawish = now.depth >= MinDepth && std::abs(now.score) <= MaxDrawishScore;
    drawish_searches_ = drawish ? drawish_searches_ + 1 : 0;
}

void EndGuess::update(const Assessment& now) {
    constexpr int DecidedScore = 600, EqualScore = 10;  // centipawns
    constexpr int MinEqualPly = 80;
    won_ = now.score >= DecidedScore ? won_ + 1 : 0;
    lost_ = now.score <= -DecidedScore ? lost_ + 1 : 0;
    const bool equal =
        now.depth >= MinDepth && std::abs(now.score) <= EqualScore && now.ply >= MinEqualPly;
    equal_ = equal ? equal_ + 1 : 0;
}

std::optional<double> EndGuess::score() const {
    constexpr int MinDecided = 3, MinEqual = 8;  // searches
    if (won_ >= MinDecided)
        return 1;
    if (lost_ >= MinDecided)
        return 0;
    return equal_ >= MinEqual ? std::optional(0.5) : std::nullopt;
}

bool EndPolicy::offers_draw(const Assessment& now) {
    constexpr int MinEqualSearches = 8;
    constexpr int PliesBetweenOffers = 40;
    if (equal_searches_ < MinEqualSearches || now.ply < 80 || now.halfmove_clock < 16 ||
        now.rating_lead > 100 || !opponent_has_time(now))
        return false;
    if (last_offer_ply_ && now.ply - *last_offer_ply_ < PliesBetweenOffers)
        return false;
    last_offer_ply_ = now.ply;
    return true;
}

}  // namespace protocol
