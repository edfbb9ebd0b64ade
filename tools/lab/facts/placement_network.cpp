#include "tools/lab/facts/placement_network.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace tools::facts {
namespace {

using engine::file_of;
using engine::rank_of;
using engine::Square;

constexpr std::size_t BlackKing = 1;  // the second man of an ending
constexpr std::size_t SideRows = 2;   // who is to move
constexpr float TargetScale = 16;     // plies; keeps the training's outputs near 1

// Squares of Black's king after the turn: files a to d, without pawns a1-d1-d4.
std::size_t king_rows(const Ending& ending) {
    return ending.has_pawns() ? 32 : 10;
}
std::size_t rows_of(const Ending& ending) {
    return SideRows + king_rows(ending) + 64 * (ending.size() - 1);
}
std::size_t king_row(const Ending& ending, Square s) {
    const auto file = static_cast<std::size_t>(file_of(s)),
               rank = static_cast<std::size_t>(rank_of(s));
    return ending.has_pawns() ? 4 * rank + file : file * (file + 1) / 2 + rank;
}

// Turns and mirrors the board (with pawns only left to right) to bring Black's king to these
// squares.
Board turned(Board board, const Ending& ending) {
    const bool pawns = ending.has_pawns();
    const Square king = board.squares[BlackKing];
    const int flip = (file_of(king) > 3 ? 7 : 0) | (rank_of(king) > 3 && !pawns ? 56 : 0);
    const bool transpose = !pawns && rank_of(king ^ flip) > file_of(king ^ flip);
    for (std::size_t i = 0; i < ending.size(); ++i) {
        const Square s = board.squares[i] ^ flip;
        board.squares[i] = transpose ? engine::make_square(rank_of(s), file_of(s)) : s;
    }
    return board;
}

// Of two equal pieces the one on dark squares comes first, of equal pawns that on the lower square.
void sort_equal_men(Board& board, const Ending& ending) {
    for (std::size_t last = ending.size(); last > 3; --last)
        for (std::size_t i = 3; i < last; ++i) {
            if (!(ending[i] == ending[i - 1]))
                continue;
            Square &first = board.squares[i - 1], &second = board.squares[i];
            if (ending[i].type == engine::Pawn ? second < first
                                               : (engine::bit(first) & engine::DarkSquares) == 0)
                std::swap(first, second);
        }
}

// Weights with the moments of Adam.
struct Parameters {
    std::vector<float> values, gradients, first, second;

    explicit Parameters(std::size_t n) : values(n), gradients(n), first(n), second(n) {}

    void step(float rate, int time) {
        constexpr float Beta1 = 0.9F, Beta2 = 0.999F, Tiny = 1e-8F;
        const float unbias1 = 1 - std::pow(Beta1, static_cast<float>(time));
        const float unbias2 = 1 - std::pow(Beta2, static_cast<float>(time));
        for (std::size_t i = 0; i < values.size(); ++i) {
            first[i] = Beta1 * first[i] + (1 - Beta1) * gradients[i];
            second[i] = Beta2 * second[i] + (1 - Beta2) * gradients[i] * gradients[i];
            values[i] -= rate * (first[i] / unbias1) / (std::sqrt(second[i] / unbias2) + Tiny);
            gradients[i] = 0;
        }
    }
};

}  // namespace

