// What is said beside the moves: games ended by the rules, draws offered and accepted, resignation.
#pragma once

#include "engine/board/game.h"
#include "engine/score.h"
#include "engine/search/limits.h"

#include <optional>
#include <string>

namespace protocol {

// "1-0 {White mates}" if the rules end the game here or let the player to move claim a draw. Of
// dead positions only those which clients know as such.
std::optional<std::string> verdict(const engine::Game& game);
// True if a draw may be claimed here, by repetition or the fifty-move rule. The game is over only
// when the client says so: some play on all the same.
bool claimable(const engine::Game& game);
// True if after `move` a draw could be claimed by repetition or the fifty-move rule. Requires
// legality.
bool brings_claim(const engine::Game& game, engine::Move move);

struct Standing {                                  // how the game looks to us when a move is chosen
    engine::Score score;                           // ours
    int depth;                                     // of the search behind the score, plies
    int ply;                                       // moves played
    int men;                                       // on the board, both sides
    int halfmove_clock;                            // plies without capture or pawn move
    int rating_lead;                               // ours over theirs; 0 if unknown
    engine::milliseconds ours, theirs, increment;  // clocks; theirs 0 if unknown
};

// Would we take a draw?
bool accepts_draw(const Standing& standing);

// Looks at one search of ours after another, over the whole game.
class Temper {
  public:
    void new_game() { *this = {}; }
    void chosen(const Standing& standing, int resign_score);
    [[nodiscard]] bool resigns() const { return lost_ >= LostMoves; }
    // Offering again waits for many moves.
    bool offers_draw(const Standing& standing);

  private:
    static constexpr int LostMoves = 4;

    int lost_ = 0;   // searches in a row
    int level_ = 0;  // the same, with nothing in it for anyone
    std::optional<int> offered_ply_;
};

}  // namespace protocol
