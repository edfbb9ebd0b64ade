// Packs text with one of Boost's compressors.
#pragma once

#include <sstream>
#include <string>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

namespace helpers {

template <typename Compressor>
std::string packed(const Compressor& compressor, const std::string& text) {
    std::istringstream in(text);
    std::ostringstream out;
    boost::iostreams::filtering_ostream filter;
    filter.push(compressor);
    filter.push(out);
    boost::iostreams::copy(in, filter);
    return out.str();
}

}  // namespace helpers
