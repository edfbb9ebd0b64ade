#include "tools/lab/facts/facts_report.h"

#include <algorithm>
#include <cmath>

namespace tools::facts {
namespace {

using engine::bit;
using engine::Bitboard;
using retro::DistanceTable;
using retro::Value;

struct Reply {
    Board after;
    bool takes;  // which leaves a draw: a minor piece does not win, and a rook is gone
};

class Rules {
  public:
    explicit Rules(const Ending& ending) : ending_(ending) {}

    [[nodiscard]] bool attacked(const Board& board, engine::Color king, std::size_t without) const {
        Bitboard occupied = 0;
        for (std::size_t i = 0; i < ending_.size(); ++i)
            occupied |= i == without ? 0 : bit(board.squares[i]);
        for (std::size_t i = 0; i < ending_.size(); ++i)
            if (ending_[i].color != king && i != without &&
                (engine::attacks(ending_[i].type, board.squares[i], occupied) &
                 bit(board.squares[king])) != 0)
                return true;
        return false;
    }
    [[nodiscard]] bool in_check(const Board& board) const {
        return attacked(board, board.side, MostMen);
    }
    // Replaces the replies by those to `board`.
    void find(const Board& board, std::vector<Reply>& replies) const {
        replies.clear();
        std::array<Bitboard, 2> by_color{};
        for (std::size_t i = 0; i < ending_.size(); ++i)
            by_color[ending_[i].color] |= bit(board.squares[i]);
        for (std::size_t man = 0; man < ending_.size(); ++man) {
            if (ending_[man].color != board.side)
                continue;
            Bitboard to =
                engine::attacks(ending_[man].type, board.squares[man], by_color[0] | by_color[1]) &
                ~by_color[board.side];
            while (to != 0) {
                Board after = board;
                after.squares[man] = engine::pop_lowest(to);
                after.side = ~board.side;
                std::size_t taken = 0;
                while (taken < ending_.size() && (ending_[taken].color == board.side ||
                                                  board.squares[taken] != after.squares[man]))
                    ++taken;
                if (!attacked(after, board.side, taken))
                    replies.push_back({after, taken < ending_.size()});
            }
        }
    }

  private:
    const Ending& ending_;
};

bool any_takes(const std::vector<Reply>& replies) {
    return std::any_of(replies.begin(), replies.end(), [](const Reply& r) { return r.takes; });
}

double target_of(Value v, int longest) {
    return v == 0 ? 0 : retro::sign(v) * (longest + Offset - retro::plies(v));
}

int class_of(double value) {
    const double limit = Offset / 2.0;
    return value > limit ? 1 : value < -limit ? -1 : 0;
}

// The evaluation with what needs no weights: the ends of games, captures, and that a bare king
// cannot win.
class Judge {
  public:
    Judge(const Evaluation& evaluation, const Ending& ending, int longest)
        : evaluation_(evaluation), rules_(ending), longest_(longest) {}

    [[nodiscard]] double value(const Board& board) {
        if (board.side == engine::White)
            return std::max(0.0, evaluation_(board));
        rules_.find(board, replies_);
        if (replies_.empty())
            return rules_.in_check(board) ? -(longest_ + Offset) : 0;
        return any_takes(replies_) ? 0 : std::min(0.0, evaluation_(board));
    }

  private:
    const Evaluation& evaluation_;
    Rules rules_;
    int longest_;
    std::vector<Reply> replies_;
};

// Of the moves that the search of one ply finds best, the share that is optimal; and of all moves.
std::pair<double, double> optimal_shares(Judge& judge,
                                         const DistanceTable& table,
                                         const std::vector<Reply>& replies,
                                         int longest) {
    double best = -1e9, best_target = -1e9;
    std::vector<std::pair<double, double>> found;  // by the evaluation and by the table
    for (const Reply& r : replies) {
        const double value = r.takes ? 0 : -judge.value(r.after);
        const double target =
            r.takes ? 0 : -target_of(table.value(r.after.side, r.after.squares), longest);
        found.emplace_back(value, target);
        best = std::max(best, value);
        best_target = std::max(best_target, target);
    }
    int chosen = 0, right = 0, optimal = 0;
    for (const auto& [value, target] : found) {
        chosen += value == best ? 1 : 0;
        right += value == best && target == best_target ? 1 : 0;
        optimal += target == best_target ? 1 : 0;
    }
    return {static_cast<double>(right) / chosen,
            static_cast<double>(optimal) / static_cast<double>(found.size())};
}

bool same_coloured_bishops(const Ending& ending, const retro::Squares& squares) {
    const auto colour = [&](std::size_t i) {
        return (engine::file_of(squares[i]) + engine::rank_of(squares[i])) % 2;
    };
    return ending.size() == 4 && ending[2].type == engine::Bishop &&
           ending[3].type == engine::Bishop && colour(2) == colour(3);
}

}  // namespace

EndingData data_of(const DistanceTable& table, bool opposite) {
    EndingData data;
    const Ending& ending = table.ending();
    const Rules rules(ending);
    std::vector<Reply> replies;
    std::vector<Value> values;
    table.for_each([&](engine::Color side, const retro::Squares& squares) {
        const Value v = table.value(side, squares);
        if (v == retro::Illegal || !table.is_first(squares) ||
            (opposite && same_coloured_bishops(ending, squares)))
            return;
        data.positions.push_back({squares, side});
        values.push_back(v);
        if (v != 0)
            data.longest = std::max(data.longest, retro::plies(v));
    });
    for (std::size_t i = 0; i < data.positions.size(); ++i) {
        rules.find(data.positions[i], replies);
        if (!replies.empty() && !any_takes(replies))
            data.quiet.push_back(
                {data.positions[i], static_cast<float>(target_of(values[i], data.longest))});
    }
    return data;
}

double FactsReport::agreement() const {
    return static_cast<double>(results[0][0] + results[1][1] + results[2][2]) /
           static_cast<double>(std::max<std::uint64_t>(positions, 1));
}

FactsReport report_on(const Evaluation& evaluation,
                      const DistanceTable& table,
                      const std::vector<Board>& positions,
                      int longest) {
    FactsReport report;
    const Rules rules(table.ending());
    Judge judge(evaluation, table.ending(), longest);
    std::vector<Reply> replies;
    for (const Board& board : positions) {
        const double target = target_of(table.value(board.side, board.squares), longest);
        const double value = judge.value(board), error = std::abs(value - target);
        ++report.positions;
        ++report.results[static_cast<std::size_t>(class_of(target) + 1)]
                        [static_cast<std::size_t>(class_of(value) + 1)];
        if (target != 0) {
            ++report.decided;
            report.error_before += std::abs(target);
            report.squared_before += target * target;
            report.error += error;
            report.squared += error * error;
        }
        rules.find(board, replies);
        if (replies.empty())
            continue;
        ++report.with_moves;
        const auto [optimal, by_chance] = optimal_shares(judge, table, replies, longest);
        report.optimal += optimal;
        report.by_chance += by_chance;
    }
    for (double* sum :
         {&report.error_before, &report.squared_before, &report.error, &report.squared})
        *sum /= static_cast<double>(std::max<std::uint64_t>(report.decided, 1));
    for (double* sum : {&report.optimal, &report.by_chance})
        *sum /= static_cast<double>(std::max<std::uint64_t>(report.with_moves, 1));
    return report;
}

}  // namespace tools::facts
