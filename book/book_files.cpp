#include "book/book_files.h"

#include "book/learn/audit.h"
#include "book/learn/merge.h"
#include "book/learn/user_edits.h"
#include "book/places.h"
#include "book/store/failure.h"

#include <fmt/format.h>
#include <unistd.h>

namespace book {
namespace {

namespace fs = std::filesystem;

constexpr const char* MergedClockName = "clock of the file beside";  // stored in books

bool file_exists(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

bool can_write(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    return ::access(folder.c_str(), W_OK) == 0 &&
           (!file_exists(file) || ::access(file.c_str(), W_OK) == 0);
}

// Merges the own games of `from` into the book at `file` and returns how many were new. Skips the
// work if `from` has learned nothing since the last time.
std::int64_t merge_own_games(Store& into, const fs::path& file, Store& from) {
    const auto clock = static_cast<double>(from.clock());
    if (into.db.number(MergedClockName) == clock)
        return 0;
    const Merged merged = merge(into, file, from, {.imported = false, .recorded = false});
    Transaction transaction(into.db);
    into.db.set_number(MergedClockName, clock);
    transaction.commit();
    return merged.games;
}

class BookOpener {
  public:
    explicit BookOpener(fs::path book)
        : book_(std::move(book)), overlay_(overlay_of(book_)), in_memory_(book_ == ":memory:") {}

    void add_base(const fs::path& base) {
        const Result<void> added = guarded([&] { files_.base.emplace(open_store(base, false)); });
        if (!added)
            files_.add_notice("without the installed book: " + added.error().what);
    }
    void add_book(bool read_only);
    BookFiles take() { return std::move(files_); }

  private:
    void set_experience(Store store, const fs::path& file, bool learns) {
        files_.experience.emplace(std::move(store));
        files_.file = file;
        files_.learns = learns;
    }
    void set_overlay(Store overlay, Store book, bool learns) {
        set_experience(std::move(overlay), overlay_, learns);
        files_.original.emplace(std::move(book));
    }
    [[nodiscard]] bool has_overlay() const { return !overlay_.empty() && file_exists(overlay_); }
    void read_with_overlay(Store book);
    void learn_into_overlay(Store book);
    void merge_overlay();

    fs::path book_, overlay_;
    bool in_memory_;
    BookFiles files_;
};

void BookOpener::add_book(bool read_only) {
    if (read_only && !in_memory_ && !file_exists(book_))
        return;
    Result<Store> opened = guarded([&] { return open_store(book_, !read_only || in_memory_); });
    if (!opened) {
        if (file_exists(book_))
            throw Failure(opened.error().what);
        return files_.add_notice(opened.error().what + ": nothing will be learned");
    }
    if (const std::string notice = opened->db.notice(); !notice.empty())
        files_.add_notice(notice);
    const Learning mode = learning(*opened);
    const bool writable = in_memory_ || (read_only ? can_write(book_) : !opened->db.read_only());
    if (mode == Learning::Off) {
        if (!read_only)
            files_.add_notice(fmt::format("learning is off in book \"{}\"", book_.string()));
        set_experience(std::move(*opened), book_, false);
    } else if (writable && mode == Learning::On) {
        set_experience(std::move(*opened), book_, !read_only);
        if (!read_only && !in_memory_ && has_overlay())
            merge_overlay();
    } else if (read_only) {
        read_with_overlay(std::move(*opened));
    } else {
        learn_into_overlay(std::move(*opened));
    }
}

void BookOpener::read_with_overlay(Store book) {
    if (has_overlay())
        if (Result<Store> overlay = guarded([&] { return open_store(overlay_, false); }))
            return set_overlay(std::move(*overlay), std::move(book), false);
    set_experience(std::move(book), book_, false);
}

void BookOpener::learn_into_overlay(Store book) {
    Result<Store> overlay = guarded([&] {
        if (overlay_.empty())
            throw Failure("no folder for an overlay");
        Store store = open_store(overlay_, true);
        if (store.db.read_only())
            throw Failure("the overlay is read-only");
        merge_own_games(store, overlay_, book);
        return store;
    });
    const std::string about = fmt::format("book \"{}\" is read-only: ", book_.string());
    if (!overlay) {
        files_.add_notice(about + "nothing will be learned");
        return set_experience(std::move(book), book_, false);
    }
    files_.add_notice(fmt::format("{}what is learned goes into \"{}\"", about, overlay_.string()));
    set_overlay(std::move(*overlay), std::move(book), true);
}

void BookOpener::merge_overlay() {
    const Result<std::int64_t> merged = guarded([&] {
        Store overlay(overlay_, false);
        return merge_own_games(*files_.experience, book_, overlay);
    });
    if (!merged)
        files_.add_notice(
            fmt::format("games still wait in \"{}\": {}", overlay_.string(), merged.error().what));
    else if (*merged > 0)
        files_.add_notice(fmt::format(
            "took in {} game{} learned beside the book", *merged, *merged == 1 ? "" : "s"));
}

}  // namespace

void BookFiles::add_notice(const std::string& sentence) {
    notice += (notice.empty() ? "" : "; ") + sentence;
}

Layers BookFiles::layers() {
    return {.experience = experience ? &*experience : nullptr,
            .original = original ? &*original : nullptr,
            .base = base ? &*base : nullptr};
}

ReadTransaction BookFiles::begin_reading() {
    return experience ? ReadTransaction(experience->db) : ReadTransaction();
}

Model BookFiles::model() {
    return experience ? experience->model() : Model();
}

BookFiles open_book_files(const fs::path& book, const fs::path& base, bool read_only) {
    BookOpener opener(book);
    if (!base.empty())
        opener.add_base(base);
    if (!book.empty())
        opener.add_book(read_only);
    BookFiles files = opener.take();
    if (book.empty())
        files.add_notice("no place for experience: nothing will be learned");
    return files;
}

}  // namespace book
