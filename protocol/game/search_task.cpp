#include "protocol/game/search_task.h"

#include <utility>

namespace protocol {

bool SearchTask::is_current(const SearchReport& report) const {
    return report.search_number == number_ && task_ != Task::None && !paused_;
}

void SearchTask::start(Task task, const engine::Game& game, const engine::Limits& limits) {
    task_ = task;
    searched_ = true;
    const auto report = [&mail = mail_, number = ++number_](const auto& found) {
        mail.put(SearchReport{number, found});
    };
    searcher_.start(game, limits, report, report);
}

void SearchTask::ponder_hit(const engine::Limits& limits) {
    task_ = Task::Think;
    searcher_.ponder_hit(limits);
}

void SearchTask::move_now() {
    if (runs(Task::Think))
        searcher_.stop();
}

void SearchTask::answer_now() {
    if (runs(Task::Ponder))
        task_ = Task::Think;
    move_now();
}

void SearchTask::halt() {
    if (task_ != Task::None && !paused_) {
        ++number_;
        searcher_.stop();
        searcher_.wait();
    }
    task_ = Task::None;
    paused_ = false;
}

Task SearchTask::pause() {
    if (paused_ || task_ == Task::None)
        return Task::None;
    const Task task = task_;
    halt();
    task_ = task;
    paused_ = true;
    return task;
}

Task SearchTask::unpause() {
    return std::exchange(paused_, false) ? std::exchange(task_, Task::None) : Task::None;
}

void SearchTask::forget() {
    if (searched_)
        searcher_.clear();
    searched_ = false;
}

}  // namespace protocol
