#include "tools/book/report_tree.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <ranges>
#include <unordered_map>

namespace tools::book_command {
namespace {

constexpr double OwnGame = 1000;  // imported games that are as much worth showing as one of ours
constexpr std::size_t MostMoves = 24;
constexpr int Unknown = -1, LeftOut = -2;  // instead of the number of a position

struct Known {  // of one move, for both colours that may be ours
    std::array<book::BookMove, 2> seen{};
    std::array<double, 2> deviation{};
    [[nodiscard]] double weight() const {
        const auto own =
            static_cast<double>(seen[0].visits + seen[0].exits + seen[1].visits + seen[1].exits);
        return OwnGame * own + static_cast<double>(seen[0].imported_games);
    }
};

struct Waiting {
    double weight = 0;
    int number = 0;  // the earlier of equals first
    engine::Position pos;
    friend bool operator<(const Waiting& a, const Waiting& b) {
        return a.weight != b.weight ? a.weight < b.weight : a.number > b.number;
    }
};

struct Node {
    engine::Position pos;
    std::vector<Known> moves;
};

class TreeWriter {
  public:
    TreeWriter(book::BookFiles& files, book::Model model) : files_(files), model_(model) {}

    Result<void> collect(const TreeLimits& limits) {
        add({.weight = 1, .number = 0, .pos = engine::Position()});
        std::size_t bytes = 0;
        while (!waiting_.empty() && nodes_.size() < static_cast<std::size_t>(limits.positions) &&
               bytes < limits.bytes) {
            const Waiting next = waiting_.top();
            waiting_.pop();
            Result<std::vector<Known>> moves = moves_of(next.pos);
            if (!moves)
                return tl::unexpected<Error>(moves.error());
            if (moves->empty()) {
                numbers_[next.pos.key()] = Unknown;
                continue;
            }
            bytes += 8 + 130 * moves->size();
            numbers_[next.pos.key()] = static_cast<int>(nodes_.size());
            for (const Known& known : *moves) {
                engine::Position after = next.pos;
                after.make(book::stored_move(known.seen[0].move));
                add({.weight = known.weight(), .number = ++added_, .pos = after});
            }
            nodes_.push_back({.pos = next.pos, .moves = std::move(*moves)});
        }
        return {};
    }

    void write(JsonWriter& json) const {
        json.name("nodes").open('[');
        for (const Node& node : nodes_) {
            json.open('{').name("m").open('[');
            for (const Known& known : node.moves)
                write_move(json, node.pos, known);
            json.close(']').close('}');
        }
        if (nodes_.empty())
            json.raw("{\"m\":[]}");
        json.close(']');
    }

  private:
    void add(const Waiting& waiting) {
        if (numbers_.try_emplace(waiting.pos.key(), LeftOut).second)
            waiting_.push(waiting);
    }

    Result<std::vector<Known>> moves_of(const engine::Position& pos) {
        std::map<book::StoredMove, Known> found;
        for (const book::Color side : {engine::White, engine::Black}) {
            const Result<book::PositionView> view = look(files_, pos, side);
            if (!view)
                return tl::unexpected<Error>(view.error());
            for (const book::BookMove& s : view->moves) {
                found[s.move].seen.at(side) = s;
                found[s.move].deviation.at(side) = s.belief.deviation(model_);
            }
        }
        std::vector<Known> moves;
        for (Known& known : found | std::views::values)
            if (known.seen[0].move != 0 && known.seen[1].move != 0)
                moves.push_back(known);
            else  // own games of one colour only: the other knows the move, too, but no more of it
                moves.push_back(completed(known));
        std::stable_sort(moves.begin(), moves.end(), [](const Known& a, const Known& b) {
            return a.weight() > b.weight();
        });
        if (moves.size() > MostMoves)
            moves.resize(MostMoves);
        return moves;
    }
    static Known completed(Known known) {
        const int there = known.seen[0].move != 0 ? 0 : 1;
        const auto missing = static_cast<std::size_t>(1 - there);
        book::BookMove& s = known.seen.at(missing);
        s.move = known.seen.at(static_cast<std::size_t>(there)).move;
        known.deviation.at(missing) = -1;
        return known;
    }

    void write_move(JsonWriter& json, const engine::Position& pos, const Known& known) const {
        const engine::Move move = book::stored_move(known.seen[0].move);
        engine::Position after = pos;
        after.make(move);
        const auto number = numbers_.find(after.key());
        const book::Results& imported = known.seen[0].imported;
        const auto count = [](double x) { return static_cast<long long>(x + 0.5); };
        json.open('[')
            .text(engine::to_coordinates(move))
            .text(engine::to_san(pos, move))
            .number(static_cast<long long>(number == numbers_.end() ? Unknown : number->second))
            .number(count(imported.wins))
            .number(count(imported.draws))
            .number(count(imported.losses))
            .open('[');
        for (const std::size_t side : {0U, 1U})
            write_own(json, known.seen.at(side), known.deviation.at(side));
        json.close(']').text(names_.of(after)).text(flags_text(known.seen[0].flags)).close(']');
    }
    static void write_own(JsonWriter& json, const book::BookMove& s, double deviation) {
        if (deviation < 0) {
            json.raw("null");
            return;
        }
        json.open('[');
        for (const std::int64_t n : {s.visits + s.exits, s.wins, s.draws, s.losses})
            json.number(static_cast<long long>(n));
        json.number(s.mean, 3).number(deviation, 3).number(s.belief.evidence, 0).close(']');
    }

    book::BookFiles& files_;
    book::Model model_;
    book::OpeningNames names_;
    std::priority_queue<Waiting> waiting_;
    int added_ = 0;
    std::unordered_map<book::Key, int> numbers_;
    std::vector<Node> nodes_;
};

}  // namespace

Result<void> write_tree(JsonWriter& json, book::BookFiles& files, const TreeLimits& limits) {
    const Result<book::Model> model = files.model();
    if (!model)
        return tl::unexpected<Error>(model.error());
    TreeWriter writer(files, *model);
    if (const Result<void> collected = writer.collect(limits); !collected)
        return collected;
    writer.write(json);
    return {};
}

}  // namespace tools::book_command
