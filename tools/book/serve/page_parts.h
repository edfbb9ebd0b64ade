// The files of the live page, compiled in by page_parts.cmake.
#pragma once

namespace tools::book_command {

struct PagePart {
    const char* path;          // "/style.css"
    const char* type;          // of its content
    const char* const* lines;  // up to a null pointer
};
extern const PagePart PageParts[];  // ends with one without a path

}  // namespace tools::book_command
