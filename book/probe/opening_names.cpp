#include "book/probe/opening_names.h"

#include "engine/board/notation.h"

#include <unordered_map>

namespace book {

extern const char* const OpeningLines[];  // made at build time; ends with nullptr

namespace {

// "4.", "4...": 0 to all of a token in front of a move.
std::string_view without_number(std::string_view token) {
    const std::size_t digits = std::min(token.find_first_not_of("0123456789"), token.size());
    if (digits == token.size())
        return {};
    const std::size_t dots = token.find_first_not_of('.', digits);
    return dots == digits ? token : token.substr(std::min(dots, token.size()));
}

Result<std::vector<engine::Move>> parse_line(std::string_view text) {
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
            return fail("\"" + std::string(token) + "\" is no move here");
        pos.make(*move);
        moves.push_back(*move);
    }
    return moves;
}

Result<std::vector<Opening>> parse_row(std::string_view row) {
    if (!row.empty() && row.back() == '\r')
        row.remove_suffix(1);
    if (row.empty() || row.front() == '#' || row.starts_with("eco\t"))
        return std::vector<Opening>();
    const std::size_t first = row.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : row.find('\t', first + 1);
    if (second == std::string_view::npos)
        return fail("line of openings without three columns: \"" + std::string(row) + "\"");
    Result<std::vector<engine::Move>> moves = parse_line(row.substr(second + 1));
    if (!moves)
        return fail("opening \"" + std::string(row) + "\": " + moves.error().what);
    return std::vector<Opening>{{.eco = std::string(row.substr(0, first)),
                                 .name = std::string(row.substr(first + 1, second - first - 1)),
                                 .moves = std::move(*moves)}};
}

std::vector<Opening> compiled_in() {
    std::vector<Opening> all;
    for (const char* const* line = OpeningLines; *line; ++line)
        if (const Result<std::vector<Opening>> row =
                parse_row(*line))  // the tests read the table strictly
            all.insert(all.end(), row->begin(), row->end());
    return all;
}

}  // namespace

Result<std::vector<Opening>> parse_openings(std::string_view table) {
    std::vector<Opening> all;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        Result<std::vector<Opening>> row = parse_row(table.substr(0, end));
        if (!row)
            return row;
        all.insert(all.end(), row->begin(), row->end());
        table.remove_prefix(std::min(end + 1, table.size()));
    }
    return all;
}

struct OpeningNames::Names {
    std::unordered_map<engine::Key, std::string> by_key;
};

OpeningNames::OpeningNames() : OpeningNames(compiled_in()) {}
OpeningNames::OpeningNames(const std::vector<Opening>& openings)
    : names_(std::make_unique<Names>()) {
    for (const Opening& opening : openings) {
        engine::Position pos;
        for (const engine::Move m : opening.moves)
            pos.make(m);
        names_->by_key.try_emplace(pos.key(), opening.eco + " " + opening.name);
    }
}
OpeningNames::~OpeningNames() = default;
OpeningNames::OpeningNames(OpeningNames&&) noexcept = default;
OpeningNames& OpeningNames::operator=(OpeningNames&&) noexcept = default;

std::string OpeningNames::of(const engine::Position& pos) const {
    const auto found = names_->by_key.find(pos.key());
    return found == names_->by_key.end() ? std::string() : found->second;
}

std::string OpeningNames::of(const engine::Game& game) const {
    for (std::size_t i = game.keys().size(); i-- > 0;)
        if (const auto found = names_->by_key.find(game.keys()[i]); found != names_->by_key.end())
            return found->second;
    return {};
}

std::size_t OpeningNames::size() const {
    return names_->by_key.size();
}

}  // namespace book
