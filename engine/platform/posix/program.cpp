#include "engine/platform/program.h"

#include <array>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <spawn.h>
#include <unistd.h>

namespace engine::platform {

namespace fs = std::filesystem;

namespace {

// Opens /dev/null for closed standard streams, so that no other file gets their numbers.
void open_standard_files() {
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(file, F_GETFD) < 0)
            (void)::open("/dev/null", file == STDIN_FILENO ? O_RDONLY : O_WRONLY);
}

// Of the user; "" if it is not known. Services often run without the variable HOME.
std::string home_folder() {
    if (const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
        home && *home == '/')
        return home;
    std::array<char, 4096> text{};
    passwd user{};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &user, text.data(), text.size(), &found) != 0 || !found ||
        !user.pw_dir || *user.pw_dir != '/')
        return {};
    return user.pw_dir;
}

}  // namespace

std::vector<std::string> begin_program(int argc, char** argv) {
    open_standard_files();
    std::signal(SIGXFSZ, SIG_IGN);
    return argc > 0 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>();
}

void ignore_broken_pipes() {
    std::signal(SIGPIPE, SIG_IGN);
}

fs::path program_file() {
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored);
}

fs::path user_data_folder() {
    if (const char* data = std::getenv("XDG_DATA_HOME");  // NOLINT(concurrency-mt-unsafe)
        data && *data == '/')
        return data;
    const std::string home = home_folder();
    return home.empty() ? fs::path() : fs::path(home) / ".local/share";
}

std::string with_home(const std::string& paths) {
    const std::string home = home_folder();
    if (home.empty())
        return paths;
    std::string expanded;
    bool begins = true, after_semicolon = false;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const char c = paths[i];
        if (begins && paths.compare(i, 2, "~/") == 0)
            expanded += home;
        else
            expanded += c;
        after_semicolon = c == ';' || (after_semicolon && c == ' ');
        begins = c == ':' || after_semicolon;
    }
    return expanded;
}

int process_number() {
    return ::getpid();
}

void pause(std::chrono::milliseconds time) {
    ::poll(nullptr, 0, static_cast<int>(time.count()));
}

bool is_terminal(int descriptor) {
    return ::isatty(descriptor) == 1;
}

bool reuse_of_ports_is_safe() {
    return true;
}

bool open_in_browser(const std::string& address) {
    std::string program = "xdg-open", page = address;
    const std::array<char*, 3> arguments{program.data(), page.data(), nullptr};
    ::pid_t child = 0;
    return ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), ::environ) ==
           0;
}

}  // namespace engine::platform
