#include "tools/book/serve/live_book.h"

#include "book/places.h"
#include "engine/platform/file.h"

#include <fmt/format.h>

namespace tools::book_command {

// The stamps of the present files, with `suffix`. What is learned goes into the write-ahead log,
// "-wal", first; the book file itself changes only now and then.
std::string LiveBook::stamps(const char* suffix) const {
    std::vector<std::filesystem::path> names = book::overlays_of(call_.book_file);
    names.insert(names.end(), {call_.book_file, call_.base_file});
    names.insert(names.end(), call_.further_files.begin(), call_.further_files.end());
    std::string text;
    for (std::filesystem::path name : names)
        text += engine::platform::stamp_of(name += suffix) + ' ';
    return text;
}

void LiveBook::refresh() {
    const std::string now = stamps("");
    // An overlay may be filled after its file was made.
    const bool waits = files_ && files_->lacks_overlay;
    const std::string logs = call_.further_files.empty() && !waits ? "" : stamps("-wal");
    if (!files_ || now != opened_ || (waits && logs != counted_)) {
        files_.reset();
        files_.emplace(open_files(call_));
        opened_ = stamps("");  // opening may bring an old format up to date
    } else if (logs != counted_) {
        files_->count_further_games();
    }
    counted_ = logs;
}

std::string LiveBook::version() const {
    const std::string text = stamps("") + stamps("-wal") + waiting_text(call_);
    return fmt::format("{:016x}", std::hash<std::string>()(text));
}

book::Store LiveBook::writable() {
    files_.reset();
    return open_book(call_, Access::Create);
}

}  // namespace tools::book_command
