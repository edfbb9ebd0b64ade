#include "book/import/encoding.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace book {
namespace {

constexpr std::size_t BlockSize = 1 << 16;
constexpr char32_t Replacement = 0xFFFD;

void append(std::string& text, char32_t c) {
    const auto add = [&](int shift, unsigned mark) {
        text += static_cast<char>(mark | (c >> shift & 0x3F));
    };
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0 | c >> 6);
        add(0, 0x80);
    } else if (c < 0x1'0000) {
        text += static_cast<char>(0xE0 | c >> 12);
        add(6, 0x80);
        add(0, 0x80);
    } else {
        text += static_cast<char>(0xF0 | (c >> 18 & 7));
        add(12, 0x80);
        add(6, 0x80);
        add(0, 0x80);
    }
}

class Converter {
  public:
    Converter(TextSource source, WideEncoding encoding)
        : source_(std::move(source)), encoding_(encoding) {}

    std::size_t read(std::span<char> to) {
        while (used_ == text_.size())
            if (!convert_block())
                return 0;
        const std::size_t n = std::min(to.size(), text_.size() - used_);
        std::memcpy(to.data(), text_.data() + used_, n);
        used_ += n;
        return n;
    }

  private:
    bool convert_block();
    [[nodiscard]] char32_t unit_at(std::size_t place) const;
    void add_unit(char32_t unit);

    TextSource source_;
    WideEncoding encoding_;
    std::vector<char> block_ = std::vector<char>(BlockSize);
    std::size_t left_ = 0;  // bytes of an incomplete unit, at the beginning of the block
    char32_t high_ = 0;     // the first half of a surrogate pair
    std::string text_;      // converted
    std::size_t used_ = 0;  // of text_
};

char32_t Converter::unit_at(std::size_t place) const {
    char32_t unit = 0;
    for (std::size_t i = 0; i < encoding_.unit; ++i) {
        const std::size_t byte = encoding_.big_endian ? i : encoding_.unit - 1 - i;
        unit = unit << 8 | static_cast<unsigned char>(block_[place + byte]);
    }
    return unit;
}

void Converter::add_unit(char32_t unit) {
    const bool is_high = 0xD800 <= unit && unit < 0xDC00;
    const bool is_low = 0xDC00 <= unit && unit < 0xE000;
    if (high_ != 0 && is_low)
        append(text_, 0x1'0000 + ((high_ & 0x3FF) << 10 | (unit & 0x3FF)));
    else if (high_ != 0 || is_low || unit > 0x10'FFFF)
        append(text_, Replacement);
    if (!is_high && !is_low && unit <= 0x10'FFFF)
        append(text_, unit);
    high_ = is_high ? unit : 0;
}

// False at the end of the text.
bool Converter::convert_block() {
    const std::size_t n = source_(std::span(block_).subspan(left_));
    text_.clear();
    used_ = 0;
    const std::size_t size = left_ + n, whole = size / encoding_.unit * encoding_.unit;
    for (std::size_t at = 0; at < whole; at += encoding_.unit)
        add_unit(unit_at(at));
    left_ = size - whole;
    std::memmove(block_.data(), block_.data() + whole, left_);
    return n > 0;
}

}  // namespace

std::optional<WideEncoding> find_wide_encoding(std::string_view first) {
    using namespace std::string_view_literals;
    const auto letter = [&](std::size_t i) { return ' ' <= first[i] && first[i] <= '~'; };
    if (first.size() < 4)
        return std::nullopt;
    if (first.starts_with("\xFF\xFE\0\0"sv))
        return WideEncoding{.unit = 4, .big_endian = false};
    if (first.starts_with("\0\0\xFE\xFF"sv))
        return WideEncoding{.unit = 4, .big_endian = true};
    if (first.starts_with("\xFF\xFE") || (letter(0) && first[1] == 0 && letter(2) && first[3] == 0))
        return WideEncoding{.unit = 2, .big_endian = false};
    if (first.starts_with("\xFE\xFF") || (first[0] == 0 && letter(1) && first[2] == 0 && letter(3)))
        return WideEncoding{.unit = 2, .big_endian = true};
    return std::nullopt;
}

TextSource to_utf8(TextSource source, WideEncoding encoding) {
    auto converter = std::make_shared<Converter>(std::move(source), encoding);
    return [converter = std::move(converter)](std::span<char> to) { return converter->read(to); };
}

}  // namespace book
