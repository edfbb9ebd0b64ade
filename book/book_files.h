// The files that make up one book: the user's own, the installed one below it, and an overlay where
// the user's may not be written.
#pragma once

#include "book/probe/polyglot_book.h"
#include "book/probe/probe.h"
#include "book/store/copies.h"

namespace book {

// A read-only book in our format. Its own games count unless an earlier book also has them.
struct FurtherBook {
    Store store;
    bool has_games = false;        // own games that count
    std::optional<Store> games{};  // in memory: the book without the own games that do not count
};

// Backed-up values in the experience depend on the experience alone, so that it can be verified
// without the other files. The other files contribute only to the position being probed.
struct BookFiles {
    std::optional<Store> experience;  // read and, if `learns`, written
    std::shared_ptr<Store> original;  // the user's book, if the experience is its overlay
    std::optional<Store> base;        // the installed book
    std::vector<std::unique_ptr<FurtherBook>> further;
    std::vector<std::unique_ptr<PolyglotBook>> polyglot;  // read-only
    std::filesystem::path file;                           // of the experience
    bool learns = false;
    bool learning_off = false;  // the user had turned it off in this book when it was opened
    // A reader has the user's book without its overlay, which is not there yet, or is not filled.
    bool lacks_overlay = false;
    std::string notice;    // for the user, or ""
    std::string unusable;  // why there is no experience although the user wants one, or ""

    void add_notice(const std::string& sentence);
    // True if the user's book, or its overlay, is Database::outdated().
    [[nodiscard]] bool outdated() const;
    // Finds again which own games of further books count, so that each game counts once. Takes as
    // long as verify() for a book that counts in part. May throw Failure or an exception of SQLite.
    void count_further_games();
    Layers layers();
    // For the experience, if there is one. Both may throw an exception of SQLite.
    ReadTransaction begin_reading();
    Model model();
};

// Opens the files that exist. A reader has no experience if the file does not exist yet, and leaves
// out an overlay until the writer has filled it with what the book has learned. A writer
// creates the book and its folder; if the book cannot be written, or the user forbids it, the
// writer learns into an overlay. As soon as the book can be written again, overlays are merged into
// it and removed. Throws as Store does on a user's book that exists but cannot be opened.
// `patience`: how long to wait for a program that has locked the book.
BookFiles open_book_files(const std::filesystem::path& book,
                          const std::filesystem::path& base,
                          bool read_only,
                          std::chrono::milliseconds patience = UsualPatience);
// Throws what open_book_files() throws on a book that cannot be used, unless it exists and the
// reason may pass. Creates a missing one, but leaves all else as it is: a book of an older format,
// the spools, the overlays.
void check_book(const std::filesystem::path& book, std::chrono::milliseconds patience);
// Adds a read-only book: one of ours or, if its name ends in `.bin`, a PolyGlot book. Throws
// Failure, or an exception of SQLite, on a file that is no book.
void add_further_book(BookFiles& files, const std::filesystem::path& file);

// The files of a book and of its overlays, with what SQLite keeps beside them, and the spool;
// whether they exist or not.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& book);

// Copies the user's book if it learns, is not empty and not larger than `max_bytes`, and its copy
// is missing or a week old. Returns true if it made a copy. Throws as Database does.
inline constexpr std::uintmax_t MaxCopiedBytes = 256'000'000;
bool back_up_weekly(BookFiles& files, std::uintmax_t max_bytes = MaxCopiedBytes);

}  // namespace book
