// Thinking output in xboard's form "ply score time nodes pv", thinned out for slow clients.
#pragma once

#include "protocol/io/event.h"
#include "protocol/io/output.h"

#include <optional>

namespace protocol {

// Centipawns; mate in N moves is 100000 + N, being mated in N moves -100000 - N.
int xboard_score(engine::Score score);
// The line in SAN, "e4 e5 Nf3", up to `max_bytes` and before the first illegal move.
std::string
line_text(engine::Position pos, const std::vector<engine::Move>& line, std::size_t max_bytes);

class Thinking {
  public:
    explicit Thinking(Output& out) : out_(out) {}

    void post(bool on) { posting_ = on; }

    // To be called before a search. `board`: the position on the board; `pondered`: the move played
    // on it before the search, or NoMove; `for_opponent`: scores are from the opponent's side and
    // are printed from ours.
    void begin(const engine::Position& board, engine::Move pondered, bool for_opponent);
    // The pondered move was played; printed times count from `at`.
    void ponder_hit(Time at);
    void add(const engine::SearchInfo& info, Time at);
    // Prints what was held back, and if that does not begin with the chosen move, a line that does.
    void finish(const engine::SearchResult& result, Time at);
    // `value`: the book's expected score, 0..1.
    void book_move(std::string_view text, double value);

  private:
    void print(const engine::SearchInfo& info, Time at);

    struct Search {
        engine::Position board;
        engine::Move pondered;
        bool for_opponent;
        std::optional<Time> hit_time{};
        std::optional<engine::SearchInfo> held_back{};  // came too soon after the one before
        std::optional<engine::SearchInfo> last{};       // printed or not
        std::optional<Time> print_time{};
        engine::Move printed_move{};  // the first move of the last printed line
    };

    Output& out_;
    bool posting_ = false;
    Search search_{};
};

}  // namespace protocol
