#include "tools/lab/facts/facts_report.h"

#include "engine/board/zobrist.h"

#include <algorithm>
#include <cmath>

namespace tools::facts {
namespace {

using retro::DistanceTable;
using retro::Value;

double target_of(Value v, int longest) {
    return v == 0 ? 0 : retro::sign(v) * (longest + Offset - retro::plies(v));
}

int class_of(double value, double threshold) {
    return value > threshold ? 1 : value < -threshold ? -1 : 0;
}

// The evaluation, with the bounds that need no weights.
class Judge {
  public:
    Judge(const Evaluation& evaluation,
          const DistanceTable& table,
          const EndingRules& rules,
          int longest,
          double threshold)
        : evaluation_(evaluation), table_(table), rules_(rules), longest_(longest),
          threshold_(threshold) {}

    void add_to(FactsReport& report, const Board& board);

  private:
    [[nodiscard]] double truth(const Board& board) const {
        return target_of(table_.value(board.side, board.squares), longest_);
    }
    [[nodiscard]] double value(const Board& board, const Bounds& bounds) const {
        return bounds.decided() ? bounds.low
                                : std::clamp(evaluation_(board), bounds.low, bounds.high);
    }
    void add_moves(FactsReport& report);

    const Evaluation& evaluation_;
    const DistanceTable& table_;
    const EndingRules& rules_;
    int longest_;
    double threshold_;
    std::vector<Reply> replies_, answers_;
};

// Of the moves that the search of one ply finds best, the share that is optimal; and of all moves.
void Judge::add_moves(FactsReport& report) {
    double best = -1e9, best_target = -1e9;
    std::vector<std::pair<double, double>> found;  // by the evaluation and by the table
    for (const Reply& r : replies_) {
        double after = 0;
        if (!r.converts) {
            rules_.find(r.after, answers_);
            after = value(r.after, bounds_of(rules_, r.after, answers_, longest_));
        }
        const double value = value_of(rules_, r, after, longest_);
        const double target = value_of(rules_, r, r.converts ? 0 : truth(r.after), longest_);
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
    ++report.with_moves;
    report.optimal += static_cast<double>(right) / chosen;
    report.by_chance += static_cast<double>(optimal) / static_cast<double>(found.size());
}

void Judge::add_to(FactsReport& report, const Board& board) {
    rules_.find(board, replies_);
    const Bounds bounds = bounds_of(rules_, board, replies_, longest_);
    const double target = truth(board), value = this->value(board, bounds);
    const double error = std::abs(value - target);
    const int result = class_of(target, 0), found = class_of(value, threshold_);
    ++report.positions;
    ++report.results[static_cast<std::size_t>(result + 1)][static_cast<std::size_t>(found + 1)];
    if (!bounds.decided()) {
        ++report.quiet;
        report.quiet_right += result == found ? 1 : 0;
    }
    if (target != 0) {
        ++report.decided;
        report.error_before += std::abs(target);
        report.squared_before += target * target;
        report.error += error;
        report.squared += error * error;
    }
    if (!replies_.empty())
        add_moves(report);
}

bool same_coloured_bishops(const Ending& ending, const retro::Squares& squares) {
    const auto colour = [&](std::size_t i) {
        return (engine::file_of(squares[i]) + engine::rank_of(squares[i])) % 2;
    };
    return ending.size() == 4 && ending[2].type == engine::Bishop &&
           ending[3].type == engine::Bishop && colour(2) == colour(3);
}

// A number in [0, 1) that looks random.
double lot(engine::Color side, const retro::Squares& squares) {
    std::uint64_t x = side == engine::White ? 1 : 2;
    for (const engine::Square s : squares)
        x = x * 64 + static_cast<std::uint64_t>(s);
    return static_cast<double>(engine::splitmix64(x) >> 11) /
           static_cast<double>(std::uint64_t{1} << 53);
}

}  // namespace

EndingData
data_of(const DistanceTable& table, const EndingRules& rules, const Selection& selection) {
    EndingData data;
    const Ending& ending = table.ending();
    std::vector<Value> values;
    table.for_each([&](engine::Color side, const retro::Squares& squares) {
        const Value v = table.value(side, squares);
        if (v == retro::Illegal || (selection.opposite && same_coloured_bishops(ending, squares)))
            return;
        if (v != 0)
            data.longest = std::max(data.longest, retro::plies(v));
        if ((selection.share < 1 && lot(side, squares) >= selection.share) ||
            !table.is_first(squares))
            return;
        data.positions.push_back({squares, side});
        values.push_back(v);
    });
    std::vector<Reply> replies;
    for (std::size_t i = 0; i < data.positions.size(); ++i) {
        rules.find(data.positions[i], replies);
        if (!bounds_of(rules, data.positions[i], replies, data.longest).decided())
            data.quiet.push_back(
                {data.positions[i], static_cast<float>(target_of(values[i], data.longest))});
    }
    return data;
}

double threshold_for(const Ending& ending,
                     const Evaluation& evaluation,
                     const std::vector<Sample>& samples) {
    if (!ending.has_pawns())
        return Offset / 2.0;
    // By half points of the value: how many more results are right if it counts as a draw.
    std::array<std::int64_t, 512> gains{};
    for (const Sample& sample : samples) {
        const double value = evaluation(sample.board);
        const auto place =
            std::min(static_cast<std::size_t>(std::ceil(2 * std::abs(value))), gains.size() - 1);
        gains[place] += sample.target == 0 ? 1 : value * sample.target > 0 ? -1 : 0;
    }
    std::int64_t sum = 0, best = 0;
    std::size_t found = 0;
    for (std::size_t i = 0; i < gains.size(); ++i) {
        sum += gains[i];
        if (sum > best) {
            best = sum;
            found = i;
        }
    }
    return static_cast<double>(found) / 2;
}

double FactsReport::agreement() const {
    return static_cast<double>(results[0][0] + results[1][1] + results[2][2]) /
           static_cast<double>(std::max<std::uint64_t>(positions, 1));
}

FactsReport report_on(const Evaluation& evaluation,
                      const DistanceTable& table,
                      const EndingRules& rules,
                      const std::vector<Board>& positions,
                      int longest,
                      double threshold) {
    FactsReport report;
    Judge judge(evaluation, table, rules, longest, threshold);
    for (const Board& board : positions)
        judge.add_to(report, board);
    for (double* sum :
         {&report.error_before, &report.squared_before, &report.error, &report.squared})
        *sum /= static_cast<double>(std::max<std::uint64_t>(report.decided, 1));
    for (double* sum : {&report.optimal, &report.by_chance})
        *sum /= static_cast<double>(std::max<std::uint64_t>(report.with_moves, 1));
    return report;
}

}  // namespace tools::facts
