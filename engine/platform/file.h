// Files by descriptor: what std::fstream cannot do. Locks, truncation, reading at an offset, and
// errors in errno, on Windows too. Paths in text are UTF-8 everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine::platform {

class Event;

// Separates the folders of a list: ":", or ";" on Windows, where a path may begin with "C:".
inline constexpr char ListSeparator = std::filesystem::path::preferred_separator == '/' ? ':' : ';';

// Closes its descriptor when destroyed, which releases its lock; so does the end of the process.
// All functions leave the reason of a failure in errno. An interrupted call is repeated.
class File {
  public:
    enum class Mode {
        Read,
        Edit,    // reading and writing of a file that exists
        Create,  // the same, and the file is made if it is missing
        Append,  // writing at the end, wherever that is at the time; made if it is missing
        EditEnd  // Append, and reading
    };
    File() = default;  // not open
    File(const std::filesystem::path& path, Mode mode);
    // Opens and waits for the lock; not open if either fails.
    static File locked(const std::filesystem::path& path, Mode mode);
    static File standard_input();
    // A file without a name, which vanishes with this object.
    static File temporary(const std::filesystem::path& folder);
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    ~File();

    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

    // The number of bytes read, 0 at the end, -1 on an error.
    [[nodiscard]] std::ptrdiff_t read(std::span<char> to) const;
    [[nodiscard]] std::ptrdiff_t read_at(std::span<char> to, std::int64_t offset) const;
    // From here to the end; nothing on an error.
    [[nodiscard]] std::optional<std::string> read_all() const;
    // Writes all; false on an error, when part of it may have been written.
    [[nodiscard]] bool write(std::string_view bytes) const;
    [[nodiscard]] bool write_at(std::string_view bytes, std::int64_t offset) const;
    // Waits until all that was written is on the disk.
    [[nodiscard]] bool sync() const;

    [[nodiscard]] std::optional<std::int64_t> size() const;
    [[nodiscard]] bool truncate(std::int64_t size) const;
    [[nodiscard]] bool rewind() const;  // the next read() or write() is at the beginning
    // Whether `path` names this file: not another one that has taken its place.
    [[nodiscard]] bool is_at(const std::filesystem::path& path) const;

    // An exclusive lock among the processes that ask for one. lock() waits; try_lock() does not.
    [[nodiscard]] bool lock() const;
    [[nodiscard]] bool try_lock() const;

  private:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    void close() const;
    int descriptor_ = -1;
};

// What errno says, as "No such file or directory".
std::string error_text();

// Writes all bytes to a descriptor, waiting while it accepts no more; false if that fails. Gives up
// soon after `end` is set, except on Windows; null: never.
bool write_all(int descriptor, std::string_view bytes, const Event* end = nullptr);

// The path in a form without a length limit; on Windows an ordinary path has at most 260
// characters. Every function and library that opens files understands it.
std::filesystem::path long_path(const std::filesystem::path& path);

// The target of symbolic links, which need not exist. SQLite follows them, too, so the files of a
// book lie beside the target. The name of an open pipe or device, such as "/dev/stdout", stays. The
// result is in the form of long_path().
std::filesystem::path resolved(std::filesystem::path path);

// Whether a file can be removed while it is open.
inline constexpr bool RemovesOpenFiles = std::filesystem::path::preferred_separator == '/';

// Removes a file that this process may have open as a File. False if that fails.
bool remove_open(const std::filesystem::path& path);

// Whether a file may be written, or files may be made in a folder.
bool is_writable(const std::filesystem::path& path);

// Text that changes whenever the file is written or another one takes its place; "-" for none.
std::string stamp_of(const std::filesystem::path& path);

}  // namespace engine::platform
