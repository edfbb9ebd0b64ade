// Results by the rules, draw claims, draw offers and resignation.
#pragma once

#include "engine/board/game.h"
#include "engine/score.h"
#include "engine/search/limits.h"

#include <optional>
#include <string>

namespace protocol {

// "1-0 {White mates}" if the rules end the game here or let the player to move claim a draw. A dead
// position counts only if all clients recognise it.
std::optional<std::string> result_by_rules(const engine::Game& game);
// The same if the game ends here though nobody claims a draw; also at the fifth repetition and
// after 75 moves.
std::optional<std::string> result_without_claim(const engine::Game& game);
// True if a draw may be claimed here, by repetition or the fifty-move rule. The game goes on until
// the client sends the result: not every client grants the claim.
bool can_claim_draw(const engine::Game& game);
// The same after `move`, which must be legal.
bool can_claim_draw_after(const engine::Game& game, engine::Move move);

struct Assessment {               // the game as our last search sees it
    engine::Score score;          // ours
    int depth;                    // plies, of the search behind the score
    int ply;                      // moves played
    int men;                      // on the board, both sides
    int halfmove_clock;           // plies without capture or pawn move
    int rating_lead;              // ours over theirs; 0 if unknown
    engine::milliseconds theirs;  // on the opponent's clock; 0 if unknown
    engine::milliseconds increment;
};

bool accepts_draw(const Assessment& now);

// Decides from our searches of one game whether to resign or to offer a draw.
class ResignPolicy {
  public:
    void new_game() { *this = {}; }
    // To be called with every search of ours.
    void update(const Assessment& now, int resign_score_cp);
    [[nodiscard]] bool resigns() const { return lost_moves_ >= MinLostMoves; }
    // True at most once in 40 plies.
    bool offers_draw(const Assessment& now);

  private:
    static constexpr int MinLostMoves = 4;

    int lost_moves_ = 0;   // searches in a row below the resign score
    int level_moves_ = 0;  // searches in a row with a score near 0
    std::optional<int> last_offer_ply_;
};

}  // namespace protocol
