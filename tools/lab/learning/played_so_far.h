// Resumes runs that were begun before, unless they were played by other rules.
#pragma once

#include "tools/common/errors.h"
#include "tools/common/files.h"

#include <filesystem>
#include <type_traits>

#include <fmt/format.h>

namespace tools::learning {

// The run in `file`, as `parse` reads it from text; one without games if there is no such file.
// Throws Failure if it cannot be read, or was played with other rules.
template <typename Rules, typename Parse>
auto played_so_far(const std::filesystem::path& file, const Rules& rules, const Parse& parse) {
    using Run = typename std::invoke_result_t<Parse, std::string>::value_type;
    if (!std::filesystem::exists(file))
        return Run{};
    const std::string name = file.string();
    Run run =
        value_or_throw(parse(value_or_throw(read_bytes(name))), fmt::format("\"{}\": ", name));
    if (run.rules != rules)
        throw Failure(fmt::format(
            "\"{}\" was played with other options or books; remove it or choose another file",
            name));
    return run;
}

}  // namespace tools::learning