class PlacementTraining {
  public:
    PlacementTraining(PlacementNetwork& network, const NetworkSettings& settings)
        : net_(network), visits_(settings.visits), hidden_(network.neurons_),
          men_(network.ending_.size()), input_(rows_of(network.ending_) * hidden_),
          output_(hidden_ + 1), sums_(hidden_), random_(settings.seed) {
        std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(men_ + 1)));
        for (float& x : input_.values)
            x = normal(random_);
        for (std::size_t n = 0; n < hidden_; ++n)
            output_.values[n] = normal(random_);
    }

    void run(const std::vector<Sample>& samples) {
        constexpr std::size_t Batch = 512;
        const auto batches = static_cast<std::size_t>(visits_) * 1'000'000 / Batch;
        std::vector<std::uint32_t> order(samples.size());
        std::iota(order.begin(), order.end(), 0U);
        std::size_t next = order.size();
        for (std::size_t batch = 0; batch < batches; ++batch) {
            for (std::size_t i = 0; i < Batch; ++i, ++next) {
                if (next == order.size()) {
                    std::shuffle(order.begin(), order.end(), random_);
                    next = 0;
                }
                learn(samples[order[next]], 1.0F / Batch);
            }
            // The rate falls along half a cosine.
            const double done = static_cast<double>(batch) / static_cast<double>(batches);
            const auto rate = static_cast<float>(
                0.005 * (0.01 + 0.495 * (1 + std::cos(std::numbers::pi * done))));
            const int step = static_cast<int>(batch) + 1;
            input_.step(rate, step);
            output_.step(rate, step);
        }
        round();
    }

  private:
    void learn(const Sample& sample, float share) {
        const auto rows = net_.rows(sample.board);
        std::fill(sums_.begin(), sums_.end(), 0.0F);
        for (std::size_t i = 0; i < men_ + 1; ++i)
            for (std::size_t n = 0; n < hidden_; ++n)
                sums_[n] += input_.values[rows[i] * hidden_ + n];
        float value = output_.values[hidden_];
        for (std::size_t n = 0; n < hidden_; ++n)
            value += std::max(sums_[n], 0.0F) * output_.values[n];
        const float target = sample.board.side == engine::White ? sample.target : -sample.target;
        const float error = share * (value - target / TargetScale);
        output_.gradients[hidden_] += error;
        for (std::size_t n = 0; n < hidden_; ++n) {
            output_.gradients[n] += error * std::max(sums_[n], 0.0F);
            sums_[n] = sums_[n] > 0 ? error * output_.values[n] : 0;
        }
        for (std::size_t i = 0; i < men_ + 1; ++i)
            for (std::size_t n = 0; n < hidden_; ++n)
                input_.gradients[rows[i] * hidden_ + n] += sums_[n];
    }

    void round() {
        constexpr float Unit = 256;
        const auto rounded = [](float x) { return std::round(x * Unit) / Unit; };
        std::transform(input_.values.begin(), input_.values.end(), net_.input_.begin(), rounded);
        std::transform(output_.values.begin(),
                       output_.values.end(),
                       net_.output_.begin(),
                       [&](float x) { return rounded(x * TargetScale); });
    }

    PlacementNetwork& net_;
    int visits_;
    std::size_t hidden_, men_;
    Parameters input_, output_;
    std::vector<float> sums_;
    std::mt19937 random_;
};

PlacementNetwork::PlacementNetwork(const Ending& ending,
                                   const std::vector<Sample>& samples,
                                   const NetworkSettings& settings)
    : ending_(ending), neurons_(static_cast<std::size_t>(settings.neurons)),
      input_(rows_of(ending) * neurons_), output_(neurons_ + 1) {
    PlacementTraining(*this, settings).run(samples);
}

PlacementNetwork::Rows PlacementNetwork::rows(const Board& board) const {
    Board b = turned(board, ending_);
    sort_equal_men(b, ending_);
    Rows found{};
    found[0] = b.side == engine::White ? 0 : 1;
    found[1] = SideRows + king_row(ending_, b.squares[BlackKing]);
    std::size_t next = 2, first = SideRows + king_rows(ending_);
    for (std::size_t man = 0; man < ending_.size(); ++man)
        if (man != BlackKing) {
            found[next++] = first + static_cast<std::size_t>(b.squares[man]);
            first += 64;
        }
    return found;
}

double PlacementNetwork::value(const Board& board) const {
    const Rows found = rows(board);
    float value = output_[neurons_];
    for (std::size_t n = 0; n < neurons_; ++n) {
        float sum = 0;
        for (std::size_t i = 0; i < ending_.size() + 1; ++i)
            sum += input_[found[i] * neurons_ + n];
        value += std::max(sum, 0.0F) * output_[n];
    }
    return board.side == engine::White ? value : -value;
}

}  // namespace tools::facts
