#include "book/store/copies.h"

#include "book/store/failure.h"
#include "book/store/locked_file.h"
#include "book/store/statement.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace book {

namespace fs = std::filesystem;

fs::path weekly_copy_of(const fs::path& book) {
    return fs::path(book) += ".bak";
}

fs::path copy_before(int format, const fs::path& book) {
    return fs::path(book) += fmt::format(".format{}.bak", format);
}

std::vector<fs::path> copies_of(const fs::path& book) {
    constexpr int MaxFormat = 99;
    std::vector<fs::path> copies{weekly_copy_of(book)};
    for (int format = 1; format < MaxFormat; ++format)
        copies.push_back(copy_before(format, book));
    std::error_code none;
    std::erase_if(copies, [&none](const fs::path& copy) { return !fs::exists(copy, none); });
    return copies;
}

void replace_by_copy(SQLite::Database& book, const fs::path& target) {
    const fs::path part = fs::path(target) += ".part";
    const auto failure = [&target] {
        return Failure(fmt::format("copying to \"{}\": {}", target.string(), std::strerror(errno)));
    };
    const LockedFile lock(part, O_RDWR | O_CREAT);
    struct stat locked {
    }, named{};
    if (!lock.is_open() || ::fstat(lock.descriptor(), &locked) != 0)
        throw failure();
    if (::stat(part.c_str(), &named) != 0 || named.st_ino != locked.st_ino)
        return;                                  // it was made while we waited for the lock
    if (::ftruncate(lock.descriptor(), 0) != 0)  // what a killed process left
        throw failure();
    try {
        SQLite::Statement copy(book, "VACUUM INTO ?1");
        run(copy, part.string());
    } catch (const SQLite::Exception& e) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw Failure("copying to \"" + target.string() + "\": " + e.what());
    }
    if (::fsync(lock.descriptor()) != 0 || ::rename(part.c_str(), target.c_str()) != 0)
        throw failure();
}

}  // namespace book
