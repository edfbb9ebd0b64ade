// A file that one process at a time holds open. The lock ends with the process, however that dies.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace book {

class LockedFile {
  public:
    // Opens with the flags of open(2) and waits for the lock.
    LockedFile(const std::filesystem::path& path, int flags);
    LockedFile(LockedFile&& other) noexcept;
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;
    LockedFile& operator=(LockedFile&&) = delete;
    ~LockedFile();

    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    // Writes all of it, durably; false if that failed, with errno set.
    [[nodiscard]] bool append(std::string_view text) const;
    [[nodiscard]] std::string read() const;  // from where the file stands to its end

  private:
    int descriptor_;
};

}  // namespace book
