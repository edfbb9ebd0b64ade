#include "engine/board/game.h"

#include "engine/board/movegen.h"
#include "engine/board/zobrist.h"

#include <algorithm>

namespace engine {

Game::Game(const Position& start) : start_(start), current_(start), keys_{start.key()} {}

bool Game::starts_normally() const {
    return start_.key() == StartKey && start_.halfmove_clock() == 0;
}

void Game::play(Move m) {
    assert(current_.is_legal(m));
    Undo undo;
    current_.make(m, undo);
    moves_.push_back(m);
    undos_.push_back(undo);
    keys_.push_back(current_.key());
}

void Game::undo() {
    assert(!moves_.empty());
    current_.unmake(moves_.back(), undos_.back());
    moves_.pop_back();
    undos_.pop_back();
    keys_.pop_back();
}

int Game::repetitions() const {
    // No position before the last capture or pawn move can recur.
    const auto reach = std::min<std::size_t>(keys_.size() - 1,
                                             static_cast<std::size_t>(current_.halfmove_clock()));
    return static_cast<int>(std::count(
        keys_.end() - 1 - static_cast<std::ptrdiff_t>(reach), keys_.end(), current_.key()));
}

Status Game::status() const {
    if (!has_legal_move(current_))
        return current_.in_check() ? Status::Checkmate : Status::Stalemate;
    if (current_.is_dead())
        return Status::DeadPosition;
    return claim();
}

Status Game::claim() const {
    if (current_.halfmove_clock() >= 100)
        return Status::FiftyMoves;
    return repetitions() >= 3 ? Status::Repetition : Status::Ongoing;
}

Status Game::status_after(Move m) const {
    Game after = *this;
    after.play(m);
    return after.status();
}

}  // namespace engine
