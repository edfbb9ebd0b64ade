// Unpacks gzip, bzip2 and zstd data: any number of members, streams and frames in a row.
#pragma once

#include "book/pgn/text_buffer.h"

#include <memory>

namespace book {

// True if data that begins with these bytes, four or more, is packed.
bool is_packed(std::string_view first);
// What such data is called that decompressed() cannot unpack: "a zip archive"; "" of other data.
std::string_view archive_name(std::string_view first);

// Unpacks what `source` gives. All that can be unpacked is given out before the source ends; then
// `trouble` says if the data was cut off, damaged or followed by other bytes. What it says already
// is kept.
TextSource decompressed(TextSource source, std::shared_ptr<SourceTrouble> trouble);

}  // namespace book
