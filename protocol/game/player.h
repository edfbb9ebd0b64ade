// The game in progress: whose move it is, who plays it, and what is searched. Commands are parsed
// elsewhere; the moves, results and offers are printed here.
#pragma once

#include "protocol/game/clocks.h"
#include "protocol/game/opponent_info.h"
#include "protocol/game/record.h"
#include "protocol/game/search_task.h"
#include "protocol/game/settings.h"
#include "protocol/game/state.h"
#include "protocol/game/thinking.h"
#include "protocol/game/verdict.h"
#include "protocol/io/output.h"
#include "protocol/learning/books.h"
#include "protocol/learning/improver.h"

namespace protocol {

enum class Mode : std::uint8_t { Force, Playing, Over, Analysing };
enum class Refusal : std::uint8_t { NotAMove, Illegal, Ambiguous, NotYourTurn, NoPosition };

// All member functions are for the main thread; `at` is when the command arrived.
class Player {
  public:
    // The arguments must outlive the player.
    Player(engine::Searcher& searcher, Books& books, Queue<Event>& mail, Output& out);

    // A search that the client asks for, move by move; see player_orders.cpp.
    struct Order {
        engine::Limits limits;  // `started` and `reserve` are set by the player
        // True: for a move of a game, which may come from the book and be learned. False: analysis.
        bool of_game = true;
        // Called exactly once, with NoMove if there is no legal move.
        std::function<void(engine::Move best, engine::Move expected)> answer{};
    };

    [[nodiscard]] State state() const;
    [[nodiscard]] const engine::Game& game() const { return game_; }
    [[nodiscard]] Clocks& clocks() { return clocks_; }
    [[nodiscard]] Thinking& thinking() { return thinking_; }
    [[nodiscard]] OpponentInfo& opponent() { return opponent_; }
    [[nodiscard]] const std::string& why() const { return why_; }  // of our last move, or ""
    void use(const Settings& settings);
    // The search speed is measured anew.
    void threads_changed(int count) { nodes_per_ms_ = DefaultSpeed * count; }
    // The options for choosing a book move, without the nodes of a search made instead.
    [[nodiscard]] book::ChooseOptions book_options() const;

    // Events for the player. Reports of a halted search are ignored.
    void receive(const SearchReport& report);
    void receive(const BookWorkAnswer& answer);

    // Halts any search; its move is not played.
    void halt();
    // Runs `work` while nothing is searched, then goes on pondering or analysing. Not while
    // thinking.
    void while_idle(const std::function<void()>& work);
    // Starts the analysis again if a command has ended it.
    void restart_analysis();
    // Searches for the book while no game is in progress. To be called after every event, and
    // stop_improving() before every command.
    void improve_when_idle();
    void stop_improving();

    // These expect that halt() has been called.
    void new_game();
    void force();
    void play_other(Time at);
    void analyse();
    void set_position(const engine::Position& pos);
    [[nodiscard]] bool is_position_legal() const { return position_legal_; }
    void set_illegal_position();  // no moves until there is a new position
    void take_back(int plies);
    void set_chess960(bool on) { chess960_ = on; }
    [[nodiscard]] engine::CastlingStyle castling() const {
        return chess960_ ? engine::CastlingStyle::Chess960 : engine::CastlingStyle::Standard;
    }
    void result(std::string_view text);  // "1-0 {comment}"
    // Learns a game that ended on the board or by our resignation, if the client has sent no result
    // and no move since. To be called at the end of the program, too.
    void end_game();
    // The game goes on after its end, for example because a move was taken back.
    void withdraw_end() { ended_.reset(); }

    // For clients that order each search. Sets the game so far, which may continue the last one or
    // be another. set_line(), conclude() and order() require that no answer is owed.
    void set_line(const engine::Position& start, const std::vector<engine::Move>& moves);
    void order(Order order, Time at);
    [[nodiscard]] bool owes_answer() const { return order_.has_value(); }
    // The move on which the order ponders was played. False if no order ponders.
    bool ponder_hit(Time at);
    void answer_now();
    // No more moves of this game will come: learns its result, from the board or by a guess.
    void conclude();

