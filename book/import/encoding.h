// Converts UTF-16 and UTF-32 text, which some Windows programs write, to UTF-8.
#pragma once

#include "book/pgn/text_buffer.h"

#include <optional>

namespace book {

struct WideEncoding {
    std::size_t unit = 2;  // bytes: 2 or 4
    bool big_endian = false;
};

// Detects the encoding from the first bytes of a text (four or more): by the byte order mark, or
// UTF-16 by two letters. Nothing for UTF-8 and other 8-bit text.
std::optional<WideEncoding> find_wide_encoding(std::string_view first);

TextSource to_utf8(TextSource source, WideEncoding encoding);

}  // namespace book
