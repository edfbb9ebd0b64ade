// The answer to `protover`: what the engine supports.
#pragma once

#include "protocol/options.h"

namespace protocol {

// Lines of at most 300 bytes, the last of them "feature done=1".
std::vector<std::string> feature_lines(const Settings& settings);

}  // namespace protocol
