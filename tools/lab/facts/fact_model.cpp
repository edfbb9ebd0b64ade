#include "tools/lab/facts/fact_model.h"

#include "engine/board/zobrist.h"
#include "tools/lab/facts/pawn_facts.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace tools::facts {
namespace {

using Index = std::uint32_t;
using Numbers = std::vector<double>;

std::size_t role_index(const Ending& ending, std::size_t man) {
    return static_cast<std::size_t>(role_of(ending, ending[man]));
}

double sign_of(const retro::Man& man, engine::Color side) {
    return man.color == side ? 1 : -1;
}

std::array<Facts, MaxMen>
facts_in_use(const Ending& ending, const Board& board, bool smaller_endings) {
    std::array<Facts, MaxMen> facts = facts_of(ending, board);
    for (std::size_t i = 0; !smaller_endings && i < ending.size(); ++i)
        facts[i] &= ~facts_of_smaller_endings(role_of(ending, ending[i]));
    return facts;
}

// The vectors of facts of a role that occur, how often, and the configurations that hold in them.
struct RoleVectors {
    std::unordered_map<Facts, Index> numbers;
    std::vector<Facts> vectors;
    std::vector<std::uint64_t> counts;
    struct Candidate {
        Facts facts = 0;
        std::vector<Index> holds;  // in these vectors
        double weight = 0;
    };
    std::vector<Candidate> configurations;

    Index add(Facts facts) {
        const auto [found, is_new] = numbers.try_emplace(facts, static_cast<Index>(vectors.size()));
        if (is_new) {
            vectors.push_back(facts);
            counts.push_back(0);
        }
        ++counts[found->second];
        return found->second;
    }
    void grow(std::uint64_t support, int max_facts);

  private:
    [[nodiscard]] std::uint64_t support_of(const std::vector<Index>& holds) const {
        std::uint64_t sum = 0;
        for (const Index v : holds)
            sum += counts[v];
        return sum;
    }
};

void RoleVectors::grow(std::uint64_t support, int max_facts) {
    if (vectors.empty())
        return;
    const auto fingerprint = [](const std::vector<Index>& holds) {
        std::uint64_t sum = holds.size();
        for (const Index v : holds)
            sum += engine::splitmix64(v);
        return sum;
    };
    Candidate constant;
    for (Index v = 0; v < vectors.size(); ++v)
        constant.holds.push_back(v);
    std::unordered_set<std::uint64_t> known = {fingerprint(constant.holds)};
    configurations = {std::move(constant)};
    // A configuration is extended by facts with higher bits only, so each is met once.
    for (std::size_t first = 0, size = 0; size < static_cast<std::size_t>(max_facts); ++size) {
        const std::size_t end = configurations.size();
        for (; first < end; ++first)
            for (int b = static_cast<int>(std::bit_width(configurations[first].facts)); b < 64;
                 ++b) {
                Candidate next{configurations[first].facts | Facts{1} << b, {}, 0};
                for (const Index v : configurations[first].holds)
                    if ((vectors[v] >> b & 1) != 0)
                        next.holds.push_back(v);
                if (support_of(next.holds) >= support &&
                    known.insert(fingerprint(next.holds)).second)
                    configurations.push_back(std::move(next));
            }
    }
}

// The linear system: one row a sample, one column a configuration, but never written down. A row is
// a sum of few vectors of facts, so products go by way of the values of the vectors.
class System {
  public:
    System(const Ending& ending, const std::vector<Sample>& samples, const FitSettings& settings);

    // The least squares by conjugate gradients, from weights of 0.
    void solve(int steps);
    [[nodiscard]] const std::array<RoleVectors, Roles>& roles() const { return roles_; }

  private:
    struct Row {
        std::array<Index, MaxMen> vectors;
        float sign;  // of White's men
        float target;
    };
    [[nodiscard]] std::array<Numbers, Roles> values_of(const Numbers& weights) const;
    // The matrix of the normal equations times `weights`.
    [[nodiscard]] Numbers product(const Numbers& weights) const;
    template <typename Value>
    [[nodiscard]] Numbers transposed(Value value) const;
    [[nodiscard]] Numbers diagonal() const;

