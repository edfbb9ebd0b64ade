// The search that runs for the player, and what it is for.
#pragma once

#include "protocol/io/event.h"
#include "protocol/io/queue.h"

namespace protocol {

enum class Task : std::uint8_t { None, Think, Ponder, Analyse, Improve };

class SearchTask {
  public:
    // Both must outlive this; what the search finds goes to `mail`.
    SearchTask(engine::Searcher& searcher, Queue<Event>& mail) : searcher_(searcher), mail_(mail) {}

    [[nodiscard]] Task task() const { return task_; }  // also while it is paused
    [[nodiscard]] bool runs(Task task) const { return task_ == task && !paused_; }
    // False for reports of a halted search.
    [[nodiscard]] bool is_current(const SearchReport& report) const;

    // Requires that nothing is searched.
    void start(Task task, const engine::Game& game, const engine::Limits& limits);
    // The pondered move was played: the same search now thinks about our move.
    void ponder_hit(const engine::Limits& limits);
    void move_now();  // ends thinking with its best move so far
    // Ends thinking or pondering; the best move so far is reported as one of thinking.
    void answer_now();
    void halt();                   // its move is not played
    void finish() { task_ = {}; }  // the search has reported its result
    Task pause();                  // halts the search but keeps the task, and returns it
    Task unpause();                // returns the paused task, to be started again, or None
    // Clears the hash table if anything was searched since it was last cleared.
    void forget();

  private:
    engine::Searcher& searcher_;
    Queue<Event>& mail_;
    Task task_ = Task::None;
    bool paused_ = false;
    bool searched_ = false;  // since the hash table was cleared
    int number_ = 0;         // of the last search
};

}  // namespace protocol
