// How the tools report errors: a function throws Failure, and run_tool() prints it.
#pragma once

#include "engine/board/result.h"

#include <stdexcept>
#include <type_traits>

namespace tools {

// One sentence for the user, and the exit code of the program unless somebody catches it.
struct Failure : std::runtime_error {
    explicit Failure(const std::string& what, int exit_code = 2)
        : std::runtime_error(what), code(exit_code) {}
    int code;
};

// The value of a result. Throws Failure with its error, preceded by `context` (say, "FILE: ").
template <typename T>
T value_or_throw(Result<T> result, const std::string& context = {}) {
    if (!result)
        throw Failure(context + result.error().what);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

// What `work` returns; a Failure in it becomes the error of the result.
template <typename Work>
auto to_result(const Work& work) -> Result<decltype(work())> {
    try {
        if constexpr (std::is_void_v<decltype(work())>) {
            work();
            return {};
        } else {
            return work();
        }
    } catch (const Failure& failure) {
        return fail(failure.what());
    }
}

}  // namespace tools
