#include "book/book.h"
#include "book/choose.h"
#include "book/openings.h"
#include "engine/board/notation.h"
#include "tools/book_commands.h"

#include <cstdio>
#include <iostream>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;

std::string flags_text(int flags) {
    std::string text;
    for (const auto& [flag, name] : {std::pair(book::Always, "always"),
                                     std::pair(book::Prefer, "prefer"),
                                     std::pair(book::Avoid, "avoid"),
                                     std::pair(book::Never, "never")})
        if ((flags & flag) != 0)
            text += std::string(text.empty() ? "" : ",") + name;
    return text;
}

std::function<std::optional<book::Key>(book::StoredMove)> children_of(const engine::Position& pos) {
    return [pos](book::StoredMove stored) -> std::optional<book::Key> {
        const book::Move m = book::stored_move(stored);
        if (book::mover(stored) != pos.side_to_move() || !pos.is_legal(m))
            return std::nullopt;
        engine::Position after = pos;
        after.make(m);
        return after.key();
    };
}

struct Opened {
    std::optional<book::Store> experience, base;
    book::Layers layers() {
        return {.experience = experience ? &*experience : nullptr, .base = base ? &*base : nullptr};
    }
};

Result<Opened> open_layers(const Place& place) {
    Opened opened;
    std::error_code none;
    if (std::filesystem::exists(place.book, none)) {
        Result<book::Store> store = book::Store::open(place.book, false);
        if (!store)
            return tl::unexpected<Error>(store.error());
        opened.experience.emplace(std::move(*store));
    }
    if (!place.base.empty()) {
        Result<book::Store> store = book::Store::open(place.base, false);
        if (!store)
            return tl::unexpected<Error>(store.error());
        opened.base.emplace(std::move(*store));
    }
    if (!opened.experience && !opened.base)
        return fail("there is no book \"" + place.book.string() + "\" yet");
    return opened;
}

void print_row(const engine::Position& pos,
               const book::Seen& s,
               const book::Model& model,
               const book::OpeningNames& names) {
    const engine::Move m = book::stored_move(s.move);
    engine::Position after = pos;
    after.make(m);
    std::array<char, 200> line{};
    const auto n = [](double x) { return static_cast<long long>(x + 0.5); };
    std::snprintf(line.data(),
                  line.size(),
                  "%-7s %8lld %8lld %8lld %6lld %6lld %6lld   %.3f +- %.3f %8.1f  %-8s ",
                  engine::to_san(pos, m).c_str(),
                  n(s.imported.wins),
                  n(s.imported.draws),
                  n(s.imported.losses),
                  static_cast<long long>(s.wins),
                  static_cast<long long>(s.draws),
                  static_cast<long long>(s.losses),
                  s.mean,
                  s.belief.deviation(model),
                  s.belief.evidence,
                  flags_text(s.flags).c_str());
    std::cout << line.data();
    if (s.analysed)
        std::cout << "search " << (s.analysis.cp >= 0 ? "+" : "") << s.analysis.cp << " depth "
                  << s.analysis.depth << ' ';
    std::cout << names.of(after) << '\n';
}

Result<book::Model> model_of(const Opened& opened) {
    return opened.experience ? opened.experience->model() : Result<book::Model>(book::Model{});
}

std::optional<book::TimeClass> time_from(const std::string& name) {
    if (name == "lightning")
        return book::TimeClass::Lightning;
    if (name == "blitz")
        return book::TimeClass::Blitz;
    return name == "standard" ? std::optional(book::TimeClass::Standard) : std::nullopt;
}

int show_position(const Place& place, const Arguments& words, book::TimeClass time) {
    const Result<engine::Game> game = game_from(words);
    if (!game)
        return complain("show: " + game.error().what);
    Result<Opened> opened = open_layers(place);
    if (!opened)
        return complain(opened.error().what, 1);
    const Result<book::Model> model = model_of(*opened);
    if (!model)
        return complain(model.error().what, 1);
    const engine::Position& pos = game->position();
    book::Asked asked{.key = pos.key(),
                      .bits = book::check_bits(pos),
                      .side = pos.side_to_move(),
                      .time = time,
                      .opponent = 0,
                      .child = children_of(pos)};
    Result<book::View> view = book::view(opened->layers(), *model, asked);
    const char* whose = "as ours to move";
    if (view && !view->visited) {  // own games may have come here as the other side
        asked.side = ~asked.side;
        Result<book::View> other = book::view(opened->layers(), *model, asked);
        if (other && other->visited) {
            view = std::move(other);
            whose = "as the opponent's to move; results and values are ours";
        }
    }
    if (!view)
        return complain(view.error().what, 1);
    const book::OpeningNames names;
    std::cout << pos.fen() << '\n';
    if (const std::string name = names.of(*game); !name.empty())
        std::cout << name << '\n';
    if (view->moves.empty()) {
        std::cout << "nothing is known here\n";
        return 1;
    }
    std::cout << "value " << std::to_string(view->value).substr(0, 5) << ", " << whose << '\n';
    std::cout << "move     imported: won    drawn     lost   own: w      d      l   value          "
                 "    games\n";
    for (const book::Seen& s : view->moves)
        print_row(pos, s, *model, names);
    return 0;
}

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

int show(const Place& place, const Arguments& arguments) try {
    std::string time;
    po::options_description visible("Usage: nutcracker-book show [OPTIONS] [FEN|MOVES]\n\nOptions");
    visible.add_options()("help", "this text")("time",
                                               po::value(&time)->default_value("blitz"),
                                               "time class: lightning, blitz or standard");
    po::options_description all;
    all.add(visible).add_options()("word", po::value<Arguments>());
    po::variables_map given;
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(po::positional_options_description().add("word", -1))
                  .style(po::command_line_style::allow_long |
                         po::command_line_style::long_allow_adjacent |
                         po::command_line_style::long_allow_next)
                  .run(),
              given);
    po::notify(given);
    if (given.contains("help")) {
        std::cout << visible
                  << "\nImported results and own ones (won, drawn, lost), the value with its "
                     "deviation, and\nthe games' worth of evidence behind it, all of the side "
                     "whose games they are.\n";
        return 0;
    }
    const std::optional<book::TimeClass> time_class = time_from(time);
    if (!time_class)
        return complain("show: --time is lightning, blitz or standard, not \"" + time + "\"");
    return show_position(
        place, given.contains("word") ? given["word"].as<Arguments>() : Arguments(), *time_class);
} catch (const po::error& e) {
    return complain(std::string("show: ") + e.what());
}

int why(const Place& place, const Arguments& arguments) {
    if (arguments.size() == 1 && arguments[0] == "--help") {
        std::cout << "Usage: nutcracker-book why GAME PLY\n\nGAME is a number or \"last\"; PLY "
                     "counts moves of both sides from 1. Repeats the\nchoice from its record.\n";
        return 0;
    }
    if (arguments.size() != 2 ||
        arguments[1].find_first_not_of("0123456789") != std::string::npos ||
        arguments[1].size() > 5)
        return complain("why: give a game and a ply, as: why last 5");
    const bool last = arguments[0] == "last";
    if (!last && (arguments[0].find_first_not_of("0123456789") != std::string::npos ||
                  arguments[0].empty() || arguments[0].size() > 15))
        return complain("why: \"" + arguments[0] + "\" is no number of a game");
    const Result<book::Store> store = open_book(place, false);
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
