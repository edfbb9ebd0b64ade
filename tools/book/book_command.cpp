#include "tools/book/book_command.h"

#include "book/book_files.h"
#include "engine/board/notation.h"

#include <array>
#include <ctime>
#include <iostream>

namespace tools::book_command {

int complain(const std::string& what, int code) {
    std::cerr << "nutcracker-book: " << what << '\n';
    return code;
}

CommandLine command_line(const char* name, const Arguments& arguments, const char* explanation) {
    return {.who = std::string("nutcracker-book: ") + name,
            .words = arguments,
            .explanation = explanation};
}

std::optional<int> read_words(const char* name,
                              const Arguments& arguments,
                              const char* help,
                              std::size_t least,
                              std::size_t most) {
    if (arguments == Arguments{"--help"}) {
        std::cout << help;
        return 0;
    }
    const auto wrong = [name](const std::string& what) {
        return complain(std::string(name) + ": " + what + " (try --help)");
    };
    for (const std::string& word : arguments)
        if (word.starts_with("-"))
            return wrong("unknown option " + word);
    if (arguments.size() < least)
        return wrong("too little is given");
    if (arguments.size() > most)
        return wrong("too much is given: " + arguments[most]);
    return std::nullopt;
}

Result<book::Store> open_book(const Place& place, Access access) {
    std::error_code none;
    if (access != Access::Create && !std::filesystem::exists(place.book, none))
        return fail("there is no book \"" + place.book.string() + "\" yet");
    Result<book::Store> store = book::Store::open(place.book, access != Access::Read);
    if (store && access != Access::Read && store->db->read_only())
        return fail("book \"" + place.book.string() + "\" cannot be written");
    return store;
}

Result<book::Store> open_log(const Place& place) {
    Result<book::BookFiles> files = book::open_book_files(place.book, {}, true);
    if (!files)
        return tl::unexpected<Error>(files.error());
    if (!files->experience)
        return fail("there is no book \"" + place.book.string() + "\" yet");
    return std::move(*files->experience);
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

}  // namespace tools::book_command
