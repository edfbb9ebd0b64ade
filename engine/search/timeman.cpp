#include "engine/search/timeman.h"

#include "engine/search/params.h"

#include <algorithm>

namespace engine {
namespace {

constexpr microseconds AtOnce = milliseconds(1);
constexpr microseconds LongIncrement = std::chrono::seconds(1);

}  // namespace

Budget budget(const GameClock& clock, milliseconds overhead, milliseconds reserve) {
    constexpr milliseconds Emergency(50);
    constexpr milliseconds MinReserve(50);
    if (clock.left <= std::max(Emergency, overhead + reserve / 2))
        return {AtOnce, std::max<microseconds>(AtOnce, clock.left / 10), true};
    const microseconds kept =
        std::min<microseconds>(overhead + std::max(reserve, MinReserve), clock.left * 3 / 4);
    const microseconds left = clock.left - kept;
    const microseconds increment = clock.increment;
    microseconds soft{}, hard{};
    if (clock.moves_to_go > 0) {
        // The overhead is lost at every move up to the time control.
        const int moves = std::min(clock.moves_to_go, 50);
        const microseconds usable = std::max<microseconds>(left - (moves - 1) * overhead, left / 2);
        const microseconds share = usable / moves + increment * (moves - 1) / moves;
        soft = moves == 1 ? left * 7 / 10 : std::min(share * 3 / 4, usable / 3);
        hard = moves == 1 ? left * 9 / 10 : std::min(share * 4, usable * 7 / 10);
    } else {
        const microseconds horizon = left + 49 * increment;
        // At most 1/8 of the clock per move: then it settles above the emergency limit even if only
        // an increment of 10 ms is left. A long increment gives up to 1/8 more.
        const microseconds more =
            increment >= LongIncrement ? std::min(increment / 2, left / 8) : microseconds(0);
        soft = std::min(horizon * params::TimeShare() / 10'000, left / 8 + more);
        hard = std::min(soft * 5, left / 2);
    }
    const microseconds most = std::max<microseconds>(clock.left - overhead, AtOnce);
    return {std::clamp(soft, AtOnce, most), std::clamp(hard, AtOnce, most)};
}

Budget budget(milliseconds move_time, milliseconds overhead) {
    // Every move uses the whole limit here, so any delay in the interface would lose on time.
    const milliseconds kept = std::max({overhead, milliseconds(30), move_time / 25});
    const microseconds all =
        std::max<microseconds>(move_time - std::min(kept, move_time / 4), AtOnce);
    return {all, all};
}

Budget smaller(const Budget& a, const Budget& b) {
    return {std::min(a.soft, b.soft), std::min(a.hard, b.hard), a.minimal || b.minimal};
}

milliseconds time_to_solve(const Limits& limits) {
    milliseconds allowed = milliseconds::max();
    if (limits.nodes_per_second)
        return allowed;
    if (limits.clock)
        allowed = limits.clock->left / 8;
    if (limits.move_time)
        allowed = std::min(allowed, *limits.move_time / 2);
    return allowed;
}

int soft_percent(const Confidence& c) {
    using namespace params;
    const auto all = static_cast<std::int64_t>(std::max<std::uint64_t>(c.all_nodes, 1));
    const auto best = std::min(static_cast<std::int64_t>(c.best_nodes), all);
    const auto elsewhere = static_cast<int>(1'000 - best * 1'000 / all);
    const int node = TimeNodeBase() + TimeNodeSlope() * elsewhere / 1'000;
    const int stable = TimeStableMax() - TimeStableStep() * std::min(c.stable_iterations, 9);
    const int lost = TimeTrendIteration() * c.score_drop + TimeTrendGame() * c.score_drop_game;
    const int trend = std::clamp(86 + lost / 10, 80, 150);
    return std::clamp(node * stable / 100 * trend / 100, 20, 400);
}

}  // namespace engine
