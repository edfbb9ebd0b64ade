#include "book/pgn/text_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace book {
namespace {

constexpr std::size_t BufferSize = 1 << 18;
constexpr std::string_view FirstTag = "[Event \"";
constexpr std::size_t SampleSize = 4096;  // at the beginning, to find out how lines end

}  // namespace

TextBuffer::TextBuffer(TextSource source)
    : source_(std::move(source)), buffer_(BufferSize + MinAhead + 3), begin_(buffer_.data() + 1),
      at_(begin_), end_(begin_), next_line_end_(begin_ - 1), counted_(begin_) {
    begin_[-1] = '\n';
}

std::int64_t TextBuffer::line() {
    lines_ += std::count(counted_, static_cast<const char*>(at_), line_end_);
    counted_ = at_;
    return lines_ + 1;
}

// Hashes and counts the text before the next character.
void TextBuffer::consume() {
    const char* from = begin_;
    if (marked_ != nullptr) {
        marked_bytes_ = marked_bytes();
        consumed_print_.add(std::string_view(from, static_cast<std::size_t>(marked_ - from)));
        marked_print_ = consumed_print_;
        from = std::exchange(marked_, nullptr);
    }
    consumed_print_.add(std::string_view(from, static_cast<std::size_t>(at_ - from)));
    consumed_ += at_ - begin_;
}

bool TextBuffer::fill() {
    if (at_end_)
        return false;
    line();
    consume();
    const auto left = static_cast<std::size_t>(size());
    begin_[-1] = at_[-1];
    std::memmove(begin_, at_, left);
    at_ = begin_;
    counted_ = begin_;
    next_line_end_ = begin_ - 1;
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

std::string TextBuffer::marked_fingerprint() const {
    if (marked_ == nullptr)
        return marked_print_.bytes();
    Fingerprint print = consumed_print_;
    print.add(std::string_view(begin_, static_cast<std::size_t>(marked_ - begin_)));
    return print.bytes();
}

void TextBuffer::skip(std::int64_t bytes) {
    while (bytes > 0 && has_more()) {
        const std::ptrdiff_t n = std::min<std::int64_t>(bytes, size());
        at_ += n;
        bytes -= n;
        const char* last = at_;
        while (last > begin_ && is_kind(last[-1], SpaceChar))
            --last;
        if (last > begin_)  // "*", or the end of "1-0" or "1/2"
            skipped_result_ = last[-1] == '*' || (is_kind(last[-1], DigitChar) &&
                                                  (last[-2] == '-' || last[-2] == '/'));
    }
    mark();
}

void TextBuffer::skip_line() {
    do
        while (at_ != end_ && !is_kind(*at_, LineEndChar))
            ++at_;
    while (at_ == end_ && fill());
}

// True if nothing but blanks stands before the end of this line; long lines of blanks do not count.
bool TextBuffer::at_blank_line() const {
    const char* const limit = at_ + MaxWord;
    const char* p = at_;
    while (p < limit && (*p == ' ' || *p == '\t' || (*p == '\r' && line_end_ != '\r')))
        ++p;
    return *p == line_end_;
}

// The first `c` before `stop`, or `stop`.
char* TextBuffer::find(char c, char* stop) const {
    void* const found = std::memchr(at_, c, static_cast<std::size_t>(stop - at_));
    return found != nullptr ? static_cast<char*>(found) : stop;
}

namespace {

void add_space(std::string* copy, std::size_t max) {
    if (copy != nullptr && copy->size() < max)
        *copy += ' ';
}
void add_cut(std::string* copy, std::size_t max, const char* begin, const char* end) {
    if (copy != nullptr && copy->size() < max)
        copy->append(begin, std::min(static_cast<std::size_t>(end - begin), max - copy->size()));
}

}  // namespace

std::int64_t TextBuffer::skip_comment(std::string* copy, std::size_t max) {
    char* const brace = find('}', end_);
    if (next_line_end_ < at_)
        next_line_end_ = find(line_end_, end_);
    if (brace >= next_line_end_)
        return skip_long_comment(copy, max);
    add_cut(copy, max, at_, brace);
    at_ = brace + 1;
    return 0;
}

std::int64_t TextBuffer::skip_long_comment(std::string* copy, std::size_t max) {
    const std::int64_t first_line = line();
    bool line_start = false, after_blank_line = false;
    while (has_word()) {
        char* const brace = find('}', end_);
        while (at_ != brace) {
            if (line_start) {
                if (size() < MinAhead && !at_end_)
                    break;  // read on first
                if (after_blank_line && std::string_view(at_, end_).starts_with(FirstTag))
                    return first_line;
                after_blank_line = at_blank_line();
            }
            const char* const part = at_;
            at_ = find(line_end_, brace);
            line_start = at_ != brace;
            add_cut(copy, max, part, at_);
            if (line_start)
                add_space(copy, max);
            at_ += line_start ? 1 : 0;
        }
        if (at_ == brace && brace != end_) {
            ++at_;
            return 0;
        }
    }
    return first_line;
}

void TextBuffer::skip_markup() {
    constexpr std::ptrdiff_t MaxMarkup = 64;
    char* const limit = at_ + std::min(size(), MaxMarkup);
    char* const close = std::find(at_, limit, '>');
    at_ = close == limit ? at_ + 1 : close + 1;
}

}  // namespace book
