// Thinking output: the search's thoughts as xboard's "ply score time nodes pv", not too many of
// them.
#pragma once

#include "protocol/io/event.h"
#include "protocol/io/output.h"

#include <optional>

namespace protocol {

// Centipawns; mate in N moves 100000 + N, being mated -100000 - N.
int xboard_score(engine::Score score);
// The moves from `pos` on as "e4 e5 Nf3", as many as fit into `room` bytes; it stops at one that is
// not legal.
std::string
line_text(engine::Position pos, const std::vector<engine::Move>& line, std::size_t room);

class Thinking {
  public:
    explicit Thinking(Output& out) : out_(out) {}

    void post(bool on) { posting_ = on; }
    [[nodiscard]] bool posting() const { return posting_; }

    // A search begins. `prefix`: a pondered move that stands before its lines; `now`: the position
    // on the board, before the prefix; `theirs`: it searches for the opponent.
    void begin(const engine::Position& now, engine::Move prefix, bool theirs);
    // The prefix was played; times count from here.
    void hit(Time at);
    void add(const engine::SearchInfo& thought, Time at);
    // The search chose: what was held back comes out, and a last line that begins with the choice.
    void finish(const engine::SearchResult& choice, Time at);
    // A move from the book.
    void book_move(std::string_view text, double value);

  private:
    void print(const engine::SearchInfo& thought, Time at);

    Output& out_;
    bool posting_ = false;
    engine::Position now_;
    engine::Move prefix_;
    bool theirs_ = false;
    std::optional<Time> hit_;
    std::optional<engine::SearchInfo> held_;  // came too soon after the one before
    std::optional<engine::SearchInfo> last_;  // the last one of this search, printed or not
    std::optional<Time> printed_;
    engine::Move announced_;  // the first move of the last printed line
};

}  // namespace protocol
