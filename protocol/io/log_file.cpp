#include "protocol/io/log_file.h"

#include "protocol/io/output.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace protocol {

Result<std::unique_ptr<Log>> Log::open(const std::string& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0)
        return fail("no log in " + path + ": " + std::generic_category().message(errno));
    return std::unique_ptr<Log>(new Log(file));
}

Log::~Log() {
    ::close(file_);
}

void Log::write(char direction, std::string_view line) {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto since_1970 =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
    std::tm local{};
    localtime_r(&seconds, &local);
    std::array<char, 64> stamp{};
    std::snprintf(stamp.data(),
                  stamp.size(),
                  "%04d-%02d-%02d %02d:%02d:%02d.%03d %d %c ",
                  local.tm_year + 1900,
                  local.tm_mon + 1,
                  local.tm_mday,
                  local.tm_hour,
                  local.tm_min,
                  local.tm_sec,
                  static_cast<int>(since_1970.count() % 1000),
                  static_cast<int>(::getpid()),
                  direction);
    std::string whole = stamp.data() + std::string(line);
    if (!whole.ends_with('\n'))
        whole += '\n';
    const std::lock_guard lock(file_mutex_);
    write_all(file_, whole);
}

}  // namespace protocol
