#include "book/places.h"

#include "book/model/key.h"

#include <cstdlib>

#include <unistd.h>

namespace book {

namespace fs = std::filesystem;

fs::path default_experience() {
    for (const auto& [variable, below] :
         {std::pair("XDG_DATA_HOME", ""), std::pair("HOME", ".local/share")})
        if (const char* home = std::getenv(variable);
            home && *home == '/')  // NOLINT(concurrency-mt-unsafe)
            return fs::path(home) / below / "nutcracker" / "book.db";
    return {};
}

fs::path installed_base() {
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const char* const place : {"../share/nutcracker/base.db", "../data/base.db"}) {
        const fs::path file = folder / place;
        if (!folder.empty() && fs::is_regular_file(file, ignored))
            return file.lexically_normal();
    }
    return {};
}

fs::path overlay_of(const fs::path& book) {
    const fs::path folder = book.has_parent_path() ? book.parent_path() : ".";
    if (::access(folder.c_str(), W_OK) == 0) {
        fs::path overlay = book;
        return overlay += ".side";
    }
    const fs::path ours = default_experience();
    if (ours.empty())
        return {};
    std::error_code none;
    Digest digest;
    digest.add(fs::absolute(book, none).string());
    return ours.parent_path() /
           (book.stem().string() + "-" + std::to_string(digest.finish_word()) + ".side");
}

}  // namespace book
