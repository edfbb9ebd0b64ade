// How errors travel inside book/: functions throw a Failure or let SQLite's exceptions fly; the
// faces (Book, the commands of nutcracker-book) run their work in guarded(), which returns a
// Result.
#pragma once

#include "engine/board/result.h"

#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace book {

// Why something could not be done: one sentence that quotes the bad part.
class Failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
// Because of something that may pass: a full or failing disk, another program's lock.
class PassingFailure : public Failure {
    using Failure::Failure;
};

// Completes the sentence "book FILE …" if SQLite finds the file damaged.
inline constexpr const char* IsDamaged =
    "is damaged or cannot be read; \"nutcracker-book --book FILE recover\" saves what it can";

// The sentence for a user: a Failure's own text; for an exception of SQLite what happened to the
// book ("the book cannot be written: the disk is full"); else its what().
Error error_from(const std::exception& exception);

// Runs a function and returns its value, or the error it threw. Lets nothing derived from
// std::exception through.
template <typename Function>
auto guarded(Function&& function) -> Result<std::invoke_result_t<Function>> {
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
            std::forward<Function>(function)();
            return {};
        } else {
            return std::forward<Function>(function)();
        }
    } catch (const std::exception& e) {
        return tl::unexpected<Error>(error_from(e));
    }
}

// The other direction, for what engine/ and pgn/ return: the value, or its error as a Failure.
template <typename T>
T value_or_throw(Result<T> result) {
    if (!result)
        throw Failure(result.error().what);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

}  // namespace book
