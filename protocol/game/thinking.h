// Thinking output, thinned out for slow clients; in XBoard's format unless the adapter sets one.
#pragma once

#include "protocol/io/event.h"
#include "protocol/io/output.h"

#include <functional>
#include <optional>

namespace protocol {

// Centipawns; mate in N moves is 100000 + N, being mated in N moves -100000 - N.
int xboard_score(engine::Score score);
// The line in SAN, "e4 e5 Nf3", cut at `max_bytes` or before an illegal move.
std::string
line_text(engine::Position pos, const std::vector<engine::Move>& line, std::size_t max_bytes);

// What endgame tables know, for people: "won by Kf6, ..." The moves are legal in `pos`.
std::string table_text(const engine::Position& pos, const engine::TableResult& known);

// A line of a search, ready to be formatted.
struct ShownLine {
    const engine::SearchInfo& info;
    const engine::Position& board;    // before the moves
    std::vector<engine::Move> moves;  // legal one after another
    engine::Score score;              // from our side, as is `bound`
    engine::Bound bound;
    engine::milliseconds spent;
    bool is_end = false;  // of an analysis: nothing is left to search
};
// "ply score time nodes pv"
std::string xboard_line(const ShownLine& line);

class Thinking {
  public:
    using Wording = std::function<std::string(const ShownLine&)>;
    explicit Thinking(Output& out) : out_(out) {}

    // Sets another format of lines than XBoard's.
    void word_by(Wording wording) { wording_ = std::move(wording); }

    void post(bool on) { posting_ = on; }

    // Prints N nodes as a second, and all nodes of a search in its last line: the client takes them
    // off our clock. Nothing: prints the time.
    void count_nodes(std::optional<std::uint64_t> per_second) { nodes_per_second_ = per_second; }

    // To be called before a search of the position `board`.
    void begin(const engine::Position& board);
    void begin_analysis(const engine::Position& board);
    // The same for pondering. `expected`: the move played on `board` before the search; with NoMove
    // the opponent's moves are searched, and their scores are printed from our side.
    void begin_pondering(const engine::Position& board, engine::Move expected);
    // The expected move was played; printed times count from `at`.
    void ponder_hit(Time at);
    // Lines of one depth come together, the best first, and are held back and printed together.
    void add(const engine::SearchInfo& info, Time at);
    // The search was halted: what was held back is not printed any more.
    void halt() { search_.held_back.clear(); }
    // Prints what was held back, and if that does not begin with the chosen move, a line that does.
    void finish(const engine::SearchResult& result, Time at);

    // Our move was printed. Clients assign lines before the answer to their next ping to this move,
    // so lines of pondering are held back until then, or for a short time.
    void move_printed(Time at);
    void pong_printed(Time at);

    // When the line that is held back is due.
    [[nodiscard]] std::optional<Time> alarm() const;
    void print_due(Time at);
    void print_held_back(Time at);  // if lines are wanted
    // `text`: for people; `value`: the book's expected score, 0..1. No line of pondering is printed
    // after this one.
    void book_move(engine::Move move, std::string_view text, double value);
    // Before the lines of the search that begin() announced.
    void table_result(const engine::TableResult& known);
    // Prints the result of an analysis where there is no legal move.
    void no_move(const engine::Position& board);
    [[nodiscard]] bool posting() const { return posting_; }
    // The first move of the latest best line, printed or not; NoMove if there is none.
    [[nodiscard]] engine::Move best_move() const;

  private:
    void print(const engine::SearchInfo& info, Time at);
    [[nodiscard]] Time earliest(engine::milliseconds interval) const;

    struct Search {
        engine::Position board;
        engine::Move pondered{};
        bool pondering = false, for_opponent = false, analysis = false;
        std::optional<Time> hit_time{};
        std::vector<engine::SearchInfo> held_back{};  // not printed yet; of one depth
        std::optional<engine::SearchInfo> last{};     // printed or not; the best of its depth
        std::optional<Time> print_time{};
        engine::Move printed_move{};  // the first move of the last printed best line
        std::uint64_t printed_nodes = 0;
    };

    Output& out_;
    Wording wording_{};
    bool posting_ = false;
    std::optional<std::uint64_t> nodes_per_second_{};
    std::optional<Time> ponder_time_{};  // no line of pondering before this time
    bool book_shown_ = false;            // lines of pondering would push it out of sight
    Search search_{};
};

}  // namespace protocol
