// The options that the user sets with `option NAME=VALUE`. One table announces, reads and explains
// them.
#pragma once

#include "protocol/game/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace protocol {

// The features that announce the options: `option="OwnBook -check 1"` and so on.
std::vector<std::string> option_features(const Settings& settings);
// The same for UCI, "option name OwnBook type check default true", without those that UCI has no
// use for.
std::vector<std::string> uci_option_lines(const Settings& settings);
std::string option_help();  // names and meanings, for `--help`

enum class Setting { Changed, Kept, Empty, Invalid, Unknown };
// Clamps numbers to their range. A value of the wrong type is Invalid and changes nothing. Nor does
// an empty file name: it is Empty, or Kept if the client sends back what option_features() showed.
// Case and blanks in names do not matter.
Setting set_option(Settings& settings, std::string_view name, std::string_view value);

}  // namespace protocol
