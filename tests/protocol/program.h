// The program driven through pipes, as a client drives an engine. When nothing comes for a minute
// the case fails instead of hanging.
#pragma once

#include "tests/folder.h"

#include <array>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

class Program {
  public:
    using Environment = std::vector<std::string>;

    Program(const std::vector<std::string>& arguments, const Environment& environment) {
        std::array<int, 2> in{}, out{}, errors{};
        for (auto* ends : {&in, &out, &errors})
            BOOST_TEST_REQUIRE(::pipe2(ends->data(), O_CLOEXEC) == 0);
        std::vector<std::string> words = arguments, variables = environment;
        words.insert(words.begin(), NUTCRACKER_BINARY);
        const std::vector<char*> argv = pointers(words), envp = pointers(variables);
        child_ = ::fork();
        BOOST_TEST_REQUIRE(child_ >= 0);
        if (child_ == 0) {
            std::signal(SIGPIPE, SIG_DFL);
            ::dup2(in[0], 0);
            ::dup2(out[1], 1);
            ::dup2(errors[1], 2);
            ::execve(argv[0], argv.data(), envp.data());
            ::_exit(127);
        }
        std::signal(SIGPIPE, SIG_IGN);  // a dead program shows as missing output
        ::close(in[0]);
        ::close(out[1]);
        ::close(errors[1]);
        in_ = in[1];
        out_ = out[0];
        errors_ = errors[0];
    }
    ~Program() {
        if (!status_) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
        }
        close_input();
        close_output();
        ::close(errors_);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void write(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t written = ::write(in_, bytes.data(), bytes.size());
            if (written <= 0)
                return;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    void send(const std::vector<std::string_view>& lines) const {
        std::string all;
        for (const std::string_view line : lines)
            (all += line) += '\n';
        write(all);
    }
    // The next line printed; "(nothing)" at the end of the output or after a minute.
    std::string line() {
        std::size_t end = printed_.find('\n');
        while (end == std::string::npos) {
            if (!read_more(out_, printed_))
                return "(nothing)";
            end = printed_.find('\n');
        }
        std::string first = printed_.substr(0, end);
        printed_.erase(0, end + 1);
        return first;
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
    void signal(int number) const { ::kill(child_, number); }
    void close_input() {
        if (in_ >= 0)
            ::close(in_);
        in_ = -1;
    }
    void close_output() {
        if (out_ >= 0)
            ::close(out_);
        out_ = -1;
    }
    // Waits until the program ends. Returns the exit status, or minus the signal that ended it.
    int exit_status() {
        if (!status_) {
            while (out_ >= 0 && read_more(out_, printed_)) {
            }
            while (read_more(errors_, complaints_)) {
            }
            int status = 0;
            ::waitpid(child_, &status, 0);
            status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        }
        return *status_;
    }
    // What it wrote to standard error; complete after exit_status().
    [[nodiscard]] const std::string& complaints() const { return complaints_; }
    [[nodiscard]] const std::string& rest() const { return printed_; }

  private:
    static std::vector<char*> pointers(std::vector<std::string>& texts) {
        std::vector<char*> result;
        for (std::string& text : texts)
            result.push_back(text.data());
        result.push_back(nullptr);
        return result;
    }
    static bool read_more(int file, std::string& into) {
        constexpr int minute = 60'000;
        pollfd waiting{file, POLLIN, 0};
        std::array<char, 4096> buffer;
        if (::poll(&waiting, 1, minute) <= 0)
            return false;
        const ssize_t count = ::read(file, buffer.data(), buffer.size());
        if (count > 0)
            into.append(buffer.data(), static_cast<std::size_t>(count));
        return count > 0;
    }

    pid_t child_ = -1;
    int in_ = -1, out_ = -1, errors_ = -1;
    std::string printed_, complaints_;
    std::optional<int> status_;
};
