#include "tools/common/base_text.h"

#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/common/move_tree.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

namespace tools {
namespace {

constexpr std::string_view Head = "nutcracker-base 1";
constexpr int MaxCp = 2000, MaxDepth = 1000, MaxExponent = 63;

int in_range(std::string_view word, int min, int max, const char* what) {
    const auto value = number<int>(word);
    if (!value || *value < min || *value > max)
        throw Failure(fmt::format("{} is not {}..{}: \"{}\"", what, min, max, word));
    return *value;
}

// Reads the lines in order; each is checked against the ones before it.
class Reader {
  public:
    BaseMove read(std::string_view line) {
        std::vector<std::string_view> words = fields(line);
        BaseMove m;
        if (words.size() == 8) {
            m.transposition = words[1] == "=";
            m.deviation = words[1] == "!";
            if (!m.transposition && !m.deviation)
                throw Failure(fmt::format("\"{}\" is neither \"=\" nor \"!\"", words[1]));
            words.erase(words.begin() + 1);
        }
        if (words.size() != 7 || words[3].size() != 1)
            throw Failure("not \"PLY MOVE CP CLASS DEPTH EFFORT GAMES\"");
        m.ply = in_range(words[0], 1, MaxDepth, "ply");
        m.cp = in_range(words[2], -MaxCp, MaxCp, "cp");
        m.kind = words[3][0];
        if (std::string_view("ABCx").find(m.kind) == std::string_view::npos)
            throw Failure(fmt::format("class is not A, B, C or x: \"{}\"", words[3]));
        m.depth = in_range(words[4], 0, MaxDepth, "depth");
        m.effort = in_range(words[5], 0, MaxExponent, "effort");
        m.games = in_range(words[6], 0, MaxExponent, "games");
        place(m, words[1]);
        return m;
    }

  private:
    void place(BaseMove& m, std::string_view san) {
        if (m.ply > last_ply_ && !last_is_open_)
            throw Failure("moves after a move that ends its line");
        const MoveTree::Step step = tree_.step(m.ply, san);
        m.before = step.before;
        m.move = step.move;
        const engine::Key key = step.before.key();
        if (m.ply > last_ply_ && !expanded_.insert(key).second)
            throw Failure("the moves of this position are given earlier; \"=\" is missing");
        if (!seen_.emplace(key, m.move.raw()).second)
            throw Failure(fmt::format("the move {} is given twice in this position", san));
        if (m.transposition && !expanded_.contains(step.after.key()))
            throw Failure("\"=\", but the moves of the position are not given earlier");
        last_ply_ = m.ply;
        last_is_open_ = m.kind != 'x' && !m.transposition && !m.deviation;
    }

    MoveTree tree_;
    std::unordered_set<engine::Key> expanded_;
    std::set<std::pair<engine::Key, std::uint16_t>> seen_;
    int last_ply_ = 0;
    bool last_is_open_ = true;
};

std::map<std::string, std::string> read_head(std::string_view line) {
    std::map<std::string, std::string> head;
    const std::vector<std::string> parts = split(line, ';');
    if (parts.empty() || parts[0] != Head)
        throw Failure(fmt::format("\"{}\" expected", Head));
    for (std::size_t i = 1; i < parts.size(); ++i) {
        std::string_view value = trimmed(parts[i]);
        const std::string name(take_word(value));
        head[name] = value;
    }
    return head;
}

}  // namespace

std::string to_text(const BaseText& text) {
    std::string out(Head);
    for (const auto& [name, value] : text.head)
        out += fmt::format("; {} {}", name, value);
    out += '\n';
    for (const BaseMove& m : text.moves)
        out += fmt::format("{} {}{} {} {} {} {} {}\n",
                           m.ply,
                           m.transposition ? "= "
                           : m.deviation   ? "! "
                                           : "",
                           engine::to_san(m.before, m.move),
                           m.cp,
                           m.kind,
                           m.depth,
                           m.effort,
                           m.games);
    return out;
}

BaseText read_base_text(std::string_view text) {
    BaseText base;
    Reader reader;
    int number = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view line = text.substr(from, end - from);
        from = end + 1;
        ++number;
        const auto done = to_result([&] {
            if (end == text.size())
                throw Failure("the text ends in the middle of a line");
            if (number == 1)
                base.head = read_head(line);
            else
                base.moves.push_back(reader.read(line));
        });
        if (!done)
            throw Failure(fmt::format("line {}: {}", number, done.error().what));
    }
    if (number == 0)
        throw Failure("line 1: the text is empty");
    return base;
}

int power_of_two(double number) {
    return number <= 1 ? 0 : static_cast<int>(std::lround(std::log2(number)));
}

int games_digit(int games) {
    return games <= 0 ? 0 : 1 + power_of_two(games);
}

std::int64_t games_of_digit(int digit) {
    return digit == 0 ? 0 : std::int64_t{1} << (digit - 1);
}

}  // namespace tools
