#include "tools/common/openings.h"

#include "engine/board/game.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/board/see.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/common/pgn_text.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace tools {
namespace {

// Annotation that stands alone: "!?", "+-", "=" or signs of the Informator; not "--", a null move.
bool is_sign(std::string_view word) {
    constexpr std::string_view Signs = "!?+-=/#";
    return word != "--" && std::all_of(word.begin(), word.end(), [&](char c) {
               return static_cast<unsigned char>(c) >= 0x80 ||
                      Signs.find(c) != std::string_view::npos;
           });
}

// Takes the next move off the front of PGN movetext; empty at the end of the game. Skips comments,
// variations, move numbers and annotations; a result ends the game.
std::string_view next_san(std::string_view& text) {
    int depth = 0;  // of variations
    for (;;) {
        text = trimmed(text);
        if (text.empty())
            return {};
        const char c = text.front();
        if (c == '{' || c == ';') {
            const std::size_t end = text.find(c == '{' ? '}' : '\n');
            text.remove_prefix(std::min(end, text.size() - 1) + 1);
            continue;
        }
        if (c == '(' || c == ')') {
            depth += c == '(' ? 1 : -1;
            text.remove_prefix(1);
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(" \t\r\n{}();"), text.size());
        std::string_view word = text.substr(0, std::max<std::size_t>(end, 1));
        text.remove_prefix(word.size());
        if (depth > 0 || word.front() == '$')
            continue;
        if (parse_result(word)) {
            text = {};
            return {};
        }
        const std::size_t number = word.find_first_not_of("0123456789.");
        if (number == std::string_view::npos)
            continue;
        if (word.find('.') != std::string_view::npos && number > 0)
            word.remove_prefix(number);  // "1.e4"
        if (!is_sign(word))
            return word;
    }
}

// Value of the tag if the line is one, as [Name "Value"].
std::optional<std::string_view> tag(std::string_view line, std::string_view name) {
    if (!line.starts_with('[') || !line.substr(1).starts_with(name))
        return std::nullopt;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open == close)
        return std::nullopt;
    return line.substr(open + 1, close - open - 1);
}

// Whether a comment is open at the end of the line; `open`: whether one was at its beginning.
bool stays_in_comment(std::string_view line, bool open) {
    for (const char c : line) {
        if (!open && c == ';')
            break;
        open = open ? c != '}' : c == '{';
    }
    return open;
}

Opening
parse_game(std::string_view fen, std::string_view moves, int plies, const std::string& context) {
    const engine::Position start =
        fen.empty() ? engine::Position() : value_or_throw(engine::Position::from_fen(fen), context);
    return value_or_throw(parse_line(start, moves, plies), context);
}

// Throws Failure if the game is over before the engines can move.
Opening playable(Opening opening, const std::string& context) {
    engine::Game game(opening.start);
    for (const engine::Move m : opening.moves)
        game.play(m);
    if (game.status() != engine::Status::Ongoing)
        throw Failure(context + "the game is over after this opening");
    return opening;
}

// The four to six fields of a FEN at the front of an EPD line.
std::string_view fen_of_epd(std::string_view line) {
    std::size_t end = 0;
    for (int field = 0; field < 6; ++field) {
        const std::size_t begin = line.find_first_not_of(" \t", end);
        if (begin == std::string_view::npos)
            break;
        const std::size_t stop = std::min(line.find_first_of(" \t;", begin), line.size());
        const std::string_view word = line.substr(begin, stop - begin);
        if (field >= 4 && !number<int>(word))
            break;
        end = stop;
    }
    return trimmed(line.substr(0, end));
}

std::vector<Opening> parse_lines(std::string_view lines, bool table, int plies) {
    std::vector<Opening> openings;
    std::istringstream in{std::string(lines)};
    std::string line;
    for (int count = 1; std::getline(in, line); ++count) {
        const std::string_view text = trimmed(line);
        if (text.empty() || text.starts_with('#'))
            continue;
        const std::string context = fmt::format("line {}: ", count);
        std::string_view fen = table ? std::string_view() : fen_of_epd(text), moves;
        if (table) {
            if (count == 1 && (text.starts_with("eco") || text.starts_with("ECO")))
                continue;  // the heading
            const std::size_t second = text.find('\t', text.find('\t') + 1);
            if (second == std::string_view::npos)
                throw Failure(context + "fewer than three columns");
            moves = text.substr(second + 1);
        }
        openings.push_back(playable(parse_game(fen, moves, plies, context), context));
    }
    return openings;
}

