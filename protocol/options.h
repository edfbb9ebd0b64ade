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
std::string option_help();  // names and meanings, for `--help`

enum class Setting { Changed, Kept, Empty, Unknown };
// Clamps numbers to their range. A value of the wrong type changes nothing, nor does an empty
// file name: it is Empty, or Kept if the client sends back what option_features() showed. Upper and
// lower case are the same in names.
Setting set_option(Settings& settings, std::string_view name, std::string_view value);

}  // namespace protocol
