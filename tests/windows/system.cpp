#include "tests/system.h"

#include <cstdlib>
#include <stdexcept>

namespace test_system {
namespace {

[[noreturn]] void not_here() {
    throw std::logic_error("a case that is not for Windows");
}

}  // namespace

boost::test_tools::assertion_result is_posix(boost::unit_test::test_unit_id /*unit*/) {
    boost::test_tools::assertion_result no(false);
    no.message() << "not on Windows";
    return no;
}

const char* const DataFolderVariable = "LOCALAPPDATA";
const int KilledStatus = 9;

void set_variable(const char* name, const std::optional<std::string>& value) {
    ::_putenv_s(name, value.value_or("").c_str());
}

int in_a_child(const std::function<int()>& /*work*/) {
    not_here();
}

int in_a_child_without_rights(const std::function<int()>& /*work*/) {
    not_here();
}

bool can_drop_rights() {
    return false;
}

void limit_file_size(std::optional<std::uint64_t> /*bytes*/, bool /*dies*/) {
    not_here();
}

void limit_open_files(std::optional<int> /*count*/) {
    not_here();
}

BrokenInput::BrokenInput(const std::string& /*text*/) {
    not_here();
}

BrokenInput::~BrokenInput() = default;

bool no_children_left() {
    return true;
}

void cut_temporary_files() {
    not_here();
}

}  // namespace test_system
