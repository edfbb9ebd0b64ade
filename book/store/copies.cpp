#include "book/store/copies.h"

#include "book/store/failure.h"
#include "book/store/statement.h"
#include "engine/platform/file.h"

#include <fmt/format.h>

namespace book {

namespace fs = std::filesystem;

fs::path weekly_copy_of(const fs::path& book) {
    return fs::path(book) += ".bak";
}

fs::path earlier_copy_of(const fs::path& book) {
    return fs::path(book) += ".earlier.bak";
}

fs::path copy_before(int format, const fs::path& book) {
    return fs::path(book) += fmt::format(".format{}.bak", format);
}

std::vector<fs::path> copies_of(const fs::path& book) {
    constexpr int MaxFormat = 99;
    std::vector<fs::path> copies{weekly_copy_of(book), earlier_copy_of(book)};
    for (int format = 1; format < MaxFormat; ++format)
        copies.push_back(copy_before(format, book));
    std::error_code none;
    std::erase_if(copies, [&none](const fs::path& copy) { return !fs::exists(copy, none); });
    return copies;
}

std::string sqlite_name(const fs::path& file) {
    const std::string name = file.string();
    return name.starts_with("file:") ? "./" + name : name;
}

void replace_by_copy(SQLite::Database& book, const fs::path& target) {
    const fs::path part = fs::path(target) += ".part";
    const auto failure = [&target](const std::string& why) {
        return Failure(fmt::format("copying to \"{}\": {}", target.string(), why));
    };
    using engine::platform::File;
    const File lock = File::locked(part, File::Mode::Create);
    if (!lock.is_open() || !lock.size())
        throw failure(engine::platform::error_text());
    if (!lock.is_at(part))
        return;             // it was made while we waited for the lock
    if (!lock.truncate(0))  // what a killed process left
        throw failure(engine::platform::error_text());
    try {
        SQLite::Statement copy(book, "VACUUM INTO ?1");
        run(copy, sqlite_name(part));
    } catch (const SQLite::Exception& e) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw Failure("copying to \"" + target.string() + "\": " + e.what());
    }
    if (!lock.sync())
        throw failure(engine::platform::error_text());
    std::error_code error;
    fs::rename(part, target, error);
    if (error)
        throw failure(error.message());
}

}  // namespace book
