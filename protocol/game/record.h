// The record of the game in progress for the book, and results as clients word them.
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
    std::string comment;
};
// From "1-0 {comment}". The comment decides the termination; `opponent` is a name that it may
// contain. Empty if the game has no result, for example because it was adjourned; "*" is a result
// only of an aborted game.
std::optional<Ending> parse_result(std::string_view text, std::string_view opponent = {});
// From the same text: the game will be resumed.
bool is_adjourned(std::string_view text, std::string_view opponent = {});

// One game of ours, from `new` to its end.
class Record {
  public:
    Record();  // names this run of the program by 128 random bits

    void new_game();
    // The game teaches nothing more, for example because it was learned.
    void mark_unlearnable() { unlearnable_ = true; }
    // The book has a note of the game, which waits for its end.
    void mark_noted() { noted_ = true; }
    // Keeps the note in the book, whatever happens on the board: the game may be resumed.
    void keep_note() { noted_ = false; }
    // Marks the game unlearnable, for example because a move was taken back. If the book has a note
    // of it, returns the record that removes the note.
    std::optional<book::GameRecord> spoil(const engine::Game& game);
    // True if we have moved for the side that is not to move: then the game teaches nothing.
    [[nodiscard]] bool plays_both(const engine::Game& game) const;
    [[nodiscard]] bool has_begun() const { return !record_.uid.empty(); }  // with a move of ours
    // True if our last move was the book's.
    [[nodiscard]] bool in_book() const;
    // To be called before every move of ours. If the first comes after ply 1, the game was resumed
    // or others chose its first moves.
    void our_move(const engine::Game& game);
    // Others chose a move for us, after our first one.
    void moved_by_others() { moved_by_others_ = has_begun(); }
    // Then only the client knows whether the game went on like that, or somebody tries moves.
    [[nodiscard]] bool was_moved_by_others() const { return moved_by_others_; }
    // Our move came from the book; `draw` is its Chosen::draw.
    void from_book(std::string draw);
    // Our move after `ply` plies came from a search. True if it was the first one out of the book,
    // and not in a resumed game, which may have left the book before.
    bool searched(int ply, engine::Score score, int depth);

    // The record of the finished game, except what the client reports about the opponent and the
    // time. Empty if there is nothing to learn.
    [[nodiscard]] std::optional<book::GameRecord> finished(const engine::Game& game,
                                                           const Ending& ending) const;
    // The same without a result.
    [[nodiscard]] std::optional<book::GameRecord> in_progress(const engine::Game& game) const;

  private:
    std::string run_name_;
    int games_ = 0;            // named so far
    book::GameRecord record_;  // its uid is empty before our first move
    bool unlearnable_ = false, noted_ = false, moved_by_others_ = false;
};

}  // namespace protocol
