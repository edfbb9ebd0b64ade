#include "tools/match/driver.h"

#include "tools/match/cecp.h"
#include "tools/match/uci.h"

#include <array>

namespace tools {

Result<std::unique_ptr<Driver>> Driver::start(const EngineSpec& spec, Trace* trace, int cancel) {
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

Driver::Driver(EngineSpec spec, std::unique_ptr<Process> process, Trace* trace, int cancel)
    : spec_(std::move(spec)), process_(std::move(process)), trace_(trace), cancel_(cancel) {}

std::string Driver::name() const {
    if (!spec_.name.empty())
        return spec_.name;
    if (!own_name_.empty())
        return own_name_;
    const std::string& program = spec_.command.words.front();
    return program.substr(program.rfind('/') + 1);
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

Outlook Driver::await_ready(Clock::time_point until) {
    const std::array<Process*, 1> self{process_.get()};
    for (;;) {
        while (const std::optional<std::string_view> line = next_line())
            if (hear(*line).say == Say::Ready)
                return {};
        if (process_->at_end())
            return tl::unexpected(Trouble{Ending::Crash, name() + " ended unexpectedly"});
        if (!wait_for(self, until, cancel_)) {
            if (Clock::now() < until)
                return tl::unexpected(Trouble{Ending::Unfinished, "cancelled"});
            return tl::unexpected(Trouble{Ending::Stall, name() + " does not answer"});
        }
    }
}

void Driver::quit(milliseconds patience) {
    send("quit\n");
    process_->finish(patience);
}

}  // namespace tools
