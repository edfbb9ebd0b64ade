// What the suites about levels share.
#pragma once

#include "engine/engine.h"

#include <chrono>

#include <boost/test/unit_test.hpp>

namespace levels {

inline engine::Position position(const char* fen) {
    const Result<engine::Position> pos = engine::Position::from_fen(fen);
    BOOST_TEST_REQUIRE(pos.has_value(), fen);
    return *pos;
}

inline engine::Limits limits_of(int elo, std::uint64_t seed) {
    engine::Limits limits;
    limits.move_time = std::chrono::hours(1);
    limits.strength = engine::Strength{elo, seed, false};
    return limits;
}

}  // namespace levels
