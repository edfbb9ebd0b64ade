// Results by the rules, draw claims, draw offers and resignation.
#pragma once

#include "engine/board/game.h"
#include "engine/score.h"
#include "engine/search/limits.h"

#include <optional>
#include <string>
#include <utility>

namespace protocol {

// "1-0 {White mates}" if the rules end the game here or let the player to move claim a draw. A dead
// position counts only if all clients recognise it.
std::optional<std::string> result_by_rules(const engine::Game& game);
// The same, but only if the game ends here without a claim. The fifth repetition and 75 moves need
// no claim.
std::optional<std::string> result_without_claim(const engine::Game& game);
// True if a draw may be claimed here, by repetition or the fifty-move rule. The game goes on until
// the client sends the result: not every client grants the claim.
bool can_claim_draw(const engine::Game& game);
// The same, unless the game ends here without a claim.
bool needs_claim(const engine::Game& game);
// Whether we claim such a draw, by the score of our search for the move.
bool claims_draw(engine::Score score);
// True if a draw may be claimed after `move`, which must be legal.
bool can_claim_draw_after(const engine::Game& game, engine::Move move);

// True if there are no pawns, and both sides have as many queens, rooks, and minor pieces.
bool is_equal_without_pawns(const engine::Position& pos);

struct Assessment {       // the game as our last search sees it
    engine::Score score;  // ours
    int depth;            // plies, of the search behind the score; MaxPly at limited strength
    int ply;              // plies played
    int men;              // on the board, both sides
    bool equal_without_pawns = false;
    int halfmove_clock;                            // plies without capture or pawn move
    int drawish_searches = 0;                      // our last searches in a row with scores near 0
    int rating_lead;                               // our rating minus theirs; 0 if unknown
    engine::milliseconds ours{};                   // on our clock
    std::optional<engine::milliseconds> theirs{};  // on the opponent's clock; empty: no clock
    engine::milliseconds increment;
};

bool accepts_draw(const Assessment& now);

// Decides from our searches of one game whether to resign or to offer a draw.
class EndPolicy {
  public:
    void new_game() { *this = {}; }
    // To be called with every search of ours.
    void update(const Assessment& now, int resign_score_cp);
    [[nodiscard]] bool resigns() const { return lost_moves_ >= MinLostMoves; }
    // Searches in a row, up to the last one, with a score near 0.
    [[nodiscard]] int drawish_searches() const { return drawish_searches_; }
    // True at most once in 40 plies.
    bool offers_draw(const Assessment& now);
    // True once in a game.
    bool take_dead_position_claim() { return !std::exchange(claimed_dead_position_, true); }

  private:
    static constexpr int MinLostMoves = 4;

    int lost_moves_ = 0;        // searches in a row below the resign score
    int equal_searches_ = 0;    // searches in a row with a score of 0, or almost
    int drawish_searches_ = 0;  // searches in a row within MaxDrawishScore of 0
    std::optional<int> last_offer_ply_;
    bool claimed_dead_position_ = false;
};

// Guesses the result of a game that just stopped, because a side resigned or the client ended it,
// from our searches of that game.
class EndGuess {
  public:
    void new_game() { *this = {}; }
    // To be called with every search of ours.
    void update(const Assessment& now);
    // Our score, 1, 0.5 or 0; nothing if the game was open.
    [[nodiscard]] std::optional<double> score() const;

  private:
    int won_ = 0, lost_ = 0, equal_ = 0;  // searches in a row with such scores, up to the last
};

}  // namespace protocol
