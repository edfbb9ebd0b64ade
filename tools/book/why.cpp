#include "book/model/choice.h"
#include "engine/board/notation.h"
#include "tools/book/look.h"

#include <array>
#include <cstdio>
#include <iostream>

namespace tools::book_command {
namespace {

void print_decision(const engine::Position& pos,
                    const book::DrawRecord& record,
                    const book::Decision& decision) {
    std::cout << "move     value  guard  evidence   drawn  flags\n";
    for (std::size_t i = 0; i < record.candidates.size(); ++i) {
        const book::Candidate& c = record.candidates[i];
        const engine::Move m = book::stored_move(c.move);
        std::array<char, 120> line{};
        std::snprintf(line.data(),
                      line.size(),
                      "%-7s %6.3f %6.3f %9.1f  %6.3f  %s%s\n",
                      pos.is_legal(m) ? engine::to_san(pos, m).c_str()
                                      : engine::to_coordinates(m).c_str(),
                      c.mean,
                      c.guard,
                      c.evidence,
                      decision.draws[i],
                      flags_text(c.flags).c_str(),
                      decision.chosen == i ? "  <- played" : "");
        std::cout << line.data();
    }
}

int explain(const book::LoggedGame& g, int ply) {
    const book::GameRecord& record = g.record;
    if (ply < 1 || ply > record.game.ply())
        return complain("why: the game has moves 1 to " + std::to_string(record.game.ply()) +
                        " in plies");
    engine::Position pos = record.game.start();
    for (int i = 0; i + 1 < ply; ++i)
        pos.make(record.game.moves()[static_cast<std::size_t>(i)]);
    const engine::Move played = record.game.moves()[static_cast<std::size_t>(ply) - 1];
    std::cout << "game " << g.id << " of " << date_text(record.played) << ", "
              << moves_text(record.game, static_cast<std::size_t>(ply)) << '\n';
    for (const std::string& text : record.draws) {
        const std::optional<book::DrawRecord> draw = book::draw_from_text(text);
        if (!draw || draw->ply != ply - 1)
            continue;
        const book::Decision decision = book::decide(draw->rule, draw->candidates, draw->seed);
        print_decision(pos, *draw, decision);
        const bool same =
            decision.chosen && book::stored_move(draw->candidates[*decision.chosen].move) == played;
        std::cout << "drawn with deviation " << draw->rule.deviation
                  << " for one game's evidence, among moves at most " << draw->rule.slack
                  << " below the best\n";
        if (!same)
            std::cout << "the record does not lead to the move that was played\n";
        return same ? 0 : 1;
    }
    if (pos.side_to_move() != record.our_side)
        std::cout << "the opponent's move\n";
    else if (record.exit_ply && ply > *record.exit_ply)
        std::cout << "not a book move: the book was left after " << *record.exit_ply
                  << " plies, with a score of " << record.exit_cp << " centipawns at depth "
                  << record.exit_depth << '\n';
    else
        std::cout << "no draw was recorded for this move\n";
    return 0;
}

}  // namespace

int why(const Place& place, const Arguments& arguments) {
    if (const auto code =
            read_words("why",
                       arguments,
                       "Usage: nutcracker-book why GAME PLY\n\nGAME is a number or \"last\"; PLY "
                       "counts moves of both sides from 1. Repeats the\nchoice from its record.\n",
                       2,
                       2))
        return *code;
    if (arguments[1].empty() || arguments[1].size() > 5 ||
        arguments[1].find_first_not_of("0123456789") != std::string::npos)
        return complain("why: \"" + arguments[1] + "\" is no number of a ply");
    const bool last = arguments[0] == "last";
    if (!last && (arguments[0].find_first_not_of("0123456789") != std::string::npos ||
                  arguments[0].empty() || arguments[0].size() > 15))
        return complain("why: \"" + arguments[0] + "\" is no number of a game");
    const Result<book::Store> store = open_log(place);
    if (!store)
        return complain(store.error().what, 1);
    const Result<std::optional<book::LoggedGame>> game =
        last ? store->games->latest() : store->games->get(std::stoll(arguments[0]));
    if (!game)
        return complain(game.error().what, 1);
    if (!*game)
        return complain("why: there is no game " + arguments[0] + " in the book", 1);
    return explain(**game, std::stoi(arguments[1]));
}

}  // namespace tools::book_command
