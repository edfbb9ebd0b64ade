// The counts of an edge as they are stored: one game as a number, more as a blob of numbers. The
// schema in database.cpp says how.
#pragma once

#include "book/store/positions.h"

#include <array>

namespace book {

inline constexpr std::size_t MaxBlobBytes = 7 * 10;

// Nothing if the edge is of more games than one.
std::optional<std::int64_t> to_number(const Edge& edge);
Edge from_number(std::int64_t number);
// Writes to `bytes` and returns how many.
std::size_t to_blob(const Edge& edge, std::array<char, MaxBlobBytes>& bytes);
Edge from_blob(const void* data, int size);

}  // namespace book
