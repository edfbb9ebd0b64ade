#include "tools/book/game_text.h"

#include "book/model/utf8.h"
#include "book/probe/lines.h"
#include "book/probe/opening_search.h"
#include "book/store/failure.h"
#include "engine/board/notation.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace tools::book_command {
namespace {

// The text without comments, variations and headers; `fen` gets the value of the tag FEN.
std::string bare_moves(std::string_view text, std::string& fen) {
    std::string bare;
    int depth = 0;  // of variations
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool line_starts = bare.empty() || text[i - 1] == '\n';
        if (c == '{') {
            i = std::min(text.find('}', i), text.size());
        } else if (c == ';' || (c == '%' && line_starts)) {
            i = std::min(text.find('\n', i), text.size());
        } else if (c == '[' && depth == 0) {
            // A value in quotes may hold a bracket.
            const std::size_t line_end = std::min(text.find('\n', i), text.size());
            const std::size_t first = text.find('"', i), last = text.rfind('"', line_end);
            const bool quoted = first < last && last < line_end;
            const std::size_t end = std::min(text.find(']', quoted ? last : i), text.size());
            const bool of_first_game = bare.find_first_not_of(" \n\r\t") == std::string::npos;
            if (text.compare(i, 5, "[FEN ") == 0 && quoted && of_first_game)
                fen = text.substr(first + 1, last - first - 1);
            i = end;
        } else if (c == '(') {
            ++depth;
        } else if (c == ')') {
            depth = std::max(0, depth - 1);
        } else if (depth == 0) {
            bare += c;
            continue;
        }
        bare += ' ';
    }
    return bare;
}

// Takes a FEN from the beginning of the words, if there is one: its board has seven '/'.
std::string leading_fen(std::istringstream& words) {
    const std::istringstream::pos_type start = words.tellg();
    std::string board, fen;
    words >> board;
    if (std::count(board.begin(), board.end(), '/') != 7) {
        words.clear();
        words.seekg(start);
        return "";
    }
    fen = board;
    std::string word;
    for (int field = 0; field < 5; ++field) {
        const std::istringstream::pos_type here = words.tellg();
        const bool counter = field >= 3;  // of half-moves or moves; may be missing
        if (!(words >> word) ||
            (counter && word.find_first_not_of("0123456789") != std::string::npos)) {
            words.clear();
            if (here != std::istringstream::pos_type(-1))
                words.seekg(here);
            break;
        }
        fen += ' ' + word;
    }
    return fen;
}

}  // namespace

std::string move_of(std::string word) {
    const std::size_t digits = word.find_first_not_of("0123456789");
    if (digits == std::string::npos || word[0] == '$')
        return "";
    if (word[digits] == '.')
        word.erase(0, std::min(word.find_first_not_of('.', digits), word.size()));
    word.erase(word.find_last_not_of("!?") + 1);
    return word;
}

namespace {

bool is_result(const std::string& word) {
    return word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "\u00BD-\u00BD" ||
           word == "*";
}

std::string place_text(const engine::Game& game) {
    return "after " + (game.ply() == 0 ? "the start" : book::moves_text(game, game.moves().size()));
}

engine::Game with_moves(engine::Game game, std::istringstream words) {
    for (std::string word; words >> word && !is_result(word);) {
        const std::string name = move_of(word);
        if (name.empty() || name == "e.p.")
            continue;
        const auto move = engine::parse_typed_move(game.position(), name);
        if (!move)
            throw book::Failure(
                fmt::format("\"{}\" is not a move {}", word.substr(0, 20), place_text(game)));
        if (game.moves().size() == MaxLinePlies)
            throw book::Failure(fmt::format("the line is longer than {} moves", MaxLinePlies / 2));
        game.play(*move);
    }
    return game;
}

// The move number and side that a text begins with, if any: "2. Nf3", "1... e5", "1 e4". Castling
// as "0-0" has no number.
struct MoveNumber {
    int number = 0;
    engine::Color side = engine::White;
};
std::optional<MoveNumber> leading_number(std::string_view text) {
    MoveNumber found;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found.number);
    if (error != std::errc() || found.number < 1)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::size_t move = std::min(text.find_first_not_of(". \n\r\t"), text.size());
    if (move == 0 && !text.empty())
        return std::nullopt;
    if (std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(move), '.') > 1)
        found.side = engine::Black;
    return found;
}

// Takes moves back until `next` is the next move; nothing if the game has no such position. "1."
// begins a new line.
std::optional<engine::Game> before_move(engine::Game game, const MoveNumber& next) {
    const auto is_next = [&] {
        return game.position().fullmove_number() == next.number &&
               game.position().side_to_move() == next.side;
    };
    while (game.ply() > 0 && !is_next())
        game.undo();
    if (!is_next() || (next.number == 1 && next.side == engine::White))
        return std::nullopt;
    return game;
}

engine::Game line_from_text(const std::string& text, const engine::Game& here) {
    if (text.size() > MaxLineBytes)
        throw book::Failure(fmt::format("the text is longer than {} bytes", MaxLineBytes));
    std::string fen;
    std::istringstream words(bare_moves(without_mark(book::with_hyphens(text)), fen));
    if (const std::string leading = leading_fen(words); !leading.empty())
        fen = leading;
    if (!fen.empty())
        return with_moves(engine::Game(book::value_or_throw(engine::Position::from_fen(fen))),
                          std::move(words));
    std::string moves = words.str();
    moves.erase(0, moves.find_first_not_of(" \n\r\t"));
    if (const std::optional<MoveNumber> number = leading_number(moves)) {
        if (const std::optional<engine::Game> before = before_move(here, *number))
            return with_moves(*before, std::istringstream(moves));
        if (number->number > 1)
            throw book::Failure(fmt::format("move {} is not the next one here", number->number));
    } else if (here.ply() > 0 || !here.starts_normally()) {
        auto line = book::guarded([&] { return with_moves(here, std::istringstream(moves)); });
        if (line)
            return std::move(*line);
        auto from_start =
            book::guarded([&] { return with_moves(engine::Game(), std::move(words)); });
        return book::value_or_throw(from_start ? std::move(from_start) : std::move(line));
    }
    return with_moves(engine::Game(), std::move(words));
}

}  // namespace

engine::Move next_move(const std::string& text, const engine::Game& here) {
    const std::optional<MoveNumber> number = leading_number(text);
    if (number && (number->number != here.position().fullmove_number() ||
                   number->side != here.position().side_to_move()))
        throw book::Failure(fmt::format("\"{}\" is not the next move {}", text, place_text(here)));
    const auto move = engine::parse_typed_move(here.position(), move_of(text));
    if (!move)
        throw book::Failure(fmt::format("\"{}\" is not a move {}", text, place_text(here)));
    return *move;
}

engine::Game game_from_text(const std::string& text, const engine::Game& here) {
    auto line = book::guarded([&] { return line_from_text(text, here); });
    if (line)
        return std::move(*line);
    const std::optional<book::Opening> opening = book::find_opening(text);
    if (!opening)
        throw book::Failure(line.error().what);
    return game_of(opening->moves);
}

engine::Game game_of(std::span<const engine::Move> moves) {
    engine::Game game;
    for (const engine::Move m : moves)
        game.play(m);
    return game;
}

}  // namespace tools::book_command
