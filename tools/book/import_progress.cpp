#include "tools/book/import_progress.h"

#include "engine/platform/program.h"

#include <algorithm>
#include <future>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace tools {
namespace {

constexpr std::size_t BlockSize = 1 << 20;

// Messages go to std::cerr: fmt::print(stderr) throws if they cannot be written.

// Reads one block ahead on another thread, so that decompression costs the reader no time.
class Prefetcher {
  public:
    explicit Prefetcher(book::TextSource source) : source_(std::move(source)) { start(); }

    std::size_t read(std::span<char> to) {
        if (used_ == block_.size() && next_.valid()) {
            block_ = next_.get();
            used_ = 0;
            if (!block_.empty())
                start();
        }
        const std::size_t size = std::min(to.size(), block_.size() - used_);
        std::copy_n(block_.data() + used_, size, to.data());
        used_ += size;
        return size;
    }

  private:
    void start() {
        next_ = std::async(std::launch::async, [this] {
            std::vector<char> block(BlockSize);
            block.resize(source_(block));
            return block;
        });
    }

    book::TextSource source_;
    std::vector<char> block_;
    std::size_t used_ = 0;
    std::future<std::vector<char>> next_;  // its destructor waits for the thread
};

}  // namespace

Progress::Progress(bool quiet, const std::vector<std::filesystem::path>& files)
    : quiet_(quiet), terminal_(engine::platform::is_terminal(2)) {
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

void Progress::begin_file(book::GamesFile& file) {
    done_here_ = file.raw_read;
    if (file.packed)
        file.read = [ahead = std::make_shared<Prefetcher>(std::move(file.read))](
                        std::span<char> to) { return ahead->read(to); };
}
void Progress::end_file() {
    done_ += *done_here_;
    done_here_.reset();
}

double Progress::seconds() const {
    return std::max(std::chrono::duration<double>(Clock::now() - start_).count(), 1e-9);
}

bool Progress::is_due() {
    using namespace std::chrono_literals;
    const Clock::time_point now = Clock::now();
    if (quiet_ || now - shown_ < (terminal_ ? 250ms : 10s))
        return false;
    shown_ = now;
    return true;
}

void Progress::write(const std::string& line) {
    fmt::print(std::cerr, "{}{}{}", terminal_ ? "\r" : "", line, terminal_ ? "\033[K" : "\n");
    written_ = true;
}

void Progress::show(std::int64_t games) {
    if (!is_due())
        return;
    std::string line =
        fmt::format("{} games, {:.0f} a second", games, static_cast<double>(games) / seconds());
    const auto done = static_cast<double>(done_ + (done_here_ ? done_here_->load() : 0));
    if (const auto total = static_cast<double>(total_); total > 0 && done > 0)
        line += fmt::format(", {:.0f} %, {:.0f} s left",
                            100 * done / total,
                            seconds() * std::max(total - done, 0.0) / done);
    write(line);
}

void Progress::show_storing(double done) {
    if (is_due())
        write(fmt::format("storing, {:.0f} %", 100 * done));
}

void Progress::wipe() {
    if (terminal_ && written_)
        fmt::print(std::cerr, "\r\033[K");
    written_ = false;
}

void Progress::print(const book::ImportTrouble& t) {
    if (quiet_ && (t.game > 0 || !t.left_out))
        return;
    wipe();
    std::string where = t.file;
    if (t.line > 0)
        where += fmt::format(":{}", t.line);
    if (t.game > 0)
        where += fmt::format(": game {}{}", t.game, t.left_out ? " left out" : "");
    fmt::print(std::cerr, "{}: {}\n", where, t.what);
}

void Progress::end(std::int64_t games) {
    wipe();
    fmt::print(std::cerr,
               "{:.1f} s, {:.0f} games a second\n",
               seconds(),
               static_cast<double>(games) / seconds());
}

}  // namespace tools
