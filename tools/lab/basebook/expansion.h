// Decides what to search at a position of the book, and enters the results.
#pragma once

#include "tools/lab/basebook/book_graph.h"
#include "tools/lab/basebook/master_counts.h"
#include "tools/lab/basebook/task_log.h"

namespace tools::basebook {

// Expands nodes in steps: each step asks for searches, until the node's moves are known. Depends on
// the graph alone, in which the results of all searches are stored.
class Expansion {
  public:
    Expansion(BookGraph& graph, const MasterCounts& counts) : graph_(graph), counts_(counts) {}

    // The searches still needed at the node: of Node::ours nodes for a book of the side to move, of
    // Node::theirs for one of the other side. If none are needed, sets the node's moves and marks
    // it done.
    std::vector<Task> advance(std::size_t node);

    // Stores the result of a task in the graph. Throws Failure if it does not fit the position.
    void store(const Task& task, const TaskResult& result);

    // Adds replies that lead to positions already searched as ours, if they are about as good as
    // the best reply.
    void add_known_replies(std::size_t node);

  private:
    void require_whole(std::size_t node, std::uint64_t nodes, std::vector<Task>& missing) const;
    [[nodiscard]] std::vector<engine::Move> masters_moves(std::size_t node,
                                                          engine::Move best) const;
    bool advance_ours(std::size_t node, std::vector<Task>& missing);
    bool find_deviation(std::size_t node,
                        std::vector<engine::Move>& excluded,
                        Leaf& deviation,
                        std::vector<Task>& missing);
    void finish_theirs(std::size_t node);

    BookGraph& graph_;
    const MasterCounts& counts_;
};

// The key of Node::partial for a search.
std::string partial_name(const std::vector<engine::Move>& excluded, std::uint64_t nodes);

}  // namespace tools::basebook
