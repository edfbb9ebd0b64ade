// Whole files as strings.
#pragma once

#include "engine/board/result.h"

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace tools {

// The bytes of a file or a pipe. Fails, with its name, if it cannot be read or is a device, which
// may have no end.
Result<std::string> read_bytes(const std::string& name);

// The file that a command replaces under this name: the target of symbolic links. Fails on anything
// but a regular file: a pipe, for example, would be replaced by a file.
Result<std::string> file_to_replace(const std::string& name);

// Writes a file through "NAME.new": it is always complete, with the old bytes or the new ones,
// even if the system crashes or `write` throws. A link stays a link: its target is replaced.
// A pipe or a device is written directly.
Result<void> replace_file(const std::string& name, const std::function<void(std::ostream&)>& write);
Result<void> replace_file(const std::string& name, std::string_view bytes);

}  // namespace tools
