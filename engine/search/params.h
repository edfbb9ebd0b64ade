// The tunable parameters of the search, from the list in params.inc: Name() is the value of one.
// They are constants; only in the library engine_tunable has every thread values of its own.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace engine::params {

#ifndef NUTCRACKER_TUNE

struct Tunable {
    int value, min, max;
    constexpr int operator()() const { return value; }
};
#define TUNABLE(name, value, min, max) inline constexpr Tunable name{value, min, max};
#include "engine/search/params.inc"
#undef TUNABLE

#else

struct Tunable {
    std::string_view name;
    int value, min, max;
};
inline constexpr auto All = std::to_array<Tunable>({
#define TUNABLE(name, value, min, max) {#name, value, min, max},
#include "engine/search/params.inc"
#undef TUNABLE
});

using Values = std::array<int, All.size()>;  // one for each of All, in its order
inline constexpr Values Defaults = [] {
    Values defaults{};
    for (std::size_t i = 0; i < All.size(); ++i)
        defaults[i] = All[i].value;
    return defaults;
}();
// Used by the searches of this thread; must not change while one runs.
inline constinit thread_local Values values = Defaults;
// Sets `values` for its lifetime.
class Scope {
  public:
    explicit Scope(const Values& now) : before_(std::exchange(values, now)) {}
    ~Scope() { values = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    Values before_;
};

enum class Index : std::size_t {
#define TUNABLE(name, value, min, max) name,
#include "engine/search/params.inc"
#undef TUNABLE
};
struct Value {
    Index index;
    int operator()() const { return values[static_cast<std::size_t>(index)]; }
};
#define TUNABLE(name, value, min, max) inline constexpr Value name{Index::name};
#include "engine/search/params.inc"
#undef TUNABLE

#endif

}  // namespace engine::params