    void go(Time at);
    std::optional<Refusal> user_move(std::string_view text, Time at);
    void move_now();
    void leave_analysis();
    void ponder(bool on);
    void draw_offered(Time at);
    void pause(Time at);
    void resume(Time at);
    // One move, or "all". False if the text is neither.
    bool exclude(std::string_view text, bool excluded);

    // The move we expect from the opponent, or would play in analysis; NoMove if unknown.
    [[nodiscard]] engine::Move hint();
    [[nodiscard]] engine::Progress progress() const;
    [[nodiscard]] std::string coordinates(engine::Move move) const;

  private:
    [[nodiscard]] bool is_idle() const;
    void show_tables(const std::vector<engine::Move>& excluded);
    void begin_record();
    void reset_position();
    void position_changed();

    void take_back_pondered();
    void begin_ordered(Time at, bool ponder_hit);
    void finish_order(engine::SearchResult result);
    [[nodiscard]] std::optional<std::string> guessed_result() const;
    void answer(engine::Move move, engine::Move expected);

    void play(engine::Move move);
    void record_our_move();
    void begin_our_turn(Time at, bool ponder_hit);
    bool claim_end();
    bool play_from_book(Time at);
    void tell_left_book();
    bool returns_to_book(engine::SearchResult& result);
    [[nodiscard]] double expected_nodes(Time at) const;
    void measure_speed(std::uint64_t nodes);
    void think(Time at);
    void finish_thinking(engine::SearchResult result);
    bool offer_or_resign(engine::Move move, const engine::SearchResult& result);
    void make_our_move(engine::Move move, engine::Move expected);
    void start_pondering();
    [[nodiscard]] engine::Limits limits(Time at) const;
    [[nodiscard]] std::optional<engine::Strength> strength() const;
    [[nodiscard]] Assessment assess(const engine::SearchResult& result, Time at) const;
    void note_book_exit(const engine::SearchResult& result);
    void note(const engine::Game& so_far);
    void spoil_record();
    [[nodiscard]] bool came_too_late(std::string_view result) const;
    void complete(book::GameRecord& game) const;
    [[nodiscard]] std::optional<book::GameRecord> finished_game(std::string_view result) const;

    engine::Searcher& searcher_;
    Books& books_;
    Output& out_;
    Settings settings_;
    Clocks clocks_;
    Thinking thinking_;
    OpponentInfo opponent_;
    Record record_;
    EndPolicy end_policy_;
    EndGuess end_guess_;  // of a game whose moves are ordered
    SearchTask search_;
    Improver improver_;

    engine::Game game_;
    Mode mode_ = Mode::Playing;
    engine::Color our_side_ = engine::Black;
    bool position_legal_ = true, chess960_ = false, pondering_on_ = false;
    std::optional<int> draw_offer_ply_;  // where the opponent offered a draw
    // We accepted or claimed a draw before our last move, and nothing was played since. A client
    // that ended the game there has not played our move.
    bool drawn_before_move_ = false;
    std::vector<engine::Move> excluded_;
    book::TriedMoves tried_;  // book moves here that did badly or are forbidden
    engine::Move expected_;   // the opponent's likely answer, on which we ponder
    Time thinking_since_;
    engine::milliseconds used_before_pause_{};  // of the time for this move
    std::optional<engine::SearchResult> last_result_;
    std::optional<book::GameRecord> ended_;  // this game, if it has ended but is not learned yet
    std::optional<Order> order_;             // not answered yet
    std::optional<engine::Move> answered_;   // our last game move, not sent back yet
    bool ponders_ahead_ = false;             // the last move on the board was only expected
    bool in_ordered_game_ = false;
    std::string why_;
    std::uint64_t games_begun_ = 0;
    static constexpr double DefaultSpeed = 1'000;  // nodes in a millisecond, of one thread
    double nodes_per_ms_ = DefaultSpeed;
    bool pondered_ = false;  // the search began before our turn
    bool paused_ = false;    // by the client
    bool move_now_after_pause_ = false;
    bool left_book_ = false;    // and the reason was printed
    bool result_told_ = false;  // the client has sent this game's result
    bool told_end_ = false;     // we printed that the analysed position has no move
};

}  // namespace protocol
