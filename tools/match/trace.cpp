#include "tools/match/trace.h"

namespace tools {

Result<std::unique_ptr<Trace>> Trace::open(const std::string& path) {
    std::ofstream file(path);
    if (!file)
        return fail("cannot write " + path);
    return std::unique_ptr<Trace>(new Trace(std::move(file)));
}

void Trace::write(std::string_view engine, char direction, std::string_view text) {
    const auto now = std::chrono::steady_clock::now() - start_;
    const auto time = std::chrono::duration_cast<milliseconds>(now);
    const std::lock_guard lock(file_mutex_);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        file_ << seconds_text(time) << ' ' << engine << ' ' << direction << ' '
              << text.substr(0, end) << '\n';
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    file_.flush();
}

}  // namespace tools
