#include "book/book_files.h"

#include "book/learn/merge.h"
#include "book/learn/user_edits.h"
#include "book/places.h"

#include <unistd.h>

namespace book {
namespace {

namespace fs = std::filesystem;

constexpr const char* MergedClockName = "clock of the file beside";

bool is_there(const fs::path& file) {
    std::error_code none;
    return fs::exists(file, none);
}

bool can_write(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    return ::access(folder.c_str(), W_OK) == 0 &&
           (!is_there(file) || ::access(file.c_str(), W_OK) == 0);
}

// Games of `from` that `into` lacks; asks for them only if something was learned there since.
Result<std::int64_t> take_games(Store& into, const fs::path& file, Store& from) {
    const Result<std::int64_t> clock = from.clock();
    const Result<std::optional<double>> merged_before = into.db->number(MergedClockName);
    if (!clock || !merged_before)
        return tl::unexpected<Error>(!clock ? clock.error() : merged_before.error());
    if (*merged_before == static_cast<double>(*clock))
        return 0;
    const Result<Merged> merged = merge(into, file, from, {.imported = false, .recorded = false});
    if (!merged)
        return tl::unexpected<Error>(merged.error());
    Result<Transaction> transaction = begin_writing(*into.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    Result<void> done = into.db->set_number(MergedClockName, static_cast<double>(*clock));
    if (done)
        done = transaction->commit();
    if (!done)
        return tl::unexpected<Error>(done.error());
    return merged->games;
}

class Opening {
  public:
    explicit Opening(fs::path book) : book_(std::move(book)), in_memory_(book_ == ":memory:") {}

    void add_base(const fs::path& base) {
        Result<Store> store = Store::open(base, false);
        if (store)
            files_.base.emplace(std::move(*store));
        else
            say("without the installed book: " + store.error().what);
    }
    Result<void> add_book(bool read_only);
    BookFiles take() { return std::move(files_); }

  private:
    void say(const std::string& text) {
        files_.notice += files_.notice.empty() ? text : "; " + text;
    }
    void use(Store store, const fs::path& file, bool learns) {
        files_.experience.emplace(std::move(store));
        files_.file = file;
        files_.learns = learns;
    }
    void read_beside(Store book);
    void learn_beside(Store book);
    void take_from_beside();

    fs::path book_;
    bool in_memory_;
    BookFiles files_;
};

Result<void> Opening::add_book(bool read_only) {
    if (read_only && !in_memory_ && !is_there(book_))
        return {};
    Result<Store> opened = Store::open(book_, !read_only || in_memory_);
    if (!opened) {
        if (is_there(book_))
            return tl::unexpected<Error>(opened.error());
        say(opened.error().what + ": nothing will be learned");
        return {};
    }
    if (!opened->db->notice().empty())
        say(opened->db->notice());
    const Result<Learning> how = learning(*opened);
    if (!how)
        return tl::unexpected<Error>(how.error());
    const bool writable = in_memory_ || (read_only ? can_write(book_) : !opened->db->read_only());
    if (*how == Learning::Off) {
        if (!read_only)
            say("learning is off in book \"" + book_.string() + "\"");
        use(std::move(*opened), book_, false);
    } else if (writable && *how == Learning::On) {
        use(std::move(*opened), book_, !read_only);
        if (!read_only && !in_memory_)
            take_from_beside();
    } else if (read_only) {
        read_beside(std::move(*opened));
    } else {
        learn_beside(std::move(*opened));
    }
    return {};
}

void Opening::read_beside(Store book) {
    const fs::path side = side_of(book_);
    if (!side.empty() && is_there(side))
        if (Result<Store> store = Store::open(side, false)) {
            use(std::move(*store), side, false);
            files_.original.emplace(std::move(book));
            return;
        }
    use(std::move(book), book_, false);
}

void Opening::learn_beside(Store book) {
    const fs::path side = side_of(book_);
    Result<Store> store =
        side.empty() ? Result<Store>(fail("no folder for it")) : Store::open(side, true);
    const Result<std::int64_t> copied = store && !store->db->read_only()
                                            ? take_games(*store, side, book)
                                            : Result<std::int64_t>(fail("no place beside it"));
    const std::string name = "book \"" + book_.string() + "\" is read-only: ";
    if (!copied) {
        say(name + "nothing will be learned");
        use(std::move(book), book_, false);
        return;
    }
    say(name + "what is learned goes into \"" + side.string() + "\"");
    use(std::move(*store), side, true);
    files_.original.emplace(std::move(book));
}

void Opening::take_from_beside() {
    const fs::path side = side_of(book_);
    if (side.empty() || !is_there(side))
        return;
    Result<Store> store = Store::open(side, false);
    const Result<std::int64_t> taken = store ? take_games(*files_.experience, book_, *store)
                                             : tl::unexpected<Error>(store.error());
    if (!taken)
        say("games still wait in \"" + side.string() + "\": " + taken.error().what);
    else if (*taken > 0)
        say("took in " + std::to_string(*taken) + (*taken == 1 ? " game" : " games") +
            " learned beside the book");
}

}  // namespace

Layers BookFiles::layers() {
    return {.experience = experience ? &*experience : nullptr,
            .original = original ? &*original : nullptr,
            .base = base ? &*base : nullptr};
}

Result<Reading> BookFiles::begin_reading() {
    return experience ? Reading::begin(*experience->db) : Result<Reading>();
}

Result<Model> BookFiles::model() const {
    return experience ? experience->model() : Result<Model>(Model{});
}

Result<BookFiles> open_book_files(const fs::path& book, const fs::path& base, bool read_only) {
    Opening opening(book);
    if (!base.empty())
        opening.add_base(base);
    if (!book.empty()) {
        if (const Result<void> opened = opening.add_book(read_only); !opened)
            return tl::unexpected<Error>(opened.error());
    }
    BookFiles files = opening.take();
    if (book.empty())
        files.notice += std::string(files.notice.empty() ? "" : "; ") +
                        "no place for experience: nothing will be learned";
    return files;
}

}  // namespace book
