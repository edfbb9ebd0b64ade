// The command why: what the choices of a game were based on.
#include "book/model/choice.h"
#include "engine/board/notation.h"
#include "tools/book/book_command.h"

#include <algorithm>
#include <iostream>

#include <fmt/ostream.h>

namespace tools::book_command {
namespace {

void print_choice(const engine::Position& pos,
                  const book::DrawRecord& record,
                  const book::Choice& choice) {
    std::cout << "move     value  lesson penalty  evidence  popular   drawn  flags\n";
    for (std::size_t i = 0; i < record.candidates.size(); ++i) {
        const book::Candidate& c = record.candidates[i];
        const engine::Move m = book::stored_move(c.move);
        fmt::print(std::cout,
                   "{:<7} {:6.3f} {:7.3f} {:7.3f} {:9.1f} {:8.3f}  {:6.3f}  {}{}\n",
                   pos.is_legal(m) ? engine::to_san(pos, m) : engine::to_coordinates(m),
                   c.mean,
                   c.lesson,
                   c.opponent_penalty,
                   c.evidence,
                   c.popularity,
                   choice.draws[i],
                   flags_text(c.flags),
                   choice.chosen == i ? "  <- played" : "");
    }
}

// True if the book chose a later move of the game.
bool came_back(const book::GameRecord& record, int ply) {
    return std::any_of(record.draws.begin(), record.draws.end(), [ply](const std::string& text) {
        const std::optional<book::DrawRecord> draw = book::draw_from_text(text);
        return draw && draw->ply >= ply;
    });
}

// Explains a move without a record of how it was chosen.
void print_without_record(const book::LoggedGame& game, book::Color mover, int ply) {
    const book::GameRecord& record = game.record;
    if (mover != record.our_side)
        std::cout << "the opponent's move\n";
    else if (record.exit_ply && ply > *record.exit_ply)
        fmt::print(std::cout,
                   "not a book move: the book was left after {} plies{}\n",
                   *record.exit_ply,
                   record.exit_depth == book::NoScore
                       ? ""
                       : fmt::format(", with a score of {} centipawns at depth {}",
                                     record.exit_cp,
                                     record.exit_depth));
    else if (came_back(record, ply))
        std::cout << "searched; the game was in the book again later\n";
    else if (game.source != 0)
        std::cout << "not chosen by this book: the game was played elsewhere and imported\n";
    else
        std::cout << "the choice of this move was not recorded\n";
}

// "with White against Anna, 1-0, time forfeit (Anna forfeits on time), 300+2, club match".
std::string about_game(const book::LoggedGame& g, const book::OpponentRecord& opponent) {
    const book::GameRecord& r = g.record;
    std::string text = fmt::format("with {} against {}, {}, {}",
                                   colour_text(r.our_side),
                                   opponent.name.empty() ? "?" : opponent.name,
                                   result_of(g),
                                   ending_of(g));
    if (!r.reason.empty())
        text += fmt::format(" ({})", r.reason);
    for (const std::string& more : {r.time_control, r.event})
        text += (more.empty() ? "" : ", ") + more;
    return printable(utf8(text));
}

// Returns the exit code.
int explain(const book::LoggedGame& game, int ply) {
    const book::GameRecord& record = game.record;
    const std::vector<engine::Move>& moves = record.game.moves();
    const auto before = static_cast<std::size_t>(ply) - 1;
    engine::Position pos = record.game.start();
    for (std::size_t i = 0; i < before; ++i)
        pos.make(moves[i]);
    std::cout << book::moves_text(record.game, before + 1) << '\n';
    for (const std::string& text : record.draws) {
        const std::optional<book::DrawRecord> draw = book::draw_from_text(text);
        if (!draw || draw->ply != ply - 1)
            continue;
        const book::Choice choice = book::choose(draw->rule, draw->candidates, draw->seed);
        print_choice(pos, *draw, choice);
        fmt::print(
            std::cout,
            "chosen at random with deviation {:.6g} (for one game of evidence) and temperature "
            "{:.6g}, among the moves at most {:.6g} below the best\n",
            draw->rule.deviation,
            draw->rule.temperature,
            draw->rule.slack);
        const bool same = choice.chosen &&
                          book::stored_move(draw->candidates[*choice.chosen].move) == moves[before];
        if (!same)
            std::cout << "the recorded choice does not give the move that was played\n";
        return same ? 0 : 1;
    }
    print_without_record(game, pos.side_to_move(), ply);
    return 0;
}

// The ply, from 1, of the game's first move that matches a word like "3.Nf3", "3...a6" or "Nf3".
std::optional<int> ply_of_move(const engine::Game& game, const std::string& word) {
    const std::size_t digits = word.find_first_not_of("0123456789");
    const std::size_t name = word.find_first_not_of('.', std::min(digits, word.size()));
    if (name == std::string::npos)
        return std::nullopt;
    const std::string number = word.substr(0, digits), dots = word.substr(digits, name - digits);
    engine::Position pos = game.start();
    int ply = 0;
    for (const engine::Move m : game.moves()) {
        const bool black = pos.side_to_move() == engine::Black;
        const auto named = engine::parse_typed_move(pos, word.substr(name));
        ++ply;
        if ((number.empty() || number == std::to_string(pos.fullmove_number())) &&
            (dots.size() < 2 || black) && named && *named == m)
            return ply;
        pos.make(m);
    }
    return std::nullopt;
}

// Our moves from the start of the game to the one with which it left the book.
std::vector<int> our_plies(const book::GameRecord& record) {
    std::vector<int> plies;
    engine::Position pos = record.game.start();
    for (int ply = 1; ply <= record.game.ply(); ++ply) {
        if (pos.side_to_move() == record.our_side)
            plies.push_back(ply);
        if (record.exit_ply && ply > *record.exit_ply)
            break;
        pos.make(record.game.moves()[static_cast<std::size_t>(ply) - 1]);
    }
    return plies;
}

}  // namespace

int why(Call& call) {
    const Words words = call.read();
    const bool last = words[0] == "last";
    const std::optional<std::int64_t> number = number_from(words[0], 15);
    call.require(last || number, fmt::format("\"{}\" is not the number of a game", words[0]));
    book::Store store = open_log(call);
    const std::optional<book::LoggedGame> game =
        last ? store.games.latest() : store.games.get(*number);
    if (!game)
        throw book::Failure(last ? "the book has no games"
                                 : fmt::format("there is no game {} in the book", words[0]));
    const book::GameRecord& record = game->record;
    std::vector<int> plies;
    if (words.size() == 1) {
        plies = our_plies(record);
    } else if (const auto ply = number_from(words[1], 5)) {
        call.require(1 <= *ply && *ply <= record.game.ply(),
                     fmt::format("the game has plies 1 to {}", record.game.ply()));
        plies.push_back(static_cast<int>(*ply));
    } else {
        const std::optional<int> move = ply_of_move(record.game, words[1]);
        call.require(move.has_value(),
                     fmt::format("\"{}\" is neither a ply nor a move of the game", words[1]));
        plies.push_back(*move);
    }
    const auto opponent = store.opponents.get(game->opponent_id);
    fmt::print(std::cout,
               "game {} of {}, {}\n",
               game->id,
               played_text(record),
               about_game(*game, opponent.value_or(book::OpponentRecord())));
    int code = 0;
    for (const int ply : plies) {
        std::cout << '\n';
        code = std::max(code, explain(*game, ply));
    }
    return code;
}

}  // namespace tools::book_command
