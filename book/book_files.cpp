#include "book/book_files.h"

#include "book/learn/audit.h"
#include "book/learn/merge.h"
#include "book/learn/same_game.h"
#include "book/learn/user_edits.h"
#include "book/places.h"
#include "book/store/copies.h"
#include "book/store/failure.h"
#include "book/store/spool.h"
#include "engine/platform/file.h"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>

namespace book {
namespace {

namespace fs = std::filesystem;

constexpr const char* MergedClockName = "clock of the file beside";  // stored in books

bool file_exists(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

std::int64_t merge_own_games(Store& into, const fs::path& file, Store& from) {
    return merge(into, file, from, {.imported = false, .recorded = false}).games;
}

// False if the writer that made the overlay was killed, or is still at work: the overlay would hide
// all that the book has learned.
bool is_filled(Store& overlay) {
    return overlay.db.number(MergedClockName).has_value();
}

// True if the overlay has everything that the book has learned.
bool is_current(Store& overlay, Store& book) {
    return overlay.db.number(MergedClockName) == static_cast<double>(book.clock());
}

class BookOpener {
  public:
    BookOpener(fs::path book, std::chrono::milliseconds patience)
        : book_(std::move(book)), in_memory_(book_ == ":memory:"), patience_(patience) {}

    void add_base(const fs::path& base) {
        const Result<void> added = guarded([&] { files_.base.emplace(open_store(base, false)); });
        if (!added)
            files_.add_notice("the installed book is not used: " + added.error().what);
    }
    void add_book(bool read_only);
    BookFiles take() { return std::move(files_); }

  private:
    void set_experience(Store store, const fs::path& file, bool learns) {
        if (file != book_)
            files_.original = store.overlaid;
        files_.experience.emplace(std::move(store));
        files_.file = file;
        files_.learns = learns;
    }
    void read(Store book, bool writable);
    void learn_into_overlay(Store book);
    void remember_book(Store& overlay) const;
    void take_in_overlays();
    std::int64_t take_in(const fs::path& overlay);
    std::int64_t take_in_closed(const fs::path& overlay);
    static void remove_overlay(const fs::path& overlay);

    fs::path book_;
    bool in_memory_;
    std::chrono::milliseconds patience_;
    BookFiles files_;
};

void BookOpener::add_book(bool read_only) {
    const bool is_new = !read_only && !in_memory_ && !file_exists(book_);
    if (read_only && !in_memory_ && !file_exists(book_))
        return;
    Result<Store> opened =
        guarded([&] { return open_store(book_, !read_only || in_memory_, patience_); });
    if (!opened) {
        if (file_exists(book_))
            throw Failure(opened.error().what);
        files_.unusable = opened.error().what;
        return files_.add_notice(files_.unusable);
    }
    if (const std::string notice = opened->db.notice(); !notice.empty())
        files_.add_notice(notice);
    if (is_new)
        if (const std::vector<fs::path> copies = copies_of(book_); !copies.empty())
            files_.add_notice(
                fmt::format("a new book begins; a copy of an earlier one is in \"{}\"",
                            copies.front().string()));
    const Learning mode = learning(*opened);
    const bool writable = in_memory_ || (read_only ? can_write(book_) : !opened->db.read_only());
    if (mode == Learning::Off) {
        if (read_only) {
            read(std::move(*opened), writable);
        } else {
            files_.add_notice(fmt::format("learning is off in book \"{}\"", book_.string()));
            set_experience(std::move(*opened), book_, false);
        }
        files_.learning_off = true;
    } else if (writable && mode == Learning::On) {
        if (read_only && !in_memory_)
            return read(std::move(*opened), true);
        set_experience(std::move(*opened), book_, !read_only);
        if (!in_memory_)
            take_in_overlays();
    } else if (read_only) {
        read(std::move(*opened), false);
    } else {
        learn_into_overlay(std::move(*opened));
    }
}

// Reads the book with its overlay, unless a writable book has learned more since they were merged.
void BookOpener::read(Store book, bool writable) {
    const auto below = std::make_shared<Store>(std::move(book));
    for (const fs::path& file : overlays_of(book_)) {
        if (!file_exists(file))
            continue;
        Result<Store> overlay = guarded([&] {
            Store store = open_store(file, false, patience_);
            if (!is_filled(store))
                throw Failure("the book was not merged into it");
            if (writable && !is_current(store, *below))
                throw Failure("the book has learned more");
            store.overlaid = below;
            return store;
        });
        if (overlay)
            return set_experience(std::move(*overlay), file, false);
    }
    set_experience(std::move(*below), book_, false);
    files_.lacks_overlay = !writable;
}

void BookOpener::learn_into_overlay(Store book) {
    const fs::path file = overlay_of(book_);
    const auto below = std::make_shared<Store>(std::move(book));
    Result<Store> overlay = guarded([&] {
        if (file.empty())
            throw Failure("there is no folder for what is learned");
        Store store = open_store(file, true, patience_);
        if (store.db.read_only())
            throw Failure(fmt::format("\"{}\" is read-only, too", file.string()));
        store.overlaid = below;
        remember_book(store);
        if (!is_current(store, *below)) {
            const auto clock = static_cast<double>(below->clock());
            // Without marks: these are also read from the book, where they may be removed later.
            merge(store, file, *below, {.imported = false, .marks = false, .recorded = false});
            Transaction transaction(store.db);
            store.db.set_number(MergedClockName, clock);
            transaction.commit();
        }
        return store;
    });
    const std::string about = fmt::format("book \"{}\" is read-only: ", book_.string());
    if (!overlay) {
        files_.unusable = about + overlay.error().what;
        return set_experience(std::move(*below), book_, false);
    }
    files_.add_notice(fmt::format("{}what is learned goes into \"{}\"", about, file.string()));
    set_experience(std::move(*overlay), file, true);
    take_in_overlays();
}

// Overlays of earlier versions are rebuilt: their values do not count the book's imported games.
void BookOpener::remember_book(Store& overlay) const {
    const std::string path = fs::absolute(book_).string();
    if (overlay.db.text(OverlaidName) == path)
        return;
    rebuild(overlay);
    Transaction transaction(overlay.db);
    overlay.db.set_text(OverlaidName, path);
    transaction.commit();
}

// Merges all other overlays into the file that learns, and removes them.
void BookOpener::take_in_overlays() {
    std::int64_t games = 0;
    for (const fs::path& overlay : overlays_of(book_)) {
        if (overlay == files_.file || !file_exists(overlay))
            continue;
        if (const Result<std::int64_t> merged = guarded([&] { return take_in(overlay); }))
            games += *merged;
        else
            files_.add_notice(fmt::format(
                "games still wait in \"{}\": {}", overlay.string(), merged.error().what));
    }
    if (games > 0)
        files_.add_notice(
            fmt::format("merged {} game{} learned outside the book", games, games == 1 ? "" : "s"));
}

// Games that were merged before count once, so a kill before the removal does no harm. The lock
// keeps others from learning into the overlay meanwhile; a process that still has it open finds it
// removed.
std::int64_t BookOpener::take_in(const fs::path& overlay) {
    std::int64_t games = 0;
    {
        Store from = open_store(overlay, true);
        if (from.db.read_only())
            return merge_own_games(*files_.experience, files_.file, from);
        const Transaction lock(from.db);
        games = merge_own_games(*files_.experience, files_.file, from);
        if (engine::platform::RemovesOpenFiles)
            remove_overlay(overlay);
    }
    if (!engine::platform::RemovesOpenFiles)
        games += take_in_closed(overlay);
    for (const fs::path& copy : copies_of(overlay))
        fs::remove(copy);
    return games;
}

void BookOpener::remove_overlay(const fs::path& overlay) {
    if (const std::error_code error = Database::remove_file(overlay))
        throw Failure(fmt::format("it cannot be removed: {}", error.message()));
}

// For systems where an open file cannot be removed: renaming succeeds only if nobody has the
// overlay open, and afterwards nobody can learn into it. Returns the games learned since the merge.
std::int64_t BookOpener::take_in_closed(const fs::path& overlay) {
    const fs::path taken = fs::path(overlay) += ".taken";
    std::error_code open;
    fs::rename(overlay, taken, open);
    if (open)
        return 0;
    std::int64_t games = 0;
    {
        Store from = open_store(taken, true);
        games = merge_own_games(*files_.experience, files_.file, from);
    }
    remove_overlay(taken);
    return games;
}

// The games of `book` that `other` has, under the same uid or as a merge would match them.
void find_known(Store& book,
                Store& other,
                const std::vector<Games::Applied>& games,
                std::set<std::int64_t>& known) {
    std::set<std::int64_t> matched;  // games there
    for (const Games::Applied& game : games)
        if (const auto there = other.games.id_of(game.uid)) {
            known.insert(game.id);
            matched.insert(*there);
        }
    for (const Games::Applied& game : games) {
        const auto copy = [&] { return copy_of(book, book.games.get(game.id).value()); };
        if (!known.contains(game.id) && match_copy(other, game.content, copy, matched))
            known.insert(game.id);
    }
}

// Finds the own games of a further book that no earlier book has; recomputes values of older
// formats.
void count_games(FurtherBook& book, const std::vector<Store*>& before) {
    std::set<std::int64_t> known;
    const std::vector<Games::Applied> games = book.store.games.applied();
    for (Store* other : before)
        find_known(book.store, *other, games, known);
    book.has_games = known.size() < games.size();
    book.games.reset();
    if (book.has_games && (!known.empty() || book.store.db.reads_older_format()))
        book.games.emplace(book_without(book.store, known));
}

}  // namespace

void BookFiles::add_notice(const std::string& sentence) {
    notice += (notice.empty() ? "" : "; ") + sentence;
}

bool BookFiles::outdated() const {
    return (experience && experience->db.outdated()) || (original && original->db.outdated());
}

void BookFiles::count_further_games() {
    std::vector<Store*> before;
    if (experience)
        before.push_back(&*experience);
    for (const auto& book : further) {
        count_games(*book, before);
        before.push_back(&book->store);
    }
}

Layers BookFiles::layers() {
    Layers layers{.experience = experience ? &*experience : nullptr,
                  .original = original ? &*original : nullptr,
                  .base = base ? &*base : nullptr};
    for (const auto& book : further) {
        layers.further.push_back(&book->store);
        if (book->has_games)
            layers.further_games.push_back(book->games ? &*book->games : &book->store);
    }
    for (const auto& other : polyglot)
        layers.polyglot.push_back(other.get());
    return layers;
}

ReadTransaction BookFiles::begin_reading() {
    return experience ? ReadTransaction(experience->db) : ReadTransaction();
}

Model BookFiles::model() {
    return experience ? experience->model() : Model();
}

BookFiles open_book_files(const fs::path& book,
                          const fs::path& base,
                          bool read_only,
                          std::chrono::milliseconds patience) {
    BookOpener opener(book, patience);
    if (!base.empty())
        opener.add_base(base);
    if (!book.empty())
        opener.add_book(read_only);
    BookFiles files = opener.take();
    if (book.empty() && !read_only)
        files.add_notice("there is no folder for the book: nothing will be learned");
    return files;
}

void check_book(const fs::path& book, std::chrono::milliseconds patience) {
    // What a killed writer left there is undone by the next one, who opens the book for writing.
    if (file_exists(fs::path(book) += "-journal"))
        return;
    std::error_code none;
    const bool is_new = !file_exists(book) || fs::file_size(book, none) == 0;
    try {
        const Store checked(book, is_new, !is_new, patience);
    } catch (const PassingFailure&) {
        if (is_new)
            throw;
    }
}

void add_further_book(BookFiles& files, const fs::path& file) {
    if (file.extension() == ".bin") {
        files.polyglot.push_back(std::make_unique<PolyglotBook>(file));
        return;
    }
    if (!file_exists(file))  // which SQLite would call damaged
        throw Failure(fmt::format("there is no book \"{}\"", file.string()));
    std::vector<Store*> before;
    if (files.experience)
        before.push_back(&*files.experience);
    for (const auto& other : files.further)
        before.push_back(&other->store);
    auto book = std::make_unique<FurtherBook>(FurtherBook{.store = Store(file, false, true)});
    count_games(*book, before);
    files.further.push_back(std::move(book));
}

std::vector<fs::path> files_of(const fs::path& book) {
    std::vector<fs::path> books = overlays_of(book), files{spool_of(book)};
    books.push_back(book);
    for (const fs::path& file : books)
        for (const char* const suffix : FileSuffixes)
            files.push_back(fs::path(file) += suffix);
    return files;
}

namespace {

std::int64_t games_in(Store& store) {
    return store.games.counts().games + store.games.count_imported();
}
// 0 if it is no book.
std::int64_t games_in(const fs::path& copy) {
    return guarded([&] {
               Store store(copy, false, true);
               return games_in(store);
           })
        .value_or(0);
}

// A book that was lost, and begun anew, must not replace its own copy.
void keep_larger_copy(const BookFiles& files, Store& store) {
    const fs::path copy = weekly_copy_of(files.file), earlier = earlier_copy_of(files.file);
    const std::int64_t games = games_in(copy);
    if (games > 2 * games_in(store) && games > games_in(earlier))
        fs::rename(copy, earlier);
}

}  // namespace

bool back_up_weekly(BookFiles& files, std::uintmax_t max_bytes) {
    using namespace std::chrono_literals;
    if (!files.learns || files.original || files.file == ":memory:")
        return false;
    const fs::path copy = weekly_copy_of(files.file);
    std::error_code missing;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(copy, missing);
    if (!missing && age >= 0h && age < 7 * 24h)
        return false;
    Store& store = *files.experience;
    if (fs::file_size(files.file) > max_bytes ||
        (store.games.empty() && !store.positions.has_edges()))
        return false;
    keep_larger_copy(files, store);
    store.db.replace_copy(copy);
    return true;
}

}  // namespace book
