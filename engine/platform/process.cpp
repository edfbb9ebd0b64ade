// The lines in what a process has written.
#include "engine/platform/process.h"

#include "engine/platform/file.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace engine::platform {

Result<void> Command::check() const {
    std::error_code none;
    if (words.empty())
        return fail("empty engine command");
    if (!directory.empty() && !std::filesystem::is_directory(long_path(directory), none))
        return fail("no folder \"" + directory + '"');
    if (!error_file.empty() && !std::ofstream(long_path(error_file), std::ios::app))
        return fail("cannot write \"" + error_file + '"');
    return {};
}

std::string Process::ending() const {
    const std::optional<int> status = exit_status();
    return !status ? std::string()
                   : (*status < 0 ? "signal " : "exit status ") + std::to_string(std::abs(*status));
}

constexpr std::size_t MaxLine = 65'536;

std::optional<std::string_view> Process::line() {
    const std::size_t end = buffer_.find('\n', scanned_);
    if (end == std::string::npos && buffer_.size() - begin_ < MaxLine &&
        (!at_end_ || begin_ == buffer_.size())) {
        buffer_.erase(0, begin_);
        begin_ = 0;
        scanned_ = buffer_.size();
        return std::nullopt;
    }
    const std::size_t stop = std::min(end, buffer_.size());
    std::string_view text(buffer_.data() + begin_, stop - begin_);
    begin_ = scanned_ = std::min(stop + 1, buffer_.size());
    if (text.ends_with('\r'))
        text.remove_suffix(1);
    return text;
}

}  // namespace engine::platform
