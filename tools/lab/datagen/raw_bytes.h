// Numbers as the bytes of a file. Little-endian, as are all machines that the engine runs on.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace tools::datagen {

template <typename T>
void append(std::string& bytes, T value) {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    bytes.append(raw.data(), sizeof(T));
}

// Requires that the bytes are there.
template <typename T>
T read_at(std::string_view bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

}  // namespace tools::datagen
