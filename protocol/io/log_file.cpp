#include "protocol/io/log_file.h"

#include "engine/platform/program.h"

#include <cerrno>
#include <chrono>
#include <system_error>

#include <fmt/chrono.h>

namespace protocol {

Result<std::unique_ptr<LogFile>> LogFile::open(const std::string& path) {
    using engine::platform::File;
    File file(path, File::Mode::Append);
    if (!file.is_open())
        return fail("cannot write the log " + path + ": " + std::generic_category().message(errno));
    return std::unique_ptr<LogFile>(new LogFile(std::move(file)));
}

void LogFile::write(char direction, std::string_view line) {
    const auto now = std::chrono::system_clock::now();
    const auto since_1970 =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
    const std::string whole = fmt::format("{:%F %T}.{:03} {} {} {}{}",
                                          fmt::localtime(std::chrono::system_clock::to_time_t(now)),
                                          since_1970.count() % 1000,
                                          engine::platform::process_number(),
                                          direction,
                                          line,
                                          line.ends_with('\n') ? "" : "\n");
    const std::lock_guard lock(file_mutex_);
    (void)file_.write(whole);
}

}  // namespace protocol
