#include "tools/lab/thermometer/thermometer_file.h"

#include "engine/score.h"
#include "tools/common/checksum.h"
#include "tools/common/strings.h"

#include <fmt/format.h>

namespace tools::thermometer {
namespace {

constexpr std::string_view Name = "nutcracker-thermometer ", Version = "1", End = "end ";

// Cuts the first line off `bytes` and returns it; nothing if no line is complete.
std::optional<std::string_view> take_line(std::string_view& bytes) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    return line;
}

std::optional<double> scale_in(std::string_view conditions) {
    for (const std::string_view field : fields(conditions))
        if (constexpr std::string_view Key = "scale="; field.starts_with(Key))
            return number<double>(field.substr(Key.size()));
    return std::nullopt;
}

std::optional<ValuedPosition> position_in(std::string_view line) {
    const auto game = number<std::uint64_t>(take_word(line));
    const auto score = number<int>(take_word(line));
    if (!game || !score || std::abs(*score) > engine::Mate)
        return std::nullopt;
    const Result<engine::Position> pos = engine::Position::from_fen(line);
    return pos ? std::optional(ValuedPosition{*game, *score, *pos}) : std::nullopt;
}

}  // namespace

std::string encode(const Conditions& c) {
    return fmt::format("{}{}\nseed={} nodes={} positions={} per-game={} scale={} "
                       "network={:016x} games={:016x}\n",
                       Name,
                       Version,
                       c.seed,
                       c.nodes,
                       c.positions,
                       c.per_game,
                       c.scale,
                       c.network,
                       c.games);
}

std::string encode(const ValuedPosition& valued) {
    return fmt::format("{} {} {}\n", valued.game, valued.score, valued.pos.fen());
}

std::string end_line(std::string_view before, std::size_t positions) {
    return fmt::format("{}{} {:016x}\n", End, positions, checksum(before));
}

Result<Contents> decode(std::string_view bytes) {
    std::string_view rest = bytes;
    const auto title = take_line(rest);
    if (!title || !title->starts_with(Name))
        return fail("not a thermometer");
    if (title->substr(Name.size()) != Version)
        return fail(fmt::format(
            "a thermometer of version {}, not of {}", title->substr(Name.size()), Version));
    const auto conditions = take_line(rest);
    const auto scale = conditions ? scale_in(*conditions) : std::nullopt;
    if (!scale || !(*scale > 0))
        return fail("a damaged thermometer: its second line");
    Contents contents{std::string(bytes.substr(0, bytes.size() - rest.size())), *scale, {}, false};
    for (std::size_t number = 3; const auto line = take_line(rest); ++number) {
        if (line->starts_with(End)) {
            const auto before = static_cast<std::size_t>(line->data() - bytes.data());
            const std::string end = end_line(bytes.substr(0, before), contents.positions.size());
            if (bytes.substr(before) != end)
                return fail("a damaged thermometer: its checksum is wrong");
            contents.complete = true;
            return contents;
        }
        const auto valued = position_in(*line);
        if (!valued)
            return fail(fmt::format("a damaged thermometer: line {}", number));
        contents.positions.push_back(*valued);
    }
    return contents;
}

}  // namespace tools::thermometer
