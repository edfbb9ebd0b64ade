// Whole files as strings.
#pragma once

#include "engine/board/result.h"

#include <string>

namespace tools {

// The file's bytes; fails with its name if there are none to be had.
Result<std::string> read_bytes(const std::string& path);

}  // namespace tools
