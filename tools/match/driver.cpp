#include "tools/match/driver.h"

#include "engine/platform/file.h"
#include "tools/match/cecp.h"
#include "tools/match/uci.h"

#include <algorithm>
#include <array>

namespace tools::match {

bool objects_to_option(std::string_view line, std::span<const Option> options) {
    const std::string text = lower(line);
    const auto begins = [&text](std::string_view words) { return text.starts_with(words); };
    constexpr std::array<std::string_view, 3> Errors{"error", "no such option", "no memory"};
    return std::any_of(Errors.begin(), Errors.end(), begins) ||
           std::any_of(options.begin(), options.end(), [&begins](const Option& option) {
               return begins(lower(option.first) + ':');
           });
}

Result<std::unique_ptr<Trace>> Trace::open(const std::string& path) {
    std::ofstream file(engine::platform::long_path(path), std::ios::binary);
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

bool Trace::is_complete() {
    const std::lock_guard lock(file_mutex_);
    return file_.good();
}

Result<std::unique_ptr<Driver>> Driver::start(const EngineSpec& spec, Trace* trace, Cancel cancel) {
    Result<std::unique_ptr<Process>> process = Process::start(spec.command);
    if (!process)
        return fail(process.error().what);
    std::unique_ptr<Driver> driver;
    if (spec.protocol == Protocol::Uci)
        driver = std::make_unique<Uci>(spec, std::move(*process), trace, cancel);
    else
        driver = std::make_unique<Cecp>(spec, std::move(*process), trace, cancel);
    return driver;
}

Driver::Driver(EngineSpec spec, std::unique_ptr<Process> process, Trace* trace, Cancel cancel)
    : spec_(std::move(spec)), process_(std::move(process)), trace_(trace), cancel_(cancel) {}

std::string Driver::name() const {
    if (!spec_.name.empty())
        return spec_.name;
    if (!own_name_.empty())
        return own_name_;
    return std::filesystem::path(spec_.command.words.front()).filename().string();
}

void Driver::send(std::string_view text) {
    if (trace_)
        trace_->write(name(), '>', text);
    process_->send(text);  // a failure shows as the end of its output
}

std::optional<std::string_view> Driver::next_line() {
    const std::optional<std::string_view> line = process_->line();
    if (line && trace_)
        trace_->write(name(), '<', *line);
    return line;
}

EngineResult Driver::await_ready(Clock::time_point until) {
    const std::array<Process*, 1> self{process_.get()};
    EngineResult ready;
    for (;;) {
        while (const std::optional<std::string_view> line = next_line()) {
            const Event event = handle_line(*line);
            if (event.type == EventType::Refusal && ready)
                ready = tl::unexpected(EngineFailure{Ending::IllegalMove, event.text});
            if (event.type == EventType::Ready)
                return ready;
        }
        if (process_->at_end())
            return tl::unexpected(EngineFailure{Ending::Crash, name() + " ended unexpectedly"});
        if (!wait_for(self, until, cancel_)) {
            if (Clock::now() < until)
                return tl::unexpected(EngineFailure{Ending::Unfinished, "cancelled"});
            return tl::unexpected(EngineFailure{Ending::Stall, name() + " does not answer"});
        }
    }
}

void Driver::quit(milliseconds patience) {
    send("quit\n");
    process_->finish(patience);
}

}  // namespace tools::match
