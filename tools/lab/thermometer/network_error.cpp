#include "tools/lab/thermometer/network_error.h"

#include "tools/lab/train/trainer.h"

#include <algorithm>
#include <cmath>

namespace tools::thermometer {
namespace {

void add(MeanError& error, double squared) {
    error.mean += squared;
    ++error.positions;
}
void divide(MeanError& error) {
    error.mean /= static_cast<double>(std::max<std::size_t>(error.positions, 1));
}

}  // namespace

std::size_t class_of(int pieces) {
    const auto* const found =
        std::lower_bound(LargestOfClass.begin(), LargestOfClass.end() - 1, pieces);
    return static_cast<std::size_t>(found - LargestOfClass.begin());
}

Result<NetworkError>
measure(std::string_view network, const std::vector<ValuedPosition>& positions, double scale) {
    const Result<train::Model> model = train::Model::from_file(network);
    if (!model)
        return fail(model.error().what);
    const train::QuantisedModel quantised(*model);
    const auto expected = [scale](int score) { return 1 / (1 + std::exp(-score / scale)); };
    NetworkError error;
    for (const ValuedPosition& valued : positions) {
        const auto sample = train::make_sample(valued.pos, 0, train::GameResult::Unknown);
        const double difference = expected(quantised.evaluate(sample)) - expected(valued.score);
        add(error.all, difference * difference);
        add(error.by_pieces[class_of(engine::popcount(valued.pos.pieces()))],
            difference * difference);
    }
    divide(error.all);
    std::for_each(error.by_pieces.begin(), error.by_pieces.end(), divide);
    return error;
}

}  // namespace tools::thermometer
