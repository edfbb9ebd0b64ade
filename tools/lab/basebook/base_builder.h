// Builds the base book in rounds: picks searches by the state of the graph, then backs up the
// values. The result depends only on the counts, the rules and the results of the searches.
#pragma once

#include "tools/lab/basebook/expansion.h"
#include "tools/lab/basebook/task_runner.h"

#include <functional>
#include <set>

namespace tools::basebook {

struct BuildRules {
    // Nodes of a search, by class: of positions of ours, and of theirs.
    std::array<std::uint64_t, 3> ours{16'000'000, 3'000'000, 1'000'000};
    std::array<std::uint64_t, 3> theirs{16'000'000, 2'000'000, 500'000};
    std::uint64_t budget = 100'000'000'000;  // nodes in all, exit checks included
    int rounds = 0;                          // at most; 0: no limit
    std::size_t round_tasks = 256;
    std::size_t positions = 40'000;  // at most
    std::size_t exits = 2'000;       // to be checked at the end
};

struct BuildState {
    int round = 0;
    std::uint64_t tasks = 0, nodes = 0;      // limits of the searches used
    double priority = 0;                     // the largest of the last round, Elo
    std::array<std::size_t, 3> positions{};  // by class
    bool checks_exits = false;
};

class Builder {
  public:
    Builder(const MasterCounts& counts, const BuildRules& rules, TaskLog& log)
        : expansion_(graph_, counts), counts_(counts), rules_(rules), log_(log) {}

    // The searches of the next round; none: the book is finished.
    std::vector<Task> next_round();
    // Takes the results of the round from the log.
    void finish_round(const std::vector<Task>& tasks);

    [[nodiscard]] const BookGraph& graph() const { return graph_; }
    [[nodiscard]] BuildState state() const;
    // Hash of the results used; independent of the order in which they were found.
    [[nodiscard]] std::string digest() const;

  private:
    enum class Reason : std::uint8_t { Expand, Alarm, Research, Promote };
    struct Wish {  // work that may be done in the next round
        double priority;
        std::size_t node;
        Reason reason;
    };
    void want(std::size_t node, std::vector<Wish>& wishes) const;
    void want_more(const Node& n, std::size_t node, std::vector<Wish>& wishes) const;
    [[nodiscard]] double unbooked(const Node& n) const;
    std::vector<Task> grant(const Wish& wish);
    std::vector<Task> search_again(std::size_t node);
    struct Needs {
        bool ours = false, theirs = false;
    };
    [[nodiscard]] Needs needs(const Node& n) const;
    void begin(Node& n) const;
    [[nodiscard]] bool should_stop(const std::vector<Wish>& wishes) const;
    std::vector<Task> exit_checks();
    void add(std::vector<Task> more, std::vector<Task>& tasks);

    BookGraph graph_;
    Expansion expansion_;
    const MasterCounts& counts_;
    BuildRules rules_;
    TaskLog& log_;
    std::map<std::size_t, double> active_;  // nodes that wait for results, and their priorities
    std::set<TaskKey> used_;
    std::set<TaskKey> asked_;  // in this round
    BuildState state_;
    double median_ = 0;  // of the priorities of round MedianRound
};

}  // namespace tools::basebook
