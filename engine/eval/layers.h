// The layers of the network after the neurons. Their inputs are the products of the neurons.
#pragma once

#include "engine/eval/network.h"

namespace engine {

using ProductVector = std::array<std::uint8_t, Hidden>;  // own side first

// 1.0 is One. The products are aligned to 64 bytes.
std::int64_t output(const Layers& layers, const ProductVector& products);

}  // namespace engine
