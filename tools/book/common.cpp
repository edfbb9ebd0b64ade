#include "book/shelf.h"
#include "engine/board/notation.h"
#include "tools/book/commands.h"

#include <array>
#include <ctime>
#include <iostream>

namespace tools::book_command {

int complain(const std::string& what, int code) {
    std::cerr << "nutcracker-book: " << what << '\n';
    return code;
}

Result<book::Store> open_book(const Place& place, bool write) {
    std::error_code none;
    if (!write && !std::filesystem::exists(place.book, none))
        return fail("there is no book \"" + place.book.string() + "\" yet");
    Result<book::Store> store = book::Store::open(place.book, write);
    if (store && write && store->db->read_only())
        return fail("book \"" + place.book.string() + "\" cannot be written");
    return store;
}

Result<book::Store> open_log(const Place& place) {
    Result<book::Shelf> shelf = book::open_shelf(place.book, {}, true);
    if (!shelf)
        return tl::unexpected<Error>(shelf.error());
    if (!shelf->experience)
        return fail("there is no book \"" + place.book.string() + "\" yet");
    return std::move(*shelf->experience);
}

Result<engine::Game> game_from(const Arguments& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    if (text.find('/') != std::string::npos) {
        const Result<engine::Position> pos = engine::Position::from_fen(text);
        if (!pos)
            return tl::unexpected<Error>(pos.error());
        return engine::Game(*pos);
    }
    engine::Game game;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        std::string token = text.substr(at, end - at);
        at = end + 1;
        const std::size_t digits = token.find_first_not_of("0123456789");
        if (digits == std::string::npos)
            continue;
        if (digits > 0 && token[digits] == '.')  // the number of the move
            token.erase(0, token.find_first_not_of('.', digits));
        if (token.empty())
            continue;
        const auto move = engine::parse_move(game.position(), token);
        if (!move)
            return fail("\"" + token + "\" is no move after " +
                        (game.ply() == 0 ? "the start" : moves_text(game, game.moves().size())));
        game.play(*move);
    }
    return game;
}

std::string moves_text(const engine::Game& game, std::size_t plies) {
    engine::Position pos = game.start();
    std::string text;
    for (std::size_t i = 0; i < plies; ++i) {
        if (i > 0)
            text += ' ';
        if (pos.side_to_move() == engine::White || i == 0)
            text += std::to_string(pos.fullmove_number()) +
                    (pos.side_to_move() == engine::White ? "." : "...");
        text += engine::to_san(pos, game.moves()[i]);
        pos.make(game.moves()[i]);
    }
    return text;
}

std::string date_text(std::int64_t seconds) {
    const std::time_t time = seconds;
    std::tm parts{};
    std::array<char, 16> text{};
    if (::gmtime_r(&time, &parts) &&
        std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts) > 0)
        return text.data();
    return "?";
}

std::optional<std::int64_t> seconds_of(const std::string& date) {
    std::tm parts{};
    const char* end = ::strptime(date.c_str(), "%Y-%m-%d", &parts);
    if (!end || *end != '\0')
        return std::nullopt;
    return ::timegm(&parts);
}

const char* result_text(double white_score) {
    return white_score > 0.75 ? "1-0" : white_score < 0.25 ? "0-1" : "1/2-1/2";
}

}  // namespace tools::book_command
