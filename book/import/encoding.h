// Text of UTF-16 or UTF-32, as some Windows programs write it, as UTF-8.
#pragma once

#include "book/pgn/text_buffer.h"

#include <optional>

namespace book {

struct WideEncoding {
    std::size_t unit = 2;  // bytes: 2 or 4
    bool big_endian = false;
};

// The encoding of a text that begins with these bytes, four or more: known by the byte order mark,
// UTF-16 also by two letters. Nothing for UTF-8 and other texts of bytes.
std::optional<WideEncoding> find_wide_encoding(std::string_view first);

TextSource to_utf8(TextSource source, WideEncoding encoding);

}  // namespace book
