// Unpacks gzip, bzip2 and zstd data: any number of members, streams and frames in a row.
#pragma once

#include "book/pgn/text_buffer.h"

#include <memory>

namespace book {

// True if data that begins with these bytes, four or more, is packed.
bool is_packed(std::string_view first);
// The name of an archive format that decompressed() cannot unpack: "a zip archive"; else "".
std::string_view archive_name(std::string_view first);

// Unpacks the data of `source`. Everything that can be unpacked is delivered first; then `trouble`,
// unless it is already set, says if the data was cut off, damaged or followed by other bytes.
TextSource decompressed(TextSource source, std::shared_ptr<SourceTrouble> trouble);

}  // namespace book
