#include "book/store/failure.h"

#include "book/store/statement.h"

#include <new>

namespace book {

// Our own wording where it is clearer than SQLite's.
std::string describe(const SQLite::Exception& e) {
    switch (e.getErrorCode()) {
    case SQLITE_NOTADB:
        return "is not a book: it is not an SQLite file; if it was a book, "
               "\"nutcracker-book --book FILE recover\" saves what can be read of it";
    case SQLITE_CORRUPT:
        return IsDamaged;
    case SQLITE_CANTOPEN:
        return "cannot be opened";
    case SQLITE_FULL:
        return "cannot be written: the disk is full";
    case SQLITE_IOERR:
        return "cannot be used: the disk fails or is full";
    case SQLITE_READONLY:
        return "cannot be written: it is read-only";
    case SQLITE_BUSY:
        return "is held by another program";
    default:
        return std::string("cannot be used: ") + e.what();
    }
}

Error error_from(const std::exception& exception) {
    if (const auto* sql = dynamic_cast<const SQLite::Exception*>(&exception))
        return {"the book " + describe(*sql)};
    if (dynamic_cast<const std::bad_alloc*>(&exception))
        return {"out of memory"};
    return {exception.what()};
}

}  // namespace book
