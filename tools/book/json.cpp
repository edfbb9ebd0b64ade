#include "tools/book/json.h"

#include <array>
#include <cstdio>

namespace tools {
namespace {

// Bytes of the UTF-8 character that begins here; 0 if it is none.
std::size_t character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const unsigned first = byte(0);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool outside = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    return overlong || outside ? 0 : size;
}

std::string escape(unsigned code) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "\\u%04x", code);
    return text.data();
}

}  // namespace

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = character_at(text, at);
        const auto c = static_cast<unsigned char>(text[at]);
        if (size == 0)
            out += escape(c);
        else if (size == 1 && (c == '"' || c == '\\'))
            (out += '\\') += static_cast<char>(c);
        else if (size == 1 && (c < 0x20 || c == '<' || c == '>' || c == '&' || c == 0x7F))
            out += escape(c);
        else
            out += text.substr(at, size);
        at += size == 0 ? 1 : size;
    }
    return out + '"';
}

std::string json_number(double value, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    std::string number = text.data();
    if (number.find('.') != std::string::npos) {
        number.erase(number.find_last_not_of('0') + 1);
        if (number.back() == '.')
            number.pop_back();
    }
    return number == "-0" ? "0" : number;
}

void JsonWriter::separate() {
    if (!first_)
        out_ += ',';
    first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
}

JsonWriter& JsonWriter::name(std::string_view name) {
    separate();
    ((out_ += '"') += name) += "\":";
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view value) {
    separate();
    out_ += value;
    return *this;
}

}  // namespace tools
