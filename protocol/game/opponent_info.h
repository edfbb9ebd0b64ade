// What the client reports about the opponent, and for which game it is meant. Clients introduce an
// opponent before or after the `new` of the game.
#pragma once

#include "book/types.h"

#include <string_view>

namespace protocol {

class OpponentInfo {
  public:
    void set_name(std::string_view sent);
    void set_ratings(int ours, int theirs);  // 0 is unknown, and replaces no known rating
    void set_computer();
    // Forgets all that was known and sets these.
    void replace(std::string_view name, int rating, bool computer);
    void set_server(std::string_view server) { opponent_.server = server; }

    // Forgets the opponent, unless the client has sent a name, a rating or `computer` since the
    // last move: then they are the opponent of the new game.
    void new_game();
    void move_played() { introduced_ = computer_now_ = false; }
    // True if the client has sent a name, a rating or `computer` since the last move.
    [[nodiscard]] bool introduced() const { return introduced_; }

    [[nodiscard]] const book::Opponent& opponent() const { return opponent_; }
    [[nodiscard]] int our_rating() const { return our_rating_; }
    // Our rating minus theirs; 0 if one of them is unknown.
    [[nodiscard]] int rating_lead() const;
    [[nodiscard]] bool on_server() const;
    // For GameRecord::event: "Game on HOST", or "" for a game on no server.
    [[nodiscard]] std::string event() const;

  private:
    void forget();

    book::Opponent opponent_;
    int our_rating_ = 0;
    bool introduced_ = false;         // since the last move
    bool introduced_before_ = false;  // before the last `new`
    bool computer_now_ = false;       // sent since the last `new` or move
};

}  // namespace protocol
