// The game in progress: whose move it is, who plays it, what the search is doing. Knows the
// protocol's words for what it says, but not how its commands were worded.
#pragma once

#include "protocol/game/clocks.h"
#include "protocol/game/record.h"
#include "protocol/game/settings.h"
#include "protocol/game/state.h"
#include "protocol/game/thinking.h"
#include "protocol/game/verdict.h"
#include "protocol/io/output.h"
#include "protocol/learning/books.h"
#include "protocol/learning/improver.h"

namespace protocol {

enum class Mode : std::uint8_t { Force, Playing, Analysing };
enum class Refusal : std::uint8_t { NotAMove, Illegal, Ambiguous, NotYourTurn, NoPosition };

// All member functions are for the main thread; `at` is when the command arrived.
class Player {
  public:
    Player(engine::Searcher& searcher, Books& books, Queue<Event>& mail, Output& out);

    [[nodiscard]] State state() const;
    [[nodiscard]] const engine::Game& game() const { return game_; }
    [[nodiscard]] Clocks& clocks() { return clocks_; }
    [[nodiscard]] Thinking& thinking() { return thinking_; }
    [[nodiscard]] book::Opponent& opponent() { return opponent_; }
    [[nodiscard]] const std::string& why() const { return why_; }  // of the last own move

    // Abandons whatever is searched; no move comes of it.
    void halt();
    // Runs `work` while nothing is searched, then goes on pondering or analysing. Not while
    // thinking.
    void while_idle(const std::function<void()>& work);
    // Starts analysing again after a command that ended it.
    void settle();
    // Searches for the book as long as no game is on and nothing else is to do; to be called after
    // every event. Whatever comes from the client ends that first.
    void improve_when_idle();
    void stop_improving();
    void offered(const BookWorkAnswer& answer);
    // Of a search thread; dropped if its search was abandoned.
    void found(const SearchReport& report);

    // These expect that halt() has been called.
    void new_game();
    void force();
    void play_other(Time at);
    void analyse();
    void set_position(const engine::Position& pos);
    void lose_position();  // no move until there is a new one
    void take_back(int plies);
    void set_chess960(bool on);
    void result(std::string_view token, std::string_view comment);

    void go(Time at);
    std::optional<Refusal> user_move(std::string_view text, Time at);
    void move_now();
    void leave_analysis();
    void ponder(bool on);
    void draw_offered();
    void pause(Time at);
    void resume(Time at);
    // One move, or "all". False if the text is neither.
    bool exclude(std::string_view text, bool excluded);

    // Opponents are introduced by name; new ones make us forget the last.
    void meet(std::string_view name);
    void told_about_opponent() { opponent_fresh_ = true; }
    void set_rating(int ours, int theirs);
    void use(const Settings& settings) {
        settings_ = settings;
        improver_.book_changed();
    }

    // The move we expect from the opponent, or would play in analysis; NoMove if unknown.
    [[nodiscard]] engine::Move hint();
    [[nodiscard]] engine::Progress progress() const;
    [[nodiscard]] std::string coordinates(engine::Move move) const;

  private:
    enum class Task : std::uint8_t { None, Think, Ponder, Analyse, Improve };

    void answer(Time at, bool hit);
    bool declare_end();
    bool play_from_book();
    void think(Time at);
    void start_pondering();
    void launch(Task task, const engine::Game& game, const engine::Limits& limits);
    [[nodiscard]] engine::Limits own_limits(Time at) const;
    void note_exit(const engine::SearchResult& choice);
    void chosen(engine::SearchResult choice);
    bool speak_before(engine::Move move, const engine::SearchResult& choice);
    void make_own_move(engine::Move move, engine::Move expected);
    [[nodiscard]] bool idle() const;
    void position_changed();
    [[nodiscard]] Standing standing(engine::Score score, int depth) const;
    [[nodiscard]] engine::Move fallback() const;
    void complete(book::GameRecord& game) const;

    engine::Searcher& searcher_;
    Books& books_;
    Queue<Event>& mail_;
    Output& out_;
    Settings settings_;
    Clocks clocks_;
    Thinking thinking_;
    Record record_;
    Temper temper_;
    Improver improver_;

    engine::Game game_;
    Mode mode_ = Mode::Playing;
    engine::Color our_side_ = engine::Black;
    bool over_ = false, position_known_ = true, chess960_ = false, pondering_on_ = false;
    bool draw_offered_ = false, paused_ = false, searched_ = false;
    std::vector<engine::Move> excluded_;
    book::Opponent opponent_;
    int our_rating_ = 0;
    bool opponent_fresh_ = false;  // told since the last move: about the next game
    bool opponent_kept_ = false;   // told before the last `new`

    int search_ = 0;  // the number of the last search
    Task task_ = Task::None;
    engine::Move expected_;  // the move pondered on; the opponent's likely answer
    Time thinking_since_;
    engine::milliseconds used_{};  // of the move's time, before a pause
    std::optional<engine::SearchResult> last_choice_;
    std::string why_;
};

}  // namespace protocol
