// The program driven through pipes, as a client drives an engine. When nothing comes for a minute
// the case fails instead of hanging.
#pragma once

#include "engine/platform/process.h"
#include "engine/platform/program.h"
#include "tests/folder.h"
#include "tests/system.h"

#include <array>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

class Program {
  public:
    // `data`: the folder of the user's data; empty: that of who runs the test, so only for programs
    // without a book of the user. `more`: variables of the environment.
    explicit Program(const std::vector<std::string>& arguments,
                     const std::filesystem::path& data = {},
                     const std::vector<std::string>& more = {}) {
        engine::platform::ignore_broken_pipes();  // a dead program shows as missing output
        std::vector<std::string> words{NUTCRACKER_BINARY};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<std::string> environment{"HOME", test_system::DataFolderVariable};
        if (!data.empty())
            environment.back() += "=" + data.string();
        environment.insert(environment.end(), more.begin(), more.end());
        auto started = engine::platform::Process::start({.words = words,
                                                         .directory = {},
                                                         .error_file = errors_file().string(),
                                                         .environment = environment});
        BOOST_TEST_REQUIRE(started.has_value(), (started ? "" : started.error().what));
        process_ = std::move(*started);
    }

    void write(std::string_view bytes) const { process_->send(bytes); }
    void send(const std::vector<std::string_view>& lines) const {
        std::string all;
        for (const std::string_view line : lines)
            (all += line) += '\n';
        write(all);
    }
    // The next line printed; "(nothing)" at the end of the output or after a minute.
    std::string line() {
        for (;;) {
            if (const std::optional<std::string_view> line = process_->line())
                return std::string(*line);
            if (!read_more())
                return "(nothing)";
        }
    }
    // The lines up to and including the first one with this beginning.
    std::vector<std::string> until(std::string_view beginning) {
        std::vector<std::string> lines;
        do
            lines.push_back(line());
        while (!lines.back().starts_with(beginning) && lines.back() != "(nothing)");
        BOOST_TEST(lines.back().starts_with(beginning),
                   "waited for " << beginning << ", the last line was " << lines.back());
        return lines;
    }
    std::string move() { return until("move ").back().substr(5); }
    void kill() const { process_->kill(); }
    [[nodiscard]] int number() const { return process_->number(); }
    void close_input() const { process_->close_input(); }
    void close_output() const { process_->close_output(); }
    // Waits until the program ends. Returns the exit status, or minus the signal that ended it.
    int exit_status() {
        while (!process_->at_end() && read_more())
            while (const std::optional<std::string_view> line = process_->line())
                (rest_ += *line) += '\n';
        process_->wait_for_exit(std::chrono::minutes(1));
        process_->finish(std::chrono::milliseconds(0));
        std::ostringstream errors;
        errors << std::ifstream(errors_file(), std::ios::binary).rdbuf();
        complaints_ = errors.str();
        return process_->exit_status().value_or(-1000);
    }
    // What it wrote to standard error, after exit_status().
    [[nodiscard]] const std::string& complaints() const { return complaints_; }
    // What was left of its output, after exit_status().
    [[nodiscard]] const std::string& rest() const { return rest_; }

  private:
    [[nodiscard]] std::filesystem::path errors_file() const { return folder_ / "errors"; }
    bool read_more() {
        const std::array<engine::platform::Process*, 1> processes{process_.get()};
        return !process_->at_end() &&
               wait_for(processes,
                        engine::platform::Process::Clock::now() + std::chrono::minutes(1),
                        nullptr);
    }

    Folder folder_;
    std::unique_ptr<engine::platform::Process> process_;
    std::string rest_, complaints_;
};
