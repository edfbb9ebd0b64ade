#include "book/probe/opening_names.h"

#include "book/model/key.h"
#include "book/store/failure.h"
#include "engine/board/notation.h"

#include <algorithm>

#include <fmt/format.h>

namespace book {

extern const char* const OpeningLines[];  // made at build time; ends with nullptr

namespace {

// The token without a move number ("4.", "4...") in front.
std::string_view without_number(std::string_view token) {
    const std::size_t digits = std::min(token.find_first_not_of("0123456789"), token.size());
    if (digits == token.size())
        return {};
    const std::size_t dots = token.find_first_not_of('.', digits);
    return dots == digits ? token : token.substr(std::min(dots, token.size()));
}

std::vector<engine::Move> parse_line(std::string_view text) {
    std::vector<engine::Move> moves;
    engine::Position pos;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view token = without_number(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (token.empty())
            continue;
        const auto move = engine::parse_move(pos, token);
        if (!move)
            throw Failure(fmt::format("\"{}\" is no move here", token));
        pos.make(*move);
        moves.push_back(*move);
    }
    return moves;
}

// Adds the opening of a row; nothing for an empty line, a comment or the heading.
void parse_row(std::string_view row, std::vector<Opening>& openings) {
    if (!row.empty() && row.back() == '\r')
        row.remove_suffix(1);
    if (row.empty() || row.front() == '#' || row.starts_with("eco\t"))
        return;
    const std::size_t first = row.find('\t');
    const std::size_t second = first == row.npos ? first : row.find('\t', first + 1);
    if (second == row.npos)
        throw Failure(fmt::format("line of openings without three columns: \"{}\"", row));
    try {
        openings.push_back({.eco = std::string(row.substr(0, first)),
                            .name = std::string(row.substr(first + 1, second - first - 1)),
                            .moves = parse_line(row.substr(second + 1))});
    } catch (const Failure& failure) {
        throw Failure(fmt::format("opening \"{}\": {}", row, failure.what()));
    }
}

std::vector<Opening> compiled_in() {
    std::vector<Opening> all;
    for (const char* const* line = OpeningLines; *line; ++line)
        parse_row(*line, all);
    return all;
}

}  // namespace

std::vector<Opening> parse_openings(std::string_view table) {
    std::vector<Opening> all;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        parse_row(table.substr(0, end), all);
        table.remove_prefix(std::min(end + 1, table.size()));
    }
    return all;
}

OpeningNames::OpeningNames() : OpeningNames(compiled_in()) {}
OpeningNames::OpeningNames(const std::vector<Opening>& openings) {
    for (const Opening& opening : openings) {
        engine::Position pos;
        for (const engine::Move m : opening.moves)
            pos.make(m);
        names_.try_emplace(pos.key(), opening.eco + " " + opening.name);
        last_progress_ = std::max(last_progress_, progress(pos));
    }
}

bool OpeningNames::may_follow(const engine::Position& pos) const {
    return progress(pos) <= last_progress_;
}

std::string OpeningNames::of(const engine::Position& pos) const {
    const auto found = names_.find(pos.key());
    return found == names_.end() ? std::string() : found->second;
}

std::string OpeningNames::of(const engine::Game& game) const {
    for (std::size_t i = game.keys().size(); i-- > 0;)
        if (const auto found = names_.find(game.keys()[i]); found != names_.end())
            return found->second;
    return {};
}

}  // namespace book
