#include "protocol/game/lag.h"

#include <algorithm>

namespace protocol {
namespace {

constexpr milliseconds MaxPlausible = std::chrono::seconds(5);

// The client rounds its clocks down: to whole seconds on some servers, else to centiseconds.
milliseconds resolution(milliseconds one, milliseconds other) {
    const bool whole_seconds = one.count() % 1'000 == 0 && other.count() % 1'000 == 0;
    return milliseconds(whole_seconds ? 1'000 : 10);
}

}  // namespace

void Lag::stalled(milliseconds time) {
    stall_ = time <= MaxPlausible ? time : milliseconds(0);  // longer: we were suspended
    worst_ = std::max<std::chrono::microseconds>(stall_, worst_ - worst_ / 64);
}

milliseconds Lag::worst() const {
    return std::chrono::duration_cast<milliseconds>(worst_);
}

void Lag::clock_set(milliseconds left) {
    // A longer time is no delay: the user has set the clocks, or a session began.
    if (last_ && last_->left - left <= MaxPlausible)
        worst_ = std::max<std::chrono::microseconds>(
            worst_,
            std::min(MaxPlausible, stall_ + last_->left - left - resolution(last_->told, left)));
    stall_ = {};
    last_.reset();
}

}  // namespace protocol
