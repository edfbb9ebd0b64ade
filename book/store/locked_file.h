// A file with an exclusive lock, held until destruction or the end of the process. Does not throw.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace book {

class LockedFile {
  public:
    // Opens with the flags of open(2) and waits for the lock. Check is_open() afterwards.
    LockedFile(const std::filesystem::path& path, int flags);
    LockedFile(LockedFile&& other) noexcept;
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;
    LockedFile& operator=(LockedFile&&) = delete;
    ~LockedFile();

    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    // Writes the text durably at the current offset; returns false, with errno set, if that failed.
    [[nodiscard]] bool write(std::string_view text) const;

  private:
    int descriptor_;
};

// Reads an open file from the current offset to its end; nothing, with errno set, on an error.
std::optional<std::string> read_to_end(int descriptor);

}  // namespace book
