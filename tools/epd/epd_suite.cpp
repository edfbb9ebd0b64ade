#include "tools/epd/epd_suite.h"

#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

namespace tools::epd {
namespace {

constexpr engine::Score DrawMargin = 20;

using Operations = std::map<std::string, std::vector<std::string>>;

// Splits at blanks; a quoted string is one word, a semicolon a word of its own.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const char c = text.front();
        if (c == ' ' || c == '\t' || c == '\r') {
            text.remove_prefix(1);
            continue;
        }
        std::size_t length = 1;
        if (c == '"') {
            const std::size_t end = std::min(text.find('"', 1), text.size());
            words.emplace_back(text.substr(1, end - 1));
            length = std::min(end + 1, text.size());
        } else {
            if (c != ';')
                length = std::min(text.find_first_of(" \t\r;"), text.size());
            words.emplace_back(text.substr(0, length));
        }
        text.remove_prefix(length);
    }
    return words;
}

Operations operations_of(std::string_view text) {
    Operations operations;
    std::vector<std::string>* operands = nullptr;
    for (std::string& word : words_of(text)) {
        if (word == ";")
            operands = nullptr;
        else if (operands)
            operands->push_back(std::move(word));
        else
            operands = &operations[word];
    }
    return operations;
}

std::vector<engine::Move> moves_of(const engine::Position& pos,
                                   const std::vector<std::string>& words) {
    std::vector<engine::Move> moves;
    for (const std::string& word : words) {
        const auto move = engine::parse_move(pos, word);
        if (!move)
            throw Failure("not a legal move: " + word);
        moves.push_back(*move);
    }
    return moves;
}

// c8 holds the points, c9 the moves in coordinates or c7 the moves in SAN; each is one string.
void read_points(Operations& operations, EpdCase& task) {
    const auto joined = [&](const std::string& name) {
        return words_of(fmt::format("{}", fmt::join(operations[name], " ")));
    };
    const std::vector<std::string> numbers = joined("c8");
    const std::vector<engine::Move> moves =
        moves_of(task.position, joined(operations.contains("c9") ? "c9" : "c7"));
    if (moves.size() != numbers.size())
        throw Failure("the numbers of points and moves differ");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::optional<int> value = number<int>(numbers[i]);
        if (!value)
            throw Failure("not a number of points: " + numbers[i]);
        task.points.emplace_back(moves[i], *value);
    }
}

EpdCase parse_task(const std::string& line, int line_number) {
    std::size_t end = 0;
    for (int field = 0; field < 4; ++field) {
        const std::size_t begin = line.find_first_not_of(" \t", end);
        end = begin == std::string::npos ? begin : line.find_first_of(" \t\r", begin);
        if (end == std::string::npos)
            throw Failure("fewer than four fields");
    }
    const auto position = value_or_throw(engine::Position::from_fen(line.substr(0, end)));
    Operations operations = operations_of(std::string_view(line).substr(end));
    EpdCase task{position, fmt::format("line {}", line_number), line_number, {}, {}, {}, {}};
    if (const auto& id = operations["id"]; !id.empty())
        task.id = id.front();
    task.best = moves_of(position, operations["bm"]);
    task.avoid = moves_of(position, operations["am"]);
    if (const auto& mate = operations["dm"]; !mate.empty()) {
        task.mate = number<int>(mate.front());
        if (!task.mate)
            throw Failure("not a number of moves: " + mate.front());
    }
    if (operations.contains("c8") && (operations.contains("c9") || operations.contains("c7")))
        read_points(operations, task);
    if (task.best.empty() && task.avoid.empty() && !task.mate && task.points.empty())
        throw Failure("no task (bm, am, dm or c8)");
    return task;
}

bool mate_is_solved(int wanted, engine::Score score) {
    if (wanted == 0)
        return std::abs(score) <= DrawMargin;
    if (!engine::is_mate(score) || (score > 0) != (wanted > 0))
        return false;
    const int moves = engine::mate_moves(score);
    return moves <= wanted;  // negative if we are mated: at least as far away
}

}  // namespace

Result<std::vector<EpdCase>> read_epd_suite(std::istream& in) {
    std::vector<EpdCase> tasks;
    std::string line;
    int number = 1;
    for (; std::getline(in, line); ++number) {
        if (number == 1)
            line = std::string(without_mark(line));
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#')
            continue;
        const Result<EpdCase> task = to_result([&] { return parse_task(line, number); });
        if (!task)
            return fail(fmt::format("line {}: {}", number, task.error().what));
        tasks.push_back(*task);
    }
    if (in.bad())
        return fail(fmt::format("line {} cannot be read", number));
    return tasks;
}

bool is_solved(const EpdCase& task, engine::Move answer, engine::Score score) {
    const auto among = [answer](const std::vector<engine::Move>& moves) {
        return std::find(moves.begin(), moves.end(), answer) != moves.end();
    };
    if (task.best.empty() && task.avoid.empty() && !task.mate)
        return points_for(task, answer) == max_points(task);
    if (!task.best.empty() && !among(task.best))
        return false;
    if (among(task.avoid))
        return false;
    return !task.mate || mate_is_solved(*task.mate, score);
}

int points_for(const EpdCase& task, engine::Move answer) {
    for (const auto& [move, value] : task.points)
        if (move == answer)
            return value;
    return 0;
}

int max_points(const EpdCase& task) {
    int best = 0;
    for (const auto& [move, value] : task.points)
        best = std::max(best, value);
    return best;
}

}  // namespace tools::epd
