// Encodes the counts of an edge for the column edge.counts: one game as a number, more as a blob.
// tables/schema.h defines both.
#pragma once

#include "book/store/positions.h"

#include <array>

namespace book {

inline constexpr std::size_t MaxBlobBytes = std::size_t{7} * 10;

// Nothing if the edge has more than one game.
std::optional<std::int64_t> to_number(const Edge& edge);
Edge from_number(std::int64_t number);
// Writes to `bytes` and returns the size.
std::size_t to_blob(const Edge& edge, std::array<char, MaxBlobBytes>& bytes);
Edge from_blob(const void* data, int size);

}  // namespace book
