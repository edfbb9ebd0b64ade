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

// Parses one line of moves after the other. What a line shares with the one before it, as most
// lines of a table do, is not parsed again. The texts must outlive the object.
class LineParser {
  public:
    // The moves of the line; position() is the one after them.
    std::vector<engine::Move> parse(std::string_view text) {
        std::size_t ply = 0;
        bool shared = true;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find(' '), text.size());
            const std::string_view token = without_number(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            if (token.empty())
                continue;
            shared = shared && ply < tokens_.size() && tokens_[ply] == token;
            if (!shared)
                play(ply, token);
            ++ply;
        }
        cut(ply);
        return moves_;
    }
    [[nodiscard]] const engine::Position& position() const { return positions_.back(); }

  private:
    void cut(std::size_t ply) {
        tokens_.resize(ply);
        moves_.resize(ply);
        positions_.resize(ply + 1);
    }
    void play(std::size_t ply, std::string_view token) {
        cut(ply);
        const auto move = engine::parse_move(position(), token);
        if (!move)
            throw Failure(fmt::format("\"{}\" is not a move here", token));
        engine::Position pos = position();
        pos.make(*move);
        tokens_.push_back(token);
        moves_.push_back(*move);
        positions_.push_back(pos);
    }

    std::vector<std::string_view> tokens_;
    std::vector<engine::Move> moves_;
    std::vector<engine::Position> positions_{engine::Position()};  // one more than moves
};

// Adds the opening of a row; nothing for an empty line, a comment or the heading.
void parse_row(std::string_view row, LineParser& parser, std::vector<Opening>& openings) {
    if (!row.empty() && row.back() == '\r')
        row.remove_suffix(1);
    if (row.empty() || row.front() == '#' || row.starts_with("eco\t"))
        return;
    const std::size_t first = row.find('\t');
    const std::size_t second = first == row.npos ? first : row.find('\t', first + 1);
    if (second == row.npos)
        throw Failure(fmt::format("line of openings without three columns: \"{}\"", row));
    try {
        Opening& opening = openings.emplace_back();
        opening.eco = row.substr(0, first);
        opening.name = row.substr(first + 1, second - first - 1);
        opening.moves = parser.parse(row.substr(second + 1));
        opening.key = parser.position().key();
        opening.progress = progress(parser.position());
    } catch (const Failure& failure) {
        throw Failure(fmt::format("opening \"{}\": {}", row, failure.what()));
    }
}

}  // namespace

std::vector<Opening> parse_openings(std::string_view table) {
    std::vector<Opening> all;
    LineParser parser;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        parse_row(table.substr(0, end), parser, all);
        table.remove_prefix(std::min(end + 1, table.size()));
    }
    return all;
}

std::vector<Opening> compiled_in_openings() {
    std::vector<Opening> all;
    LineParser parser;
    for (const char* const* line = OpeningLines; *line; ++line)
        parse_row(*line, parser, all);
    return all;
}

OpeningNames::OpeningNames() : OpeningNames(compiled_in_openings()) {}
OpeningNames::OpeningNames(const std::vector<Opening>& openings) {
    names_.reserve(openings.size());
    for (const Opening& opening : openings) {
        names_.try_emplace(opening.key, opening.eco + " " + opening.name);
        last_progress_ = std::max(last_progress_, opening.progress);
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
