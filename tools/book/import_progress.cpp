#include "tools/book/import_progress.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include <unistd.h>

namespace tools {

Progress::Progress(bool quiet, const std::vector<std::filesystem::path>& files)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {
    for (const std::filesystem::path& file : files) {
        std::error_code none;
        const std::uintmax_t size = std::filesystem::file_size(file, none);
        if (none) {
            total_ = 0;
            return;
        }
        total_ += static_cast<std::int64_t>(size);
    }
}

void Progress::begin_file(const book::GamesFile& file) {
    done_here_ = file.raw_read;
}
void Progress::end_file() {
    done_ += *done_here_;
    done_here_.reset();
}

double Progress::seconds() const {
    return std::max(std::chrono::duration<double>(Clock::now() - start_).count(), 1e-9);
}

void Progress::show(std::int64_t games) {
    using namespace std::chrono_literals;
    const Clock::time_point now = Clock::now();
    if (quiet_ || now - shown_ < (terminal_ ? 250ms : 10s))
        return;
    shown_ = now;
    const auto done = static_cast<double>(done_ + (done_here_ ? done_here_->load() : 0));
    std::fprintf(stderr,
                 "%s%lld games, %.0f a second",
                 terminal_ ? "\r" : "",
                 static_cast<long long>(games),
                 static_cast<double>(games) / seconds());
    if (const auto total = static_cast<double>(total_); total > 0 && done > 0)
        std::fprintf(stderr,
                     ", %.0f %%, %.0f s left",
                     100 * done / total,
                     seconds() * std::max(total - done, 0.0) / done);
    std::fputs(terminal_ ? "   " : "\n", stderr);
    written_ = true;
}

void Progress::wipe() {
    if (terminal_ && written_)
        std::fputs("\r\033[K", stderr);
    written_ = false;
}

void Progress::tell(const book::ImportTrouble& t) {
    if (quiet_)
        return;
    wipe();
    std::cerr << t.file;
    if (t.line > 0)
        std::cerr << ':' << t.line;
    if (t.game > 0)
        std::cerr << ": game " << t.game << (t.left_out ? " left out" : "");
    std::cerr << ": " << t.what << '\n';
}

void Progress::end(std::int64_t games) {
    wipe();
    std::fprintf(
        stderr, "%.1f s, %.0f games a second\n", seconds(), static_cast<double>(games) / seconds());
}

}  // namespace tools
