#include "engine/platform/process.h"

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

namespace engine::platform {
namespace {

using std::chrono::milliseconds;
using Clock = Process::Clock;

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

std::string_view name_of(std::string_view variable) {
    return variable.substr(0, variable.find('='));
}

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
    std::vector<std::string> result;
    for (char** variable = environ; *variable; ++variable)
        if (std::none_of(changes.begin(), changes.end(), [variable](const std::string& change) {
                return name_of(change) == name_of(*variable);
            }))
            result.emplace_back(*variable);
    std::copy_if(changes.begin(),
                 changes.end(),
                 std::back_inserter(result),
                 [](const std::string& change) { return change.find('=') != std::string::npos; });
    return result;
}

// Ends with a null pointer, as the system wants it.
std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

int poll_until(std::span<pollfd> files, Clock::time_point until) {
    const auto left = std::max(until - Clock::now(), Clock::duration::zero());
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    return ppoll(files.data(), files.size(), &timeout, nullptr);
}

}  // namespace

struct Process::System {
    int pid, in, out, pid_handle;
    std::optional<int> status{};  // as waitpid gave it
};

Result<std::unique_ptr<Process>> Process::start(const Command& command) {
    if (const Result<void> checked = command.check(); !checked)
        return fail(checked.error().what);
    Pipe to, from;
    if (!to.good() || !from.good())
        return fail("no pipe: " + std::generic_category().message(errno));
    FileActions actions;
    const std::string& errors = command.error_file.empty() ? "/dev/null" : command.error_file;
    posix_spawn_file_actions_adddup2(&actions.value, to.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions.value, from.ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(
        &actions.value, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (!command.directory.empty())
        posix_spawn_file_actions_addchdir_np(&actions.value, command.directory.c_str());
    const Attributes attributes;
    std::vector<std::string> arguments = command.words;
    const std::vector<char*> words = pointers(arguments);
    std::vector<std::string> variables = environment_with(command.environment);
    std::vector<char*> environment = pointers(variables);
    pid_t pid = 0;
    const int error = posix_spawnp(
        &pid, words[0], &actions.value, &attributes.value, words.data(), environment.data());
    if (error != 0)
        return fail("cannot start " + command.words[0] + ": " +
                    std::generic_category().message(error));
    const int in = to.take(1), out = from.take(0);
    for (const int file : {in, out})
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    auto system = std::make_unique<System>(System{pid, in, out, handle});
    return std::unique_ptr<Process>(new Process(std::move(system)));
}

Process::Process(std::unique_ptr<System> system) : system_(std::move(system)) {}

Process::~Process() {
    finish(milliseconds(0));
}

bool Process::send(std::string_view text) {
    const Clock::time_point until = Clock::now() + WritePatience;
    while (!text.empty()) {
        if (system_->in < 0)
            return false;
        const ssize_t written = write(system_->in, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            std::array<pollfd, 1> files{pollfd{system_->in, POLLOUT, 0}};
            if (poll_until(files, until) <= 0 && Clock::now() >= until)
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

void Process::read_some() {
    std::array<char, 16384> bytes;
    const ssize_t count = read(system_->out, bytes.data(), bytes.size());
    if (count > 0)
        buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        at_end_ = true;
    last_read_ = Clock::now();
}

int Process::number() const {
    return system_->pid;
}

void Process::close_input() {
    if (system_->in >= 0)
        close(std::exchange(system_->in, -1));
}

void Process::close_output() {
    if (system_->out >= 0)
        close(std::exchange(system_->out, -1));
    at_end_ = true;
}

void Process::kill() {
    if (!system_->status)
        ::kill(-system_->pid, SIGKILL);
}

void Process::finish(milliseconds patience) {
    if (system_->status)
        return;
    close_input();
    if (patience.count() > 0 && !wait_for_exit(patience)) {
        ::kill(-system_->pid, SIGTERM);
        wait_for_exit(milliseconds(500));
    }
    reap();
}

// Reads and discards its output, so that the process is not blocked on writing.
bool Process::wait_for_exit(milliseconds patience) {
    const Clock::time_point until = Clock::now() + patience;
    while (Clock::now() < until) {
        std::array<pollfd, 2> files{pollfd{at_end_ ? -1 : system_->out, POLLIN, 0},
                                    pollfd{system_->pid_handle, POLLIN, 0}};
        if (at_end_ && system_->pid_handle < 0)
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
    kill();
    int status = 0;
    while (waitpid(system_->pid, &status, 0) < 0 && errno == EINTR) {
    }
    system_->status = status;
    for (const int file : {system_->in, system_->out, system_->pid_handle})
        if (file >= 0)
            close(file);
    system_->in = system_->out = system_->pid_handle = -1;
    at_end_ = true;
}

std::optional<int> Process::exit_status() const {
    if (!system_->status)
        return std::nullopt;
    const int status = *system_->status;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool wait_for(std::span<Process* const> processes, Clock::time_point until, const Event* cancel) {
    std::array<pollfd, MaxProcesses + 1> files{};
    const std::size_t count = std::min(processes.size(), MaxProcesses);
    for (std::size_t i = 0; i < count; ++i)
        files[i] = {processes[i]->at_end_ ? -1 : processes[i]->system_->out, POLLIN, 0};
    files[count] = {cancel ? static_cast<int>(cancel->native()) : -1, POLLIN, 0};
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

}  // namespace engine::platform
