// Whole files as strings.
#pragma once

#include "engine/board/result.h"

#include <string>

namespace tools {

// The bytes of a file or a pipe; fails with its name if there are none to be had, or no end of
// them.
Result<std::string> read_bytes(const std::string& path);

}  // namespace tools
