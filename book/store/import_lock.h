// Keeps other imports into a book and merges of imported games out while it lives.
#pragma once

#include "engine/platform/file.h"

namespace book {

class ImportLock {
  public:
    // Waits until the file `book`.import, made if it is missing, is locked by nobody else. Throws
    // Failure if it cannot be made. Does nothing for ":memory:".
    explicit ImportLock(const std::filesystem::path& book);
    ImportLock(const ImportLock&) = delete;
    ImportLock& operator=(const ImportLock&) = delete;
    ~ImportLock();  // removes the file

  private:
    std::filesystem::path file_;
    engine::platform::File lock_;
};

}  // namespace book
