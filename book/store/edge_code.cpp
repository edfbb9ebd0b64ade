#include "book/store/edge_code.h"

namespace book {
namespace {

constexpr int RatingShift = 10;
constexpr std::int64_t MaxRating = 4095;  // so that a single game fits three bytes

int year_code(int year) {
    return storable_year(year) == 0 ? 0 : year - FirstYear + 1;
}
int year_of(std::int64_t code) {
    return code <= 0 ? 0 : static_cast<int>(code) + FirstYear - 1;
}

}  // namespace

std::optional<std::int64_t> to_number(const Edge& e) {
    if (e.games() != 1 || e.ratings > MaxRating)
        return std::nullopt;
    const int outcome = e.white != 0 ? 0 : e.draws != 0 ? 1 : e.black != 0 ? 2 : 3;
    return outcome | year_code(e.last) << 2 | e.ratings << RatingShift;
}

Edge from_number(std::int64_t n) {
    Edge e;
    (n % 4 == 0 ? e.white : n % 4 == 1 ? e.draws : n % 4 == 2 ? e.black : e.unknown) = 1;
    e.last = year_of(n >> 2 & 255);
    e.ratings = n >> RatingShift;
    e.rated = e.ratings > 0 ? 1 : 0;
    return e;
}

std::size_t to_blob(const Edge& e, std::array<char, MaxBlobBytes>& bytes) {
    std::size_t size = 0;
    for (const std::int64_t value : {e.white,
                                     e.draws,
                                     e.black,
                                     e.unknown,
                                     e.rated,
                                     e.ratings,
                                     std::int64_t{year_code(e.last)}}) {
        auto rest = static_cast<std::uint64_t>(value);
        for (; rest >= 128; rest >>= 7)
            bytes[size++] = static_cast<char>(rest | 128);
        bytes[size++] = static_cast<char>(rest);
    }
    return size;
}

Edge from_blob(const void* data, int size) {
    std::array<std::int64_t, 7> values{};
    const auto* at = static_cast<const unsigned char*>(data);
    const auto* const end = at + size;
    for (std::int64_t& value : values)
        for (int shift = 0; at != end && shift < 63; shift += 7) {
            value |= static_cast<std::int64_t>(*at & 127) << shift;
            if ((*at++ & 128) == 0)
                break;
        }
    Edge e;
    e.white = values[0];
    e.draws = values[1];
    e.black = values[2];
    e.unknown = values[3];
    e.rated = values[4];
    e.ratings = values[5];
    e.last = year_of(values[6]);
    return e;
}

}  // namespace book
