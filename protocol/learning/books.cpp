#include "protocol/learning/books.h"

#include "engine/platform/file.h"

namespace protocol {
namespace {

// The main thread reads the book on the clock: if another program has locked it, the game goes on
// without it.
constexpr std::chrono::milliseconds ReaderPatience{250};

}  // namespace

Books::Books(BookOpener open,
             book::OpenOptions options,
             Queue<Event>& mail,
             std::chrono::milliseconds opening_timeout,
             BookChecker check)
    : open_(std::move(open)), options_(std::move(options)), mail_(mail),
      opening_timeout_(opening_timeout), check_(std::move(check)), worker_(open_, options_, mail) {}

Result<void> Books::use_file(const std::string& file) {
    book::OpenOptions options = options_;
    options.experience = engine::platform::resolved(file);
    if (file != NoBook)
        if (Result<void> usable = check_(options.experience, ReaderPatience); !usable)
            return usable;
    options_ = std::move(options);
    reader_.reset();
    open_attempted_ = reported_ = false;
    worker_.open(options_);
    return {};
}

std::vector<std::string> Books::use_further(const std::vector<std::filesystem::path>& files) {
    std::vector<std::string> errors;
    options_.further.clear();
    for (const std::filesystem::path& file : files)
        if (const Result<void> usable = book::check_further_book(file); usable)
            options_.further.push_back(file);
        else
            errors.push_back(usable.error().what);
    reader_.reset();
    open_attempted_ = reported_ = false;
    return errors;
}

// Opens the reader when it is first needed, after the worker, which may have to create the file.
book::Book* Books::reader() {
    if (open_attempted_ || options_.experience == NoBook)
        return reader_.get();
    open_attempted_ = true;
    worker_.wait_opened(opening_timeout_);
    book::OpenOptions options = options_;
    options.read_only = true;
    options.patience = ReaderPatience;
    if (Result<std::unique_ptr<book::Book>> opened = open_(options))
        reader_ = std::move(*opened);
    return reader_.get();
}

template <typename T>
T Books::value_or_report(Result<T> result) {
    if (result)
        return std::move(*result);
    if (!reported_)
        mail_.put(BookMessage{{result.error().what}});
    reported_ = true;
    return {};
}

std::optional<book::Chosen> Books::choose(const engine::Game& game,
                                          const book::ChooseOptions& options) {
    book::Book* const book = reader();
    if (!book)
        return std::nullopt;
    std::optional<book::Chosen> chosen = value_or_report(book->choose(game, options));
    if (chosen && !game.position().is_legal(chosen->move))
        chosen.reset();
    return chosen;
}

std::vector<book::Row> Books::table(const engine::Position& pos,
                                    const book::ChooseOptions& options) {
    book::Book* const book = reader();
    return book ? value_or_report(book->table(pos, options)) : std::vector<book::Row>();
}

std::string Books::opening(const engine::Game& game) {
    book::Book* const book = reader();
    return book ? book->opening(game) : "";
}

}  // namespace protocol
