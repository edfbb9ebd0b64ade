// Small things that the sources for Windows share. Included by them alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <windows.h>

namespace engine::platform {

std::wstring to_wide(std::string_view utf8);
std::string to_utf8(std::wstring_view wide);

// Sets errno to what the last error of Windows means.
void set_errno();

// The first handle that is signalled; nothing if the time passes before.
std::optional<std::size_t> wait_any(std::span<const HANDLE> handles,
                                    std::chrono::steady_clock::time_point until);

}  // namespace engine::platform
