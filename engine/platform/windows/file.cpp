#include "engine/platform/file.h"

#include "engine/platform/windows/handles.h"

#include <array>
#include <cerrno>
#include <climits>
#include <cwchar>
#include <random>

#include <fcntl.h>
#include <io.h>

// libstdc++ makes paths from narrow text by the C library's mbrtowc(), which knows only the old
// code pages; ours, linked in its place, reads UTF-8. A character beyond 16 bits becomes a
// surrogate pair. A byte that is not UTF-8 is read in the system's code page, for old programs.
extern "C" std::size_t mbrtowc(wchar_t* to, const char* from, std::size_t size, mbstate_t* state) {
    const auto give = [to](unsigned code) {
        if (to)
            *to = static_cast<wchar_t>(code);
    };
    if (!from || size == 0)
        return from ? static_cast<std::size_t>(-2) : 0;
    if (state && *state != 0) {  // the second half of a pair, at its last byte
        give(static_cast<unsigned>(*state));
        *state = 0;
        return 1;
    }
    const auto first = static_cast<unsigned char>(*from);
    const std::size_t length = first < 0x80             ? 1
                               : (first & 0xE0) == 0xC0 ? 2
                               : (first & 0xF0) == 0xE0 ? 3
                               : (first & 0xF8) == 0xF0 ? 4
                                                        : 0;
    bool good = length > 0 && length <= size;
    unsigned code = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t i = 1; good && i < length; ++i) {
        const auto next = static_cast<unsigned char>(from[i]);
        good = (next & 0xC0) == 0x80;
        code = code << 6 | (next & 0x3F);
    }
    if (!good) {
        wchar_t wide = first;
        MultiByteToWideChar(CP_ACP, 0, from, 1, &wide, 1);
        give(wide);
        return 1;
    }
    if (code < 0x10000) {
        give(code);
        return code == 0 ? 0 : length;
    }
    give(0xD800 + ((code - 0x10000) >> 10));
    if (state)
        *state = static_cast<int>(0xDC00 + ((code - 0x10000) & 0x3FF));
    return length - 1;
}

namespace engine::platform {
namespace {

// A byte so far beyond the end of any file that locking it hinders no reader.
constexpr OVERLAPPED LockedByte = [] {
    OVERLAPPED place{};
    place.Offset = 0xFFFFFFFE;
    place.OffsetHigh = 0x7FFFFFFF;
    return place;
}();

HANDLE handle_of(int descriptor) {
    return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
}

int failed() {
    set_errno();
    return -1;
}

// Lets others rename or remove the open file, as on other systems.
int open_file(
    const std::filesystem::path& name, DWORD access, DWORD creation, DWORD attributes, int flags) {
    constexpr DWORD Share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE handle =
        ::CreateFileW(name.c_str(), access, Share, nullptr, creation, attributes, nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        return failed();
    const int descriptor = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle),
                                             flags | _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0)
        ::CloseHandle(handle);
    return descriptor;
}

int open_file(const std::filesystem::path& path, File::Mode mode) {
    using Mode = File::Mode;
    const bool at_end = mode == Mode::Append || mode == Mode::EditEnd;
    const DWORD access = mode == Mode::Read     ? GENERIC_READ
                         : mode == Mode::Append ? FILE_APPEND_DATA | SYNCHRONIZE
                                                : GENERIC_READ | GENERIC_WRITE;
    const DWORD creation = mode == Mode::Read || mode == Mode::Edit ? OPEN_EXISTING : OPEN_ALWAYS;
    return open_file(
        long_path(path), access, creation, FILE_ATTRIBUTE_NORMAL, at_end ? _O_APPEND : 0);
}

std::optional<BY_HANDLE_FILE_INFORMATION> information(HANDLE handle) {
    BY_HANDLE_FILE_INFORMATION info{};
    return ::GetFileInformationByHandle(handle, &info) ? std::optional(info) : std::nullopt;
}

std::optional<BY_HANDLE_FILE_INFORMATION> information(const std::filesystem::path& path) {
    constexpr DWORD Share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE handle = ::CreateFileW(long_path(path).c_str(),
                                        0,
                                        Share,
                                        nullptr,
                                        OPEN_EXISTING,
                                        FILE_FLAG_BACKUP_SEMANTICS,
                                        nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        return std::nullopt;
    const auto info = information(handle);
    ::CloseHandle(handle);
    return info;
}

bool lock_file(int descriptor, DWORD flags) {
    OVERLAPPED place = LockedByte;
    return ::LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | flags, 0, 1, 0, &place) !=
               0 ||
           failed() == 0;
}

OVERLAPPED at(std::int64_t offset) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    return place;
}

DWORD at_once(std::size_t bytes) {
    return static_cast<DWORD>(std::min<std::size_t>(bytes, INT_MAX));
}

}  // namespace

