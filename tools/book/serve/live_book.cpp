#include "tools/book/serve/live_book.h"

#include "book/places.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace tools::book_command {

// Which files there are now. A file in write-ahead mode changes its time only now and then; one
// that is read as it is, without locks, must be opened again when it has changed.
std::string LiveBook::identity() const {
    std::vector<std::filesystem::path> names = book::overlays_of(call_.book_file);
    names.insert(names.end(), {call_.book_file, call_.base_file});
    std::string text;
    for (const std::filesystem::path& name : names) {
        struct stat info {};
        if (::stat(name.c_str(), &info) == 0)
            text += fmt::format("{}:{}:{}.{} ",
                                info.st_dev,
                                info.st_ino,
                                info.st_mtim.tv_sec,
                                info.st_mtim.tv_nsec);
        else
            text += "- ";
    }
    return text;
}

book::BookFiles& LiveBook::files() {
    const std::string now = identity();
    if (!files_ || now != identity_) {
        files_.reset();
        files_.emplace(open_files(call_));
        identity_ = identity();  // opening may bring an old format up to date
    }
    return *files_;
}

std::string LiveBook::version() {
    book::BookFiles& open = files();
    std::string text = identity_;
    for (std::optional<book::Store>* store : {&open.experience, &open.original})
        text += *store ? fmt::format("{} ", (*store)->db.data_version()) : "- ";
    return fmt::format("{:016x}", std::hash<std::string>()(text + waiting_text(call_)));
}

book::Store LiveBook::writable() {
    files_.reset();
    return open_book(call_, Access::Create);
}

}  // namespace tools::book_command
