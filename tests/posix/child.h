// A child process and its output.
#pragma once

#include <array>
#include <csignal>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

class Child {
  public:
    // The program and its arguments. Its standard error is discarded, or read like its output.
    explicit Child(std::vector<std::string> words, bool with_errors = false) {
        std::vector<char*> argv;
        argv.reserve(words.size() + 1);
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        std::array<int, 2> ends{};
        BOOST_TEST_REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        child_ = ::fork();
        BOOST_TEST_REQUIRE(child_ >= 0);
        if (child_ == 0) {
            std::signal(SIGINT, SIG_DFL);  // a shell ignores it for what runs in the background
            ::dup2(ends[1], 1);
            ::dup2(with_errors ? ends[1] : ::open("/dev/null", O_WRONLY), 2);
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        ::close(ends[1]);
        out_ = ends[0];
    }
    ~Child() {
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
        }
        ::close(out_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Waits for a line; false at the end of the output.
    bool line() {
        for (char c = 0; ::read(out_, &c, 1) == 1; said_ += c)
            if (c == '\n')
                return said_ += c, true;
        return false;
    }
    void interrupt() const { ::kill(child_, SIGINT); }
    // Waits for its end. Its exit status, or the negative number of the signal that ended it.
    int status() {
        while (line()) {
        }
        int status = 0;
        ::waitpid(child_, &status, 0);
        child_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    [[nodiscard]] std::vector<std::string> lines() const {
        std::istringstream in(said_);
        std::vector<std::string> lines;
        for (std::string text; std::getline(in, text);)
            lines.push_back(text);
        return lines;
    }

  private:
    ::pid_t child_ = 0;
    int out_ = -1;
    std::string said_;
};
