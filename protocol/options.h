// What the user can set by `option NAME=VALUE`: one row for each, from which both the announcement
// and the reading are made.
#pragma once

#include "protocol/game/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace protocol {

// The features that announce them: `option="OwnBook -check 1"` and so on.
std::vector<std::string> option_features(const Settings& settings);

enum class Setting { Changed, Kept, Unknown };
// Numbers out of range are clamped; a value of the wrong kind changes nothing. Names in any case.
Setting set_option(Settings& settings, std::string_view name, std::string_view value);

}  // namespace protocol
