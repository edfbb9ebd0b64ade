#include "tools/match/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tools::match {
namespace {

constexpr std::size_t MaxLine = 65'536;
constexpr milliseconds WritePatience{5000};
constexpr std::size_t MaxProcesses = 8;  // waited for at a time

// Both ends of a pipe, closed by the destructor unless taken.
struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            ends = {-1, -1};
    }
    ~Pipe() {
        for (const int end : ends)
            if (end >= 0)
                close(end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    [[nodiscard]] bool good() const { return ends[0] >= 0; }
    int take(std::size_t which) { return std::exchange(ends[which], -1); }
};

struct FileActions {
    posix_spawn_file_actions_t value{};
    FileActions() { posix_spawn_file_actions_init(&value); }
    ~FileActions() { posix_spawn_file_actions_destroy(&value); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
};

struct Attributes {
    posix_spawnattr_t value{};
    // A process group of its own: Ctrl-C does not reach it, and we can kill all of it. The signal
    // mask and handlers are the defaults, whatever ours are.
    Attributes() {
        posix_spawnattr_init(&value);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&value, &none);
        posix_spawnattr_setsigdefault(&value, &all);
        posix_spawnattr_setpgroup(&value, 0);
        posix_spawnattr_setflags(
            &value, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~Attributes() { posix_spawnattr_destroy(&value); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
};

int poll_until(std::span<pollfd> files, Clock::time_point until) {
    const auto left = std::max(until - Clock::now(), Clock::duration::zero());
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    return ppoll(files.data(), files.size(), &timeout, nullptr);
}

}  // namespace

Result<std::unique_ptr<Process>> Process::start(const Command& command) {
    if (command.words.empty())
        return fail("empty engine command");
    Pipe to, from;
    if (!to.good() || !from.good())
        return fail("no pipe: " + std::generic_category().message(errno));
    FileActions actions;
    const std::string& errors = command.error_file.empty() ? "/dev/null" : command.error_file;
    posix_spawn_file_actions_adddup2(&actions.value, to.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions.value, from.ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(
        &actions.value, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (!command.directory.empty())
        posix_spawn_file_actions_addchdir_np(&actions.value, command.directory.c_str());
    const Attributes attributes;
    std::vector<char*> words;
    for (const std::string& word : command.words)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = 0;
    const int error =
        posix_spawnp(&pid, words[0], &actions.value, &attributes.value, words.data(), environ);
    if (error != 0)
        return fail("cannot start " + command.words[0] + ": " +
                    std::generic_category().message(error));
    const int in = to.take(1), out = from.take(0);
    for (const int file : {in, out})
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    return std::unique_ptr<Process>(new Process(pid, in, out, handle));
}

Process::Process(int pid, int in, int out, int pid_handle)
    : pid_(pid), in_(in), out_(out), pid_handle_(pid_handle), last_read_(Clock::now()) {}

Process::~Process() {
    finish(milliseconds(0));
}

bool Process::send(std::string_view text) {
    const Clock::time_point until = Clock::now() + WritePatience;
    while (!text.empty()) {
        if (in_ < 0)
            return false;
        const ssize_t written = write(in_, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            std::array<pollfd, 1> files{pollfd{in_, POLLOUT, 0}};
            if (poll_until(files, until) <= 0 && Clock::now() >= until)
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

std::optional<std::string_view> Process::line() {
    const std::size_t end = buffer_.find('\n', scanned_);
    if (end == std::string::npos && buffer_.size() - begin_ < MaxLine &&
        (!at_end_ || begin_ == buffer_.size())) {
        buffer_.erase(0, begin_);
        begin_ = 0;
        scanned_ = buffer_.size();
        return std::nullopt;
    }
    const std::size_t stop = std::min(end, buffer_.size());
    std::string_view text(buffer_.data() + begin_, stop - begin_);
    begin_ = scanned_ = std::min(stop + 1, buffer_.size());
    if (text.ends_with('\r'))
        text.remove_suffix(1);
    return text;
}

void Process::read_some() {
    std::array<char, 16384> bytes;
    const ssize_t count = read(out_, bytes.data(), bytes.size());
    if (count > 0)
        buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        at_end_ = true;
    last_read_ = Clock::now();
}

void Process::finish(milliseconds patience) {
    if (status_)
        return;
    if (in_ >= 0)
        close(std::exchange(in_, -1));
    if (patience.count() > 0 && !wait_for_exit(patience)) {
        kill(-pid_, SIGTERM);
        wait_for_exit(milliseconds(500));
    }
    reap();
}

// Reads and discards its output, so that the process is not blocked on writing.
bool Process::wait_for_exit(milliseconds patience) {
    const Clock::time_point until = Clock::now() + patience;
    while (Clock::now() < until) {
        std::array<pollfd, 2> files{pollfd{at_end_ ? -1 : out_, POLLIN, 0},
                                    pollfd{pid_handle_, POLLIN, 0}};
        if (at_end_ && pid_handle_ < 0)
            return true;
        if (poll_until(files, until) <= 0)
            continue;
        if (files[0].revents)
            read_some();
        if (files[1].revents)
            return true;
        buffer_.clear();
        begin_ = scanned_ = 0;
    }
    return false;
}

// The group must be killed before waitpid() frees its number. A leader that has already ended keeps
// its own exit status.
void Process::reap() {
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
    for (const int file : {in_, out_, pid_handle_})
        if (file >= 0)
            close(file);
    in_ = out_ = pid_handle_ = -1;
    at_end_ = true;
}

std::string Process::ending() const {
    if (!status_)
        return {};
    if (WIFSIGNALED(*status_))
        return "signal " + std::to_string(WTERMSIG(*status_));
    return "exit status " + std::to_string(WEXITSTATUS(*status_));
}

bool wait_for(std::span<Process* const> processes, Clock::time_point until, int cancel) {
    std::array<pollfd, MaxProcesses + 1> files{};
    const std::size_t count = std::min(processes.size(), MaxProcesses);
    for (std::size_t i = 0; i < count; ++i)
        files[i] = {processes[i]->at_end_ ? -1 : processes[i]->out_, POLLIN, 0};
    files[count] = {cancel, POLLIN, 0};
    for (;;) {
        const int ready = poll_until(std::span(files).first(count + 1), until);
        if (ready > 0)
            break;
        if (ready == 0 || errno != EINTR)
            return false;
    }
    if (files[count].revents)
        return false;
    for (std::size_t i = 0; i < count; ++i)
        if (files[i].revents)
            processes[i]->read_some();
    return true;
}

}  // namespace tools::match
