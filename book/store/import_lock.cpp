#include "book/store/import_lock.h"

#include "book/store/failure.h"

namespace book {
ImportLock::ImportLock(const std::filesystem::path& book) {
    if (book == ":memory:")
        return;
    file_ = book;
    file_ += ".import";
    do {  // again if it was removed or replaced while we waited for its lock
        lock_ = {};
        lock_ = engine::platform::File::locked(file_, engine::platform::File::Mode::Create);
        if (!lock_.is_open())
            throw Failure("book \"" + book.string() + "\" cannot be written");
    } while (!lock_.is_at(file_));
}

ImportLock::~ImportLock() {
    if (lock_.is_open())
        engine::platform::remove_open(file_);  // before the lock is released
}

}  // namespace book
