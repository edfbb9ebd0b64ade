#include "book/model/utf8.h"

namespace book {

bool is_utf8(std::string_view text) {
    std::size_t more = 0;              // bytes of this character still to come
    unsigned low = 0x80, high = 0xBF;  // range of the next byte
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (more > 0) {
            if (byte < low || byte > high)
                return false;
            low = 0x80;
            high = 0xBF;
            --more;
        } else if (byte >= 0x80) {
            if (byte < 0xC2 || byte > 0xF4)
                return false;
            more = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
            low = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;   // no longer than needed
            high = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;  // no half of a pair
        }
    }
    return more == 0;
}

std::string latin1_to_utf8(std::string_view text) {
    std::string converted;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            converted += c;
        else
            (converted += static_cast<char>(0xC0 | byte >> 6)) +=
                static_cast<char>(0x80 | (byte & 0x3F));
    }
    return converted;
}

std::string utf8_of(std::string_view text) {
    return is_utf8(text) ? std::string(text) : latin1_to_utf8(text);
}

std::optional<std::string> utf8_to_latin1(std::string_view text) {
    std::string converted;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x80 && ((byte != 0xC2 && byte != 0xC3) || i + 1 == text.size()))
            return std::nullopt;
        converted +=
            byte < 0x80 ? text[i] : static_cast<char>((byte & 0x03) << 6 | (text[++i] & 0x3F));
    }
    return converted;
}

std::string with_hyphens(std::string_view text) {
    std::string plain(text);
    for (std::size_t at = 0; (at = plain.find(EnDash, at)) != std::string::npos;)
        plain.replace(at, EnDash.size(), "-");
    return plain;
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes)
        return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80)
        --bytes;
    return text.substr(0, bytes);
}

}  // namespace book
