#include "tools/epd/epd_suite.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

namespace tools {
namespace {

constexpr engine::Score DrawMargin = 20;

using Operations = std::map<std::string, std::vector<std::string>>;

// Cuts `text` at blanks and semicolons, quoted strings in one piece; a semicolon is its own word.
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

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

Result<std::vector<engine::Move>> moves_of(const engine::Position& pos,
                                           const std::vector<std::string>& words) {
    std::vector<engine::Move> moves;
    for (const std::string& word : words) {
        const auto move = engine::parse_move(pos, word);
        if (!move)
            return fail("not a legal move: " + word);
        moves.push_back(*move);
    }
    return moves;
}

// c8 holds the points, c9 the moves in coordinates or c7 the same in SAN; each as one string.
Result<void> read_points(Operations& operations, EpdCase& task) {
    const auto joined = [&](const std::string& name) {
        std::string text;
        for (const std::string& word : operations[name])
            text += word + ' ';
        return words_of(text);
    };
    const std::vector<std::string> numbers = joined("c8");
    const Result<std::vector<engine::Move>> moves =
        moves_of(task.position, joined(operations.contains("c9") ? "c9" : "c7"));
    if (!moves)
        return fail(moves.error().what);
    if (moves->size() != numbers.size())
        return fail("not as many points as moves");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::optional<int> value = whole_number(numbers[i]);
        if (!value)
            return fail("not a number of points: " + numbers[i]);
        task.points.emplace_back((*moves)[i], *value);
    }
    return {};
}

Result<EpdCase> parse_task(const std::string& line, int number) {
    std::size_t end = 0;
    for (int field = 0; field < 4; ++field) {
        const std::size_t begin = line.find_first_not_of(" \t", end);
        end = begin == std::string::npos ? begin : line.find_first_of(" \t\r", begin);
        if (end == std::string::npos)
            return fail("less than four fields");
    }
    Result<engine::Position> position = engine::Position::from_fen(line.substr(0, end));
    if (!position)
        return fail(position.error().what);
    Operations operations = operations_of(std::string_view(line).substr(end));
    EpdCase task{*position, "line " + std::to_string(number), number, {}, {}, {}, {}};
    if (const auto& id = operations["id"]; !id.empty())
        task.id = id.front();
    Result<std::vector<engine::Move>> best = moves_of(*position, operations["bm"]);
    Result<std::vector<engine::Move>> avoid = moves_of(*position, operations["am"]);
    if (!best || !avoid)
        return fail((best ? avoid : best).error().what);
    task.best = std::move(*best);
    task.avoid = std::move(*avoid);
    if (const auto& mate = operations["dm"]; !mate.empty()) {
        task.mate = whole_number(mate.front());
        if (!task.mate)
            return fail("not a number of moves: " + mate.front());
    }
    if (operations.contains("c8") && (operations.contains("c9") || operations.contains("c7")))
        if (Result<void> read = read_points(operations, task); !read)
            return fail(read.error().what);
    if (task.best.empty() && task.avoid.empty() && !task.mate && task.points.empty())
        return fail("no task (bm, am, dm or c8)");
    return task;
}

bool mate_is_solved(int wanted, engine::Score score) {
    if (wanted == 0)
        return std::abs(score) <= DrawMargin;
    if (!engine::is_mate(score) || (score > 0) != (wanted > 0))
        return false;
    const int moves = engine::mate_moves(score);
    return moves <= wanted;  // negative for a suffered mate: at least as far away
}

}  // namespace

Result<std::vector<EpdCase>> read_epd_suite(std::istream& in) {
    std::vector<EpdCase> tasks;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#')
            continue;
        Result<EpdCase> task = parse_task(line, number);
        if (!task)
            return fail("line " + std::to_string(number) + ": " + task.error().what);
        tasks.push_back(std::move(*task));
    }
    return tasks;
}

bool is_solved(const EpdCase& task, engine::Move answer, engine::Score score) {
    const auto among = [answer](const std::vector<engine::Move>& moves) {
        return std::find(moves.begin(), moves.end(), answer) != moves.end();
    };
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

int most_points(const EpdCase& task) {
    int most = 0;
    for (const auto& [move, value] : task.points)
        most = std::max(most, value);
    return most;
}

}  // namespace tools
