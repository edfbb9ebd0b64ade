#include "tools/match/time_control.h"

#include <algorithm>

#include <fmt/format.h>

namespace tools::match {

std::string TimeControl::text() const {
    if (move_time)
        return "1/" + seconds_text(*move_time);
    if (!has_clock())
        return "-";
    return (moves ? fmt::format("{}/", moves) : "") + seconds_text(base) +
           (increment.count() > 0 ? '+' + seconds_text(increment) : "");
}

Result<TimeControl> parse_time_control(std::string_view text) {
    const std::string whole(text);
    TimeControl control;
    if (text == "inf")
        return control;
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
        const std::optional<int> moves = number<int>(text.substr(0, slash));
        if (!moves || *moves < 1)
            return fail("bad number of moves in the time control: " + whole);
        control.moves = *moves;
        text.remove_prefix(slash + 1);
    }
    if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
        const std::optional<milliseconds> increment = duration(text.substr(plus + 1));
        if (!increment)
            return fail("bad increment in the time control: " + whole);
        control.increment = *increment;
        text = text.substr(0, plus);
    }
    const std::optional<milliseconds> base = duration(text);
    if (!base || base->count() == 0)
        return fail("bad time control (10+0.1, 40/1:00 or inf): " + whole);
    control.base = *base;
    return control;
}

SideClock::SideClock(const TimeControl& control)
    : control_(control), left_(control.base), moves_to_go_(control.moves) {}

std::optional<milliseconds> SideClock::left() const {
    if (control_.move_time)
        return control_.move_time;
    if (control_.has_clock())
        return left_;
    return std::nullopt;
}

bool SideClock::move_made(milliseconds spent) {
    const std::optional<milliseconds> allowed = left();
    const bool in_time = !allowed || spent <= *allowed + control_.tolerance();
    if (!control_.has_clock())
        return in_time;
    left_ = std::max(left_ - spent, milliseconds(0)) + control_.increment;
    if (moves_to_go_ > 0 && --moves_to_go_ == 0) {
        left_ += control_.base;
        moves_to_go_ = control_.moves;
    }
    return in_time;
}

}  // namespace tools::match
