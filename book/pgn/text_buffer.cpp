#include "book/pgn/text_buffer.h"

#include <algorithm>
#include <cstring>

namespace book {
namespace {

constexpr std::size_t BufferSize = 1 << 18;
constexpr std::size_t SampleSize = 4096;  // at the beginning, to find out how lines end

}  // namespace

TextBuffer::TextBuffer(TextSource source)
    : source_(std::move(source)), buffer_(BufferSize + MinAhead + 3), begin_(buffer_.data() + 1),
      at_(begin_), end_(begin_), counted_(begin_) {
    begin_[-1] = '\n';
}

std::int64_t TextBuffer::line() {
    lines_ += std::count(counted_, static_cast<const char*>(at_), line_end_);
    counted_ = at_;
    return lines_ + 1;
}

bool TextBuffer::fill() {
    if (at_end_)
        return false;
    line();
    consumed_ += at_ - begin_;
    consumed_print_.add(std::string_view(begin_, static_cast<std::size_t>(at_ - begin_)));
    const auto left = static_cast<std::size_t>(size());
    begin_[-1] = at_[-1];
    std::memmove(begin_, at_, left);
    at_ = begin_;
    counted_ = begin_;
    std::size_t n = source_(std::span(begin_ + left, BufferSize));
    at_end_ = n == 0;
    if (!started_) {  // read a full sample, even if the source gives small pieces
        for (std::size_t more = n; more > 0 && n < SampleSize; n += more)
            more = source_(std::span(begin_ + n, BufferSize - n));
        started_ = true;
        const std::string_view sample(begin_, std::min(n, SampleSize));
        if (sample.find('\n') == sample.npos && sample.find('\r') != sample.npos)
            line_end_ = '\r';
    }
    end_ = begin_ + left + n;
    *end_ = '\0';
    return n > 0;
}

std::string TextBuffer::fingerprint() const {
    Fingerprint print = consumed_print_;
    print.add(std::string_view(begin_, static_cast<std::size_t>(at_ - begin_)));
    return print.bytes();
}

void TextBuffer::skip(std::int64_t bytes) {
    while (bytes > 0 && has_more()) {
        const std::ptrdiff_t n = std::min<std::int64_t>(bytes, size());
        at_ += n;
        bytes -= n;
    }
}

void TextBuffer::skip_line() {
    do
        while (at_ != end_ && !is_kind(*at_, LineEndChar))
            ++at_;
    while (at_ == end_ && fill());
}

bool TextBuffer::skip_comment() {
    for (; has_more(); at_ = end_)
        if (void* const brace = std::memchr(at_, '}', static_cast<std::size_t>(size()))) {
            at_ = static_cast<char*>(brace) + 1;
            return true;
        }
    return false;
}

void TextBuffer::skip_markup() {
    constexpr std::ptrdiff_t MaxMarkup = 64;
    char* const limit = at_ + std::min(size(), MaxMarkup);
    char* const close = std::find(at_, limit, '>');
    at_ = close == limit ? at_ + 1 : close + 1;
}

}  // namespace book