    const Ending& ending_;
    std::array<RoleVectors, Roles> roles_;
    std::vector<Row> rows_;
    std::size_t columns_ = 0;
};

System::System(const Ending& ending,
               const std::vector<Sample>& samples,
               const FitSettings& settings)
    : ending_(ending) {
    for (const Sample& sample : samples) {
        Row row{{}, sample.board.side == engine::White ? 1.0F : -1.0F, sample.target};
        const auto facts = facts_in_use(ending, sample.board, settings.smaller_endings);
        for (std::size_t i = 0; i < ending.size(); ++i)
            row.vectors[i] = roles_[role_index(ending, i)].add(facts[i]);
        rows_.push_back(row);
    }
    const auto support =
        static_cast<std::uint64_t>(settings.support * static_cast<double>(samples.size())) + 1;
    for (RoleVectors& role : roles_) {
        role.grow(support, settings.max_facts);
        columns_ += role.configurations.size();
    }
}

std::array<Numbers, Roles> System::values_of(const Numbers& weights) const {
    std::array<Numbers, Roles> values;
    std::size_t column = 0;
    for (std::size_t r = 0; r < Roles; ++r) {
        values[r].resize(roles_[r].vectors.size());
        for (const auto& c : roles_[r].configurations) {
            const double weight = weights[column++];
            for (const Index v : c.holds)
                values[r][v] += weight;
        }
    }
    return values;
}

// The transposed matrix times value(row) of all rows.
template <typename Value>
Numbers System::transposed(Value value) const {
    std::array<Numbers, Roles> sums;
    for (std::size_t r = 0; r < Roles; ++r)
        sums[r].resize(roles_[r].vectors.size());
    for (const Row& row : rows_) {
        const double x = row.sign * value(row);
        for (std::size_t i = 0; i < ending_.size(); ++i)
            sums[role_index(ending_, i)][row.vectors[i]] +=
                ending_[i].color == engine::White ? x : -x;
    }
    Numbers result;
    result.reserve(columns_);
    for (std::size_t r = 0; r < Roles; ++r)
        for (const auto& c : roles_[r].configurations) {
            double sum = 0;
            for (const Index v : c.holds)
                sum += sums[r][v];
            result.push_back(sum);
        }
    return result;
}

Numbers System::product(const Numbers& weights) const {
    const std::array<Numbers, Roles> values = values_of(weights);
    return transposed([&](const Row& row) {
        double sum = 0;
        for (std::size_t i = 0; i < ending_.size(); ++i) {
            const double v = values[role_index(ending_, i)][row.vectors[i]];
            sum += ending_[i].color == engine::White ? v : -v;
        }
        return row.sign * sum;
    });
}

// The sums of squared counts; of two men with the same role as if they never held together.
Numbers System::diagonal() const {
    Numbers sums;
    for (const RoleVectors& role : roles_)
        for (const auto& c : role.configurations) {
            double sum = 0;
            for (const Index v : c.holds)
                sum += static_cast<double>(role.counts[v]);
            sums.push_back(sum);
        }
    return sums;
}

double dot(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

// Source: M. R. Hestenes, E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems",
// 1952.
void System::solve(int steps) {
    constexpr double Enough = 1e-10;  // of the first residual, squared
    const Numbers diagonal = this->diagonal();
    Numbers residual = transposed([](const Row& row) { return row.target; });
    Numbers weights(columns_), scaled(columns_), direction(columns_);
    double last = 0, first = 0;
    for (int step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < columns_; ++i)
            scaled[i] = residual[i] / diagonal[i];
        const double now = dot(residual, scaled);
        if (step == 0)
            first = now;
        if (now <= Enough * first)
            break;
        for (std::size_t i = 0; i < columns_; ++i)
            direction[i] = scaled[i] + (step > 0 ? now / last : 0) * direction[i];
        const Numbers image = product(direction);
        const double length = now / dot(direction, image);
        for (std::size_t i = 0; i < columns_; ++i) {
            weights[i] += length * direction[i];
            residual[i] -= length * image[i];
        }
        last = now;
    }
    std::size_t column = 0;
    for (RoleVectors& role : roles_)
        for (auto& c : role.configurations)
            c.weight = weights[column++];
}

}  // namespace

FactModel::FactModel(const Ending& ending,
                     const std::vector<Sample>& samples,
                     const FitSettings& settings)
    : ending_(ending), smaller_endings_(settings.smaller_endings) {
    System system(ending, samples, settings);
    system.solve(settings.steps);
    for (std::size_t r = 0; r < Roles; ++r) {
        const RoleVectors& role = system.roles()[r];
        Numbers values(role.vectors.size());
        for (const auto& c : role.configurations) {
            configurations_[r].push_back({c.facts, c.weight});
            for (const Index v : c.holds)
                values[v] += c.weight;
        }
        for (std::size_t v = 0; v < values.size(); ++v)
            cache_[r].emplace(role.vectors[v], values[v]);
    }
}

double FactModel::value_of(std::size_t role, Facts facts) const {
    ++asked_;
    const auto [found, is_new] = cache_[role].try_emplace(facts, 0);
    if (is_new) {
        ++missed_;
        for (const Configuration& c : configurations_[role])
            if ((c.facts & ~facts) == 0)
                found->second += c.weight;
    }
    return found->second;
}

double FactModel::value(const Board& board) const {
    const auto facts = facts_in_use(ending_, board, smaller_endings_);
    double sum = 0;
    for (std::size_t i = 0; i < ending_.size(); ++i)
        sum += sign_of(ending_[i], board.side) * value_of(role_index(ending_, i), facts[i]);
    return sum;
}

std::size_t FactModel::configurations() const {
    std::size_t sum = 0;
    for (const auto& role : configurations_)
        sum += role.size();
    return sum;
}

}  // namespace tools::facts
