#include "tests/clients/server/ics_match.h"

#include "engine/board/notation.h"

#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

namespace ics {

using engine::Black;
using engine::Color;
using engine::White;

namespace {

constexpr Milliseconds StartWithoutMinutes{10'000};
constexpr std::array<std::string_view, 2> Wins{"1-0", "0-1"};  // by the winner's colour

std::string minutes_and_seconds(Milliseconds time) {
    const auto total = time.count();
    return fmt::format("({}:{:02}.{:03})", total / 60'000, total / 1000 % 60, total % 1000);
}

// The eight rows of a FEN with hyphens for empty squares, which style 12 separates by blanks.
std::string style12_rows(std::string_view fen) {
    std::string rows;
    for (const char c : fen.substr(0, fen.find(' ')))
        if (c == '/')
            rows += ' ';
        else if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            rows.append(static_cast<std::size_t>(c - '0'), '-');
        else
            rows += c;
    return rows;
}

// "P/e2-e4", as style 12 repeats the last move.
std::string verbose(const engine::Position& pos, engine::Move move, const std::string& san) {
    if (san.starts_with("O-O"))
        return san.substr(0, san.find_first_of("+#"));
    const std::string squares = to_coordinates(move);
    const char piece = std::string_view("PNBRQK")[type_of(pos.piece_on(move.from()))];
    const std::string promoted =
        squares.size() > 4
            ? fmt::format("={}",
                          static_cast<char>(std::toupper(static_cast<unsigned char>(squares[4]))))
            : "";
    return fmt::format("{}/{}-{}{}", piece, squares.substr(0, 2), squares.substr(2, 2), promoted);
}

}  // namespace

Match::Match(int number, Account white, Account black, int minutes, int increment)
    : number_(number), accounts_{std::move(white), std::move(black)}, minutes_(minutes),
      increment_(increment) {
    clocks_.fill(minutes == 0 ? StartWithoutMinutes : Milliseconds(60'000) * minutes);
}

std::optional<Color> Match::colour_of(std::string_view name) const {
    for (const Color c : {White, Black})
        if (account(c).name == name)
            return c;
    return std::nullopt;
}

void Match::resume(int number) {
    number_ = number;
    standing_ = true;
}

Milliseconds Match::left(Color c) const {
    if (!clocks_run() || c != side_to_move())
        return clocks_[c];
    return clocks_[c] - std::chrono::duration_cast<Milliseconds>(Clock::now() - pressed_);
}

Clock::time_point Match::flag_falls() const {
    return clocks_run() ? pressed_ + clocks_[side_to_move()] : Clock::time_point::max();
}

bool Match::play(std::string_view text) {
    const auto move = engine::parse_move(game_.position(), text);
    if (!move)
        return false;
    const Color mover = side_to_move();
    if (clocks_run())
        clocks_[mover] = left(mover) + std::chrono::seconds(increment_);
    sans_.push_back(to_san(game_.position(), *move));
    const bool pawn = type_of(game_.position().piece_on(move->from())) == engine::Pawn;
    const bool two_ranks = std::abs(move->to() - move->from()) == 16;
    double_push_ = pawn && two_ranks ? engine::file_of(move->to()) : -1;
    last_verbose_ = verbose(game_.position(), *move, sans_.back());
    game_.play(*move);
    pressed_ = Clock::now();
    standing_ = false;
    return true;
}

std::optional<Ending> Match::ending() const {
    const Color mover = side_to_move();
    const std::string& name = account(mover).name;
    switch (game_.status()) {
    case engine::Status::Checkmate:
        return Ending{name + " checkmated", std::string(Wins[~mover])};
    case engine::Status::Stalemate:
        return Ending{"Game drawn by stalemate", "1/2-1/2"};
    case engine::Status::DeadPosition:
        return Ending{"Neither player has mating material", "1/2-1/2"};
    default:
        break;
    }
    if (Clock::now() >= flag_falls())
        return Ending{name + " forfeits on time", std::string(Wins[~mover])};
    return std::nullopt;
}

std::optional<Ending> Match::drawn_by_claim() const {
    if (game_.status() == engine::Status::Repetition)
        return Ending{"Game drawn by repetition", "1/2-1/2"};
    if (game_.status() == engine::Status::FiftyMoves)
        return Ending{"Game drawn by the 50 move rule", "1/2-1/2"};
    return std::nullopt;
}

std::string Match::title() const {
    return fmt::format("{} ({}) {} ({}) rated blitz {} {}",
                       accounts_[White].name,
                       accounts_[White].rating,
                       accounts_[Black].name,
                       accounts_[Black].rating,
                       minutes_,
                       increment_);
}

std::string Match::headline(std::string_view text, std::string_view result) const {
    return fmt::format("{{Game {} ({} vs. {}) {}}}{}{}\n",
                       number_,
                       accounts_[White].name,
                       accounts_[Black].name,
                       text,
                       result.empty() ? "" : " ",
                       result);
}

std::string Match::board(Color viewer, bool milliseconds) const {
    const engine::Position& pos = game_.position();
    const auto right = [&pos](engine::CastlingRight r) { return pos.can_castle(r) ? 1 : 0; };
    const auto clock = [&](Color c) { return left(c).count() / (milliseconds ? 1 : 1000); };
    return fmt::format(
        "<12> {} {} {} {} {} {} {} {} {} {} {} {} {} {} 39 39 {} {} {} {} {} {} {} {} 0\n",
        style12_rows(pos.fen()),
        side_to_move() == White ? 'W' : 'B',
        double_push_,
        right(engine::WhiteShort),
        right(engine::WhiteLong),
        right(engine::BlackShort),
        right(engine::BlackLong),
        pos.halfmove_clock(),
        number_,
        accounts_[White].name,
        accounts_[Black].name,
        viewer == side_to_move() ? 1 : -1,
        minutes_,
        increment_,
        clock(White),
        clock(Black),
        game_.ply() / 2 + 1,
        last_verbose_,
        milliseconds ? "(0:00.000)" : "(0:00)",
        sans_.empty() ? "none" : sans_.back(),
        viewer == White ? 0 : 1,
        clocks_run() ? 1 : 0);
}

std::string Match::move_list() const {
    std::string list = fmt::format(
        "\nMovelist for game {}:\n\n{} ({}) vs. {} ({}) --- Sun Nov 22, 12:00 UTC 2026\n"
        "Rated blitz match, initial time: {} minutes, increment: {} seconds.\n\n"
        "Move  {:<23} {}\n----  ---------------------   ---------------------\n",
        number_,
        accounts_[White].name,
        accounts_[White].rating,
        accounts_[Black].name,
        accounts_[Black].rating,
        minutes_,
        increment_,
        accounts_[White].name,
        accounts_[Black].name);
    const std::string used = minutes_and_seconds(Milliseconds(0));
    for (std::size_t i = 0; i < sans_.size(); i += 2) {
        list += fmt::format("{:3}.  {:<7} {:<15}", i / 2 + 1, sans_[i], used);
        if (i + 1 < sans_.size())
            list += fmt::format(" {:<7} {:<15}", sans_[i + 1], used);
        list += '\n';
    }
    return list + "      {Still in progress} *\n\n";
}

}  // namespace ics
