#include "book/store/import_lock.h"

#include "book/store/failure.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace book {
namespace {

// False if the file was removed, perhaps made anew, while we waited for its lock.
bool is_still_there(const LockedFile& lock, const std::filesystem::path& file) {
    struct stat locked {};
    struct stat there {};
    if (::fstat(lock.descriptor(), &locked) != 0)
        return true;
    if (::stat(file.c_str(), &there) != 0)
        return errno != ENOENT;
    return locked.st_dev == there.st_dev && locked.st_ino == there.st_ino;
}

}  // namespace

ImportLock::ImportLock(const std::filesystem::path& book) {
    if (book == ":memory:")
        return;
    file_ = book;
    file_ += ".import";
    do {
        lock_.reset();
        lock_.emplace(file_, O_RDWR | O_CREAT);
        if (!lock_->is_open())
            throw Failure("book \"" + book.string() + "\" cannot be written");
    } while (!is_still_there(*lock_, file_));
}

ImportLock::~ImportLock() {
    if (lock_)
        ::unlink(file_.c_str());  // before the lock is given back
}

}  // namespace book
