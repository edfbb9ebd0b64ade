#include "engine/platform/program.h"

#include "engine/platform/windows/handles.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

namespace engine::platform {

namespace fs = std::filesystem;

std::wstring to_wide(std::string_view utf8) {
    const int size = static_cast<int>(utf8.size());
    std::wstring wide(
        static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)),
        L'\0');
    ::MultiByteToWideChar(
        CP_UTF8, 0, utf8.data(), size, wide.data(), static_cast<int>(wide.size()));
    return wide;
}

std::string to_utf8(std::wstring_view wide) {
    const int size = static_cast<int>(wide.size());
    std::string utf8(static_cast<std::size_t>(::WideCharToMultiByte(
                         CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr)),
                     '\0');
    ::WideCharToMultiByte(CP_UTF8,
                          0,
                          wide.data(),
                          size,
                          utf8.data(),
                          static_cast<int>(utf8.size()),
                          nullptr,
                          nullptr);
    return utf8;
}

void set_errno() {
    switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
        errno = EACCES;
        break;
    case ERROR_TOO_MANY_OPEN_FILES:
        errno = EMFILE;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        errno = ENOMEM;
        break;
    default:
        errno = EIO;
        break;
    }
}

std::vector<std::string> begin_program(int /*argc*/, char** /*argv*/) {
    _fmode = _O_BINARY;
    for (const int descriptor : {0, 1, 2})
        ::_setmode(descriptor, _O_BINARY);
    ::SetConsoleOutputCP(CP_UTF8);
    for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {  // colours
        const HANDLE console = ::GetStdHandle(stream);
        if (DWORD mode = 0; ::GetConsoleMode(console, &mode) != 0)
            ::SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    int count = 0;
    wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    std::vector<std::string> words;
    for (int i = 1; i < count; ++i)
        words.push_back(to_utf8(wide[i]));
    ::LocalFree(wide);
    return words;
}

void ignore_broken_pipes() {}  // they are failed writes here

fs::path program_file() {
    std::wstring name(32'768, L'\0');  // the longest path there can be
    const DWORD size = ::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
    name.resize(size);
    return name;
}

fs::path user_data_folder() {
    const wchar_t* const folder = ::_wgetenv(L"LOCALAPPDATA");
    return folder ? folder : fs::path();
}

std::string with_home(const std::string& paths) {
    return paths;
}

int process_number() {
    return static_cast<int>(::GetCurrentProcessId());
}

void pause(std::chrono::milliseconds time) {
    ::Sleep(static_cast<DWORD>(time.count()));
}

bool is_terminal(int descriptor) {
    return ::_isatty(descriptor) != 0;
}

bool reuse_of_ports_is_safe() {
    return false;
}

bool open_in_browser(const std::string& address) {
    const auto result = reinterpret_cast<std::intptr_t>(::ShellExecuteW(
        nullptr, L"open", to_wide(address).c_str(), nullptr, nullptr, SW_SHOWNORMAL));
    return result > 32;  // documented: up to 32 are errors
}

}  // namespace engine::platform