File::File(const std::filesystem::path& path, Mode mode) : descriptor_(open_file(path, mode)) {}

File File::standard_input() {
    return File(::_dup(0));
}

File File::temporary(const std::filesystem::path& folder) {
    std::random_device random;
    const std::filesystem::path name =
        folder / ("nutcracker-temporary-" + std::to_string(random()) + std::to_string(random()));
    return File(open_file(long_path(name),
                          GENERIC_READ | GENERIC_WRITE,
                          CREATE_NEW,
                          FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE,
                          0));
}

void File::close() const {
    if (descriptor_ >= 0)
        ::_close(descriptor_);
}

std::ptrdiff_t File::read(std::span<char> to) const {
    return ::_read(descriptor_, to.data(), at_once(to.size()));
}

std::ptrdiff_t File::read_at(std::span<char> to, std::int64_t offset) const {
    OVERLAPPED place = at(offset);
    DWORD read = 0;
    if (::ReadFile(handle_of(descriptor_), to.data(), at_once(to.size()), &read, &place) != 0)
        return read;
    return ::GetLastError() == ERROR_HANDLE_EOF ? 0 : failed();
}

bool File::write_at(std::string_view bytes, std::int64_t offset) const {
    while (!bytes.empty()) {
        OVERLAPPED place = at(offset);
        DWORD written = 0;
        if (::WriteFile(
                handle_of(descriptor_), bytes.data(), at_once(bytes.size()), &written, &place) == 0)
            return failed() == 0;
        bytes.remove_prefix(written);
        offset += written;
    }
    return true;
}

bool File::sync() const {
    return ::_commit(descriptor_) == 0;
}

std::optional<std::int64_t> File::size() const {
    LARGE_INTEGER size{};
    if (::GetFileSizeEx(handle_of(descriptor_), &size) != 0)
        return size.QuadPart;
    set_errno();
    return std::nullopt;
}

bool File::truncate(std::int64_t size) const {
    return ::_chsize_s(descriptor_, size) == 0;
}

bool File::rewind() const {
    return ::_lseeki64(descriptor_, 0, SEEK_SET) == 0;
}

bool File::is_at(const std::filesystem::path& path) const {
    const auto here = information(handle_of(descriptor_)), there = information(path);
    return here && there && here->dwVolumeSerialNumber == there->dwVolumeSerialNumber &&
           here->nFileIndexHigh == there->nFileIndexHigh &&
           here->nFileIndexLow == there->nFileIndexLow;
}

bool File::lock() const {
    return lock_file(descriptor_, 0);
}

bool File::try_lock() const {
    return lock_file(descriptor_, LOCKFILE_FAIL_IMMEDIATELY);
}

bool write_all(int descriptor, std::string_view bytes, const Event* /*end*/) {
    while (!bytes.empty()) {
        const int written = ::_write(descriptor, bytes.data(), at_once(bytes.size()));
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::filesystem::path long_path(const std::filesystem::path& path) {
    constexpr std::wstring_view Prefix = L"\\\\?\\";
    if (!path.has_parent_path() || path.native().starts_with(Prefix))
        return path;  // a name alone may stand for something else, like "-"
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(path, error).lexically_normal();
    const std::wstring name = whole.make_preferred().wstring();
    const bool on_drive = name.size() > 2 && name[1] == L':';
    constexpr std::size_t Spare = 40;  // for what is appended to make the names of files beside it
    return !error && on_drive && name.size() + Spare > MAX_PATH
               ? std::filesystem::path(std::wstring(Prefix) + name)
               : path;
}

bool remove_open(const std::filesystem::path& path) {
    return ::DeleteFileW(long_path(path).c_str()) != 0 || failed() == 0;
}

// The right to make files in a folder is asked for by opening it with that right.
bool is_writable(const std::filesystem::path& path) {
    std::error_code error;
    const bool folder = std::filesystem::is_directory(path, error);
    constexpr DWORD Share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE handle = ::CreateFileW(long_path(path).c_str(),
                                        folder ? FILE_ADD_FILE : GENERIC_WRITE,
                                        Share,
                                        nullptr,
                                        OPEN_EXISTING,
                                        folder ? FILE_FLAG_BACKUP_SEMANTICS : FILE_ATTRIBUTE_NORMAL,
                                        nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    ::CloseHandle(handle);
    return true;
}

std::string stamp_of(const std::filesystem::path& path) {
    const auto info = information(path);
    if (!info)
        return "-";
    std::string stamp;
    for (const DWORD part : {info->dwVolumeSerialNumber,
                             info->nFileIndexHigh,
                             info->nFileIndexLow,
                             info->nFileSizeHigh,
                             info->nFileSizeLow,
                             info->ftLastWriteTime.dwHighDateTime,
                             info->ftLastWriteTime.dwLowDateTime})
        stamp += std::to_string(part) + ':';
    return stamp;
}

}  // namespace engine::platform
