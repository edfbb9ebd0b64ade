// What tests need of the operating system. Windows has no fork, no limits and no broken terminals,
// so a case that needs these is left out there, by the decorator needs_posix().
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <boost/test/unit_test.hpp>

namespace test_system {

boost::test_tools::assertion_result is_posix(boost::unit_test::test_unit_id);
inline boost::unit_test::precondition needs_posix() {
    return boost::unit_test::precondition(is_posix);
}

// True under an emulator of another processor, which does not tell who starts a program that this
// has failed, and which complains of what is preloaded for the programs that it runs.
inline bool is_emulated() {
    return std::getenv("NUTCRACKER_EMULATED") != nullptr;
}

// Sets a variable of the environment; without a value removes it.
void set_variable(const char* name, const std::optional<std::string>& value);

// The variable of the environment that names the folder for users' data.
extern const char* const DataFolderVariable;

// Sets a variable of the environment while it lives.
class Variable {
  public:
    Variable(const char* name, const std::filesystem::path& value) : name_(name) {
        if (const char* const before = std::getenv(name))  // NOLINT(concurrency-mt-unsafe)
            before_ = before;
        set_variable(name, value.string());
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { set_variable(name_, before_); }

  private:
    const char* name_;
    std::optional<std::string> before_;
};

// The exit status of a platform::Process that was killed.
extern const int KilledStatus;

// Runs `work` in a child process and returns its exit code; -1 if a signal ended it, 99 after an
// exception.
int in_a_child(const std::function<int()>& work);
// The same as another user where we are root, whom no access right binds; 77 if that is impossible.
int in_a_child_without_rights(const std::function<int()>& work);
bool can_drop_rights();

// The largest size of a file in bytes, without a value the usual one. At the limit writing fails,
// or the process dies.
void limit_file_size(std::optional<std::uint64_t> bytes, bool dies = false);

// Lets this process open `count` files more, without a value as many as usual.
void limit_open_files(std::optional<int> count);

// Standard input that gives `text` and then an error, while this lives.
class BrokenInput {
  public:
    explicit BrokenInput(const std::string& text);
    ~BrokenInput();
    BrokenInput(const BrokenInput&) = delete;
    BrokenInput& operator=(const BrokenInput&) = delete;

  private:
    int before_ = -1, broken_ = -1;
};

// Whether this process has none; true where that is not known.
bool no_children_left();

// Cuts the temporary files that this process has open in half.
void cut_temporary_files();

}  // namespace test_system
