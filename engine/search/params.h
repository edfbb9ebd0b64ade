// The numbers of the search, from the list in params.inc: Name() is one's value. They are
// constants; only in the tuner's copy of the engine every thread has values of its own.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace engine::params {

#ifndef NUTCRACKER_TUNE

struct Tunable {
    int value, least, most;
    constexpr int operator()() const { return value; }
};
#define TUNABLE(name, value, least, most) inline constexpr Tunable name{value, least, most};
#include "engine/search/params.inc"
#undef TUNABLE

#else

struct Tunable {
    std::string_view name;
    int value, least, most;
};
inline constexpr auto All = std::to_array<Tunable>({
#define TUNABLE(name, value, least, most) {#name, value, least, most},
#include "engine/search/params.inc"
#undef TUNABLE
});

// One for each of All. What the searches of this thread go by; not to be changed while one runs.
using Values = std::array<int, All.size()>;
inline constinit thread_local Values values = [] {
    Values defaults{};
    for (std::size_t i = 0; i < All.size(); ++i)
        defaults[i] = All[i].value;
    return defaults;
}();

enum class Index : std::size_t {
#define TUNABLE(name, value, least, most) name,
#include "engine/search/params.inc"
#undef TUNABLE
};
struct Value {
    Index index;
    int operator()() const { return values[static_cast<std::size_t>(index)]; }
};
#define TUNABLE(name, value, least, most) inline constexpr Value name{Index::name};
#include "engine/search/params.inc"
#undef TUNABLE

#endif

}  // namespace engine::params