// parse_pgn() with exceptions. Throws Failure.
std::vector<Opening> games_of_pgn(std::string_view text, int plies) {
    std::vector<Opening> openings;
    std::string moves, fen;
    const auto finish_game = [&] {
        if (!moves.empty() || !fen.empty())
            openings.push_back(
                parse_game(fen, moves, plies, fmt::format("game {}: ", openings.size() + 1)));
        moves.clear();
        fen.clear();
    };
    bool in_tags = false, in_comment = false;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end, text.size() - 1) + 1);
        const bool is_tag = !in_comment && line.starts_with('[');
        if (is_tag && !in_tags)
            finish_game();
        in_tags = is_tag;
        if (const auto value = tag(line, "FEN "); is_tag && value)
            fen = *value;
        if (is_tag || line.starts_with('%'))
            continue;
        in_comment = stays_in_comment(line, in_comment);
        if (!trimmed(line).empty())
            moves.append(line).append("\n");
    }
    finish_game();
    return openings;
}

std::vector<Opening> playable_games(std::string_view text, int plies) {
    std::vector<Opening> openings = games_of_pgn(text, plies);
    for (std::size_t i = 0; i < openings.size(); ++i)
        openings[i] = playable(std::move(openings[i]), fmt::format("game {}: ", i + 1));
    return openings;
}

// The program that packed a file which begins with these bytes; empty if it is not packed.
std::string_view packer_of(std::string_view bytes) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> Packers{
        {{"\x1F\x8B", "gzip"},
         {"BZh", "bzip2"},
         {"\x28\xB5\x2F\xFD", "zstd"},
         {"\xFD\x37zXZ", "xz"},
         {"PK\x03\x04", "zip"},
         {"7z\xBC\xAF", "7z"}}};
    for (const auto& [magic, name] : Packers)
        if (bytes.starts_with(magic))
            return name;
    return {};
}

// The side to move is not in check, has a move, and wins no material by a capture.
bool is_settled(const engine::Position& pos) {
    const engine::MoveList moves = engine::legal_moves(pos);
    if (moves.empty() || pos.in_check())
        return false;
    return std::none_of(
        moves.begin(), moves.end(), [&](engine::Move m) { return engine::see_ge(pos, m, 100); });
}

bool is_settled_for_both(const engine::Position& pos) {
    if (!is_settled(pos))
        return false;
    engine::Position after_null = pos;
    engine::Undo undo;
    after_null.make_null(undo);
    return is_settled(after_null);
}

// A number below `bound`. Not std::uniform_int_distribution, which may differ between libraries.
std::size_t below(std::mt19937_64& random, std::size_t bound) {
    return static_cast<std::size_t>(random() % bound);
}

}  // namespace

Result<Opening> parse_line(const engine::Position& start, std::string_view moves, int plies) {
    Opening opening{start, {}};
    engine::Position pos = start;
    for (std::string_view san = next_san(moves); !san.empty(); san = next_san(moves)) {
        if (plies > 0 && opening.moves.size() == static_cast<std::size_t>(plies))
            break;
        const auto move = engine::parse_move(pos, san);
        if (!move)
            return fail("bad move in an opening: " + std::string(san));
        opening.moves.push_back(*move);
        pos.make(*move);
    }
    return opening;
}

Result<std::vector<Opening>> parse_pgn(std::string_view text, int plies) {
    return to_result([&] { return games_of_pgn(without_mark(text), plies); });
}

Result<std::vector<Opening>> read_openings(const std::string& path, int plies) {
    return to_result([&] {
        const std::string text = value_or_throw(read_bytes(path));
        if (const std::string_view packer = packer_of(text); !packer.empty())
            throw Failure(fmt::format("{} is packed by {}; unpack it first", path, packer));
        const std::string_view games = without_mark(text);
        const std::string name = lower(path);
        std::vector<Opening> openings;
        try {
            openings = name.ends_with(".pgn") ? playable_games(games, plies)
                                              : parse_lines(games, name.ends_with(".tsv"), plies);
        } catch (const Failure& failure) {
            throw Failure(path + ": " + failure.what());
        }
        if (openings.empty())
            throw Failure(path + ": no openings");
        return openings;
    });
}

std::vector<Opening> random_openings(int count,
                                     int plies,
                                     std::uint64_t seed,
                                     const std::function<bool(const engine::Position&)>& accept) {
    std::vector<Opening> openings;
    std::set<engine::Key> seen;
    std::mt19937_64 random(seed);
    if (plies == 0)
        return {Opening{}};
    // Few plies have few different lines: after 1000 failures repetitions are accepted.
    for (int failures = 0; static_cast<int>(openings.size()) < count && failures < 100'000;
         ++failures) {
        engine::Game game;
        while (game.ply() < plies && game.status() == engine::Status::Ongoing) {
            const engine::MoveList moves = engine::legal_moves(game.position());
            game.play(moves[below(random, moves.size())]);
        }
        const engine::Position& pos = game.position();
        if (game.status() != engine::Status::Ongoing || !is_settled_for_both(pos))
            continue;
        if ((seen.contains(pos.key()) && failures < 1000) || !accept(pos))
            continue;
        seen.insert(pos.key());
        openings.push_back({game.start(), game.moves()});
        failures = 0;
    }
    return openings;
}

}  // namespace tools
