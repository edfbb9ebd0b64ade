// What the book will be told about the game in progress, and the result as the client words it.
#pragma once

#include "book/book.h"
#include "engine/score.h"

#include <optional>
#include <string>
#include <string_view>

namespace protocol {

struct Ending {
    double white_score;  // 1, 0.5, 0
    book::Termination termination;
};
// From "1-0" and the comment; nothing for "*" and what is no result. The comment says only why.
std::optional<Ending> parse_result(std::string_view token, std::string_view comment);

// One game of ours, from `new` to `result`.
class Record {
  public:
    Record();  // names this run of the program by 128 random bits

    void new_game() { known_ = {}; }
    void spoil() { known_.spoilt = true; }  // a move was taken back: nothing can be learned
    // We are about to play a move in the game. One that begins late for us was resumed, or others
    // chose its first moves: where it left the book is not ours to say.
    void our_move(const engine::Game& game);
    // The book had a move; `draw` is its Chosen::draw.
    void from_book(std::string draw);
    // This is what our search thought after `ply` moves. True if it was the first one out of book.
    bool searched(int ply, engine::Score score, int depth);

    // Once for a game: the record with all but what only the player knows (opponent, time). Nothing
    // if there is nothing to learn.
    [[nodiscard]] std::optional<book::GameRecord> finish(const engine::Game& game,
                                                         const Ending& ending);
    // The same for a game in progress, any number of times.
    [[nodiscard]] std::optional<book::GameRecord> in_progress(const engine::Game& game) const;

  private:
    struct Exit {
        int ply, cp, depth;
    };
    struct Known {
        std::string uid;  // from our first move on
        std::int64_t started = 0;
        std::optional<engine::Color> our_side;
        std::optional<Exit> exit;
        std::vector<std::string> draws;
        bool resumed = false, spoilt = false, finished = false;
    };

    std::string instance_;
    int games_ = 0;
    Known known_;
};

}  // namespace protocol
