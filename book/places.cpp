#include "book/places.h"

#include "book/model/key.h"
#include "engine/platform/file.h"
#include "engine/platform/program.h"

namespace book {

namespace fs = std::filesystem;

fs::path default_experience() {
    const fs::path folder = engine::platform::user_data_folder();
    return folder.empty() ? folder : folder / "nutcracker" / "book.db";
}

fs::path installed_base() {
    std::error_code ignored;
    const fs::path folder = engine::platform::program_file().parent_path();
    for (const char* const place :
         {"../share/nutcracker/base.db", "../data/base.db", "data/base.db"}) {
        const fs::path file = folder / place;
        if (!folder.empty() && fs::is_regular_file(file, ignored))
            return file.lexically_normal();
    }
    return {};
}

bool can_write(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    std::error_code none;
    return engine::platform::is_writable(folder) &&
           (!fs::exists(file, none) || engine::platform::is_writable(file));
}

std::vector<fs::path> overlays_of(const fs::path& book) {
    std::vector<fs::path> overlays{book};
    overlays[0] += ".side";
    if (const fs::path ours = default_experience(); !ours.empty()) {
        std::error_code none;
        Digest digest;
        digest.add(fs::absolute(book, none).string());
        overlays.push_back(ours.parent_path() / (book.stem().string() + "-" +
                                                 std::to_string(digest.finish_word()) + ".side"));
    }
    return overlays;
}

fs::path existing_overlay(const fs::path& book) {
    for (const fs::path& overlay : overlays_of(book))
        if (std::error_code none; fs::exists(overlay, none))
            return overlay;
    return {};
}

fs::path overlay_of(const fs::path& book) {
    const fs::path folder = book.has_parent_path() ? book.parent_path() : ".";
    const std::vector<fs::path> overlays = overlays_of(book);
    if (engine::platform::is_writable(folder))
        return overlays.front();
    return overlays.size() > 1 ? overlays.back() : fs::path();
}

}  // namespace book
