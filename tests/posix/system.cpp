#include "tests/system.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace test_system {
namespace {

constexpr int Impossible = 77, Threw = 99;

// Changes the soft limit and leaves the hard one; without a value as it was before the first
// change.
void limit(__rlimit_resource resource, std::optional<::rlim_t> value) {
    ::rlimit now{};
    BOOST_TEST_REQUIRE(::getrlimit(resource, &now) == 0);
    static std::map<int, ::rlim_t> usual;
    now.rlim_cur = value.value_or(usual.emplace(resource, now.rlim_cur).first->second);
    BOOST_TEST_REQUIRE(::setrlimit(resource, &now) == 0);
}

}  // namespace

boost::test_tools::assertion_result is_posix(boost::unit_test::test_unit_id /*unit*/) {
    return true;
}

const char* const DataFolderVariable = "XDG_DATA_HOME";
const int KilledStatus = -SIGKILL;

void set_variable(const char* name, const std::optional<std::string>& value) {
    if (value)
        ::setenv(name, value->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    else
        ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
}

int in_a_child(const std::function<int()>& work) {
    const ::pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        try {
            ::_exit(work());
        } catch (...) {
            ::_exit(Threw);
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int in_a_child_without_rights(const std::function<int()>& work) {
    return in_a_child([&work] {
        constexpr ::uid_t Nobody = 65534;
        if (::geteuid() == 0 && ::setresuid(Nobody, Nobody, Nobody) != 0)
            return Impossible;
        return work();
    });
}

bool can_drop_rights() {
    const bool can = in_a_child_without_rights([] { return 0; }) != Impossible;
    if (!can)
        BOOST_TEST_MESSAGE("skipped: root cannot become another user here");
    return can;
}

void limit_file_size(std::optional<std::uint64_t> bytes, bool dies) {
    std::signal(SIGXFSZ, bytes && !dies ? SIG_IGN : SIG_DFL);
    limit(RLIMIT_FSIZE, bytes);
}

void limit_open_files(std::optional<int> count) {
    const int next = ::dup(0);  // the lowest free descriptor
    ::close(next);
    limit(RLIMIT_NOFILE,
          count ? std::optional(static_cast<::rlim_t>(next + *count)) : std::nullopt);
}

// The reading end of a terminal fails when the other end is closed.
BrokenInput::BrokenInput(const std::string& text) : broken_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    BOOST_TEST_REQUIRE(broken_ >= 0);
    BOOST_TEST_REQUIRE((::grantpt(broken_) == 0 && ::unlockpt(broken_) == 0));
    std::array<char, 64> name{};
    BOOST_TEST_REQUIRE(::ptsname_r(broken_, name.data(), name.size()) == 0);
    const int terminal = ::open(name.data(), O_RDWR | O_NOCTTY);
    termios raw{};
    BOOST_TEST_REQUIRE(::tcgetattr(terminal, &raw) == 0);
    ::cfmakeraw(&raw);
    ::tcsetattr(terminal, TCSANOW, &raw);
    BOOST_TEST_REQUIRE(::write(terminal, text.data(), text.size()) ==
                       static_cast<ssize_t>(text.size()));
    ::close(terminal);
    before_ = ::dup(STDIN_FILENO);
    ::dup2(broken_, STDIN_FILENO);
}

BrokenInput::~BrokenInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
    ::close(broken_);
}

bool no_children_left() {
    return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

void cut_temporary_files() {
    for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code none;
        const std::string file = std::filesystem::read_symlink(open.path(), none).string();
        if (file.find("nutcracker-temporary") != std::string::npos)
            std::filesystem::resize_file(open.path(), std::filesystem::file_size(open.path()) / 2);
    }
}

}  // namespace test_system
