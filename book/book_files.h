// The files that make up one book: the user's own, the installed one under it, and a file beside it
// where the user's may not be written.
#pragma once

#include "book/probe/view.h"

namespace book {

// What is backed up through the experience follows from that file alone, so that it can be verified
// without the others: their games and searches count in the position that is looked at.
struct BookFiles {
    std::optional<Store> experience;  // chosen from and, if `learns`, learned into
    std::optional<Store> original;    // the user's book, if that is not what is learned into
    std::optional<Store> base;
    std::filesystem::path file;  // of the experience
    bool learns = false;
    std::string notice;  // for the user, or ""

    Layers layers();
    // Of the experience; see Reading.
    Result<Reading> begin_reading();
    // The log's constants, or the standard ones if there is no log yet.
    [[nodiscard]] Result<Model> model() const;
};

// Opens what there is. A reader sees no experience where none is yet. A writer creates the book and
// its folder; of a book that cannot be written, or shall not be, it learns into the file beside it;
// and what lies in such a file it takes in as soon as the book can be written again. Fails with one
// sentence where Store::open fails on a file that is there.
Result<BookFiles> open_book_files(const std::filesystem::path& book,
                                  const std::filesystem::path& base,
                                  bool read_only);

}  // namespace book
