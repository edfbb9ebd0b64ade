#include "protocol/io/log_file.h"

#include "protocol/io/output.h"

#include <cerrno>
#include <chrono>
#include <system_error>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <unistd.h>

namespace protocol {

Result<std::unique_ptr<LogFile>> LogFile::open(const std::string& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0)
        return fail("cannot write the log " + path + ": " + std::generic_category().message(errno));
    return std::unique_ptr<LogFile>(new LogFile(file));
}

LogFile::~LogFile() {
    ::close(file_);
}

void LogFile::write(char direction, std::string_view line) {
    const auto now = std::chrono::system_clock::now();
    const auto since_1970 =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
    const std::string whole = fmt::format("{:%F %T}.{:03} {} {} {}{}",
                                          fmt::localtime(std::chrono::system_clock::to_time_t(now)),
                                          since_1970.count() % 1000,
                                          ::getpid(),
                                          direction,
                                          line,
                                          line.ends_with('\n') ? "" : "\n");
    const std::lock_guard lock(file_mutex_);
    write_all(file_, whole);
}

}  // namespace protocol
