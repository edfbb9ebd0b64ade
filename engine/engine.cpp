// Chooses the slice of the engine: the fastest one that the processor can run.
#include "engine/engine.h"

#include "engine/search/timeman.h"

#include <algorithm>

extern "C" {
engine::Searcher* make_searcher_plain();
#ifdef ENGINE_HAS_SLICES
engine::Searcher* make_searcher_x86_64_v3();
engine::Searcher* make_searcher_avx512vnni();
#endif
}

namespace engine {
namespace {

struct Slice {
    std::string_view name;
    bool (*runs_here)();
    Searcher* (*make)();
};

#ifdef ENGINE_HAS_SLICES
// GCC 12 does not know the x86-64 levels by name, so test their features one by one. That the
// system saves the wide registers is tested by __builtin_cpu_supports for avx2 and avx512f.
bool runs_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt") &&
           __builtin_cpu_supports("f16c") && __builtin_cpu_supports("movbe");
}
bool runs_avx512vnni() {
    return runs_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}
#endif

// Fastest first; the last runs anywhere.
constexpr Slice Slices[] = {
#ifdef ENGINE_HAS_SLICES
    {"avx512vnni", runs_avx512vnni, make_searcher_avx512vnni},
    {"x86-64-v3", runs_v3, make_searcher_x86_64_v3},
#endif
    {"plain", [] { return true; }, make_searcher_plain},
};

}  // namespace

milliseconds expected_time(const Limits& limits) {
    constexpr milliseconds Overhead(10);  // the least; more of it makes no difference here
    constexpr int UsedPercent = 80;       // of the soft limit, on average
    std::optional<microseconds> time;
    if (limits.clock)
        time = budget(*limits.clock, Overhead, limits.reserve).soft * UsedPercent / 100;
    if (limits.move_time) {
        const microseconds all = budget(*limits.move_time, Overhead).soft;
        time = time ? std::min(*time, all) : all;
    }
    return std::chrono::ceil<milliseconds>(time.value_or(microseconds(0)));
}

std::unique_ptr<Searcher> make_searcher(std::string_view slice) {
    for (const Slice& s : Slices)
        if ((slice.empty() || s.name == slice) && s.runs_here())
            return std::unique_ptr<Searcher>(s.make());
    return nullptr;
}

std::vector<std::string_view> slices_here() {
    std::vector<std::string_view> names;
    for (const Slice& s : Slices)
        if (s.runs_here())
            names.push_back(s.name);
    return names;
}

}  // namespace engine
