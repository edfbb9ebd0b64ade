#include "book/pgn/comment_score.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace book {
namespace {

constexpr double MaxPawns = 1000;  // more is no score

// Reads a number at the beginning and removes it.
std::optional<double> take_number(std::string_view& text) {
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || !std::isfinite(value) || std::abs(value) > MaxPawns)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

int centipawns(double pawns) {
    return std::clamp(static_cast<int>(std::lround(100 * pawns)), -MaxScore, MaxScore);
}

int take_depth(std::string_view& text) {
    const std::optional<double> depth = take_number(text);
    return depth ? std::clamp(static_cast<int>(*depth), 0, MaxScoreDepth) : 0;
}

}  // namespace

std::optional<CommentScore> read_eval(std::string_view comment, Color mover) {
    constexpr std::string_view Tag = "[%eval ";
    const std::size_t at = comment.find(Tag);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view text = comment.substr(at + Tag.size());
    const bool mate = text.starts_with('#');
    text.remove_prefix(mate ? 1 : 0);
    const bool negative = text.starts_with('-');  // also of "-0"
    const std::optional<double> value = take_number(text);
    if (!value)
        return std::nullopt;
    CommentScore score{.cp = mate ? (negative ? -MaxScore : MaxScore) : centipawns(*value)};
    if (text.starts_with(',')) {
        text.remove_prefix(1);
        score.depth = take_depth(text);
    }
    if (!text.starts_with(']'))
        return std::nullopt;
    if (mover == engine::Black)
        score.cp = -score.cp;
    return score;
}

std::optional<CommentScore> read_search(std::string_view comment) {
    comment.remove_prefix(std::min(comment.find_first_not_of(' '), comment.size()));
    const bool negative = comment.starts_with('-');
    std::string_view text = comment;
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    CommentScore score;
    if (text.starts_with('M') || text.starts_with('#')) {
        text.remove_prefix(1);
        if (!take_number(text))
            return std::nullopt;
        score.cp = negative ? -MaxScore : MaxScore;
    } else {
        const std::optional<double> value = take_number(comment);
        if (!value)
            return std::nullopt;
        score.cp = centipawns(*value);
        text = comment;
    }
    if (!text.starts_with('/'))
        return std::nullopt;
    text.remove_prefix(1);
    score.depth = take_depth(text);
    return score.depth > 0 ? std::optional(score) : std::nullopt;
}

}  // namespace book
