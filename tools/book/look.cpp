#include "tools/book/look.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tools::book_command {
namespace {

constexpr std::array Marks{std::pair("none", 0),
                           std::pair("always", int{book::Always}),
                           std::pair("prefer", int{book::Prefer}),
                           std::pair("avoid", int{book::Avoid}),
                           std::pair("never", int{book::Never})};
constexpr std::array Times{std::pair("lightning", book::TimeClass::Lightning),
                           std::pair("blitz", book::TimeClass::Blitz),
                           std::pair("standard", book::TimeClass::Standard)};

}  // namespace

Result<book::BookFiles> open_for_looking(const Place& place) {
    return book::open_book_files(place.book, place.base, true);
}

Result<book::PositionView>
look(book::BookFiles& files, const engine::Position& pos, book::Color side, book::TimeClass time) {
    const Result<book::Model> model = files.model();
    if (!model)
        return tl::unexpected<Error>(model.error());
    return book::view(files.layers(),
                      *model,
                      {.key = pos.key(),
                       .bits = book::check_bits(pos),
                       .side = side,
                       .time = time,
                       .opponent = 0,
                       .child = book::children_of(pos)});
}

std::string flags_text(int flags) {
    std::string text;
    for (const auto& [name, flag] : Marks)
        if ((flags & flag) != 0)
            text += std::string(text.empty() ? "" : ",") + name;
    return text;
}

std::optional<int> flag_from(const std::string& word) {
    const auto* mark = std::find_if(
        Marks.begin(), Marks.end(), [&word](const auto& m) { return word == m.first; });
    return mark == Marks.end() ? std::nullopt : std::optional(mark->second);
}

std::optional<book::TimeClass> time_from(const std::string& name) {
    const auto* time = std::find_if(
        Times.begin(), Times.end(), [&name](const auto& t) { return name == t.first; });
    return time == Times.end() ? std::nullopt : std::optional(time->second);
}

std::string formatted(const char* format, double a, double b, double c) {
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), format, a, b, c);
    return text.data();
}

std::string percent_text(std::int64_t wins, std::int64_t draws, std::int64_t losses) {
    const std::int64_t games = wins + draws + losses;
    return games == 0
               ? "-"
               : formatted("%.0f %%",
                           100 * (static_cast<double>(wins) + static_cast<double>(draws) / 2) /
                               static_cast<double>(games));
}

}  // namespace tools::book_command
