#include "book/book.h"
#include "book/import/polyglot.h"
#include "engine/board/notation.h"
#include "tools/book/book_command.h"
#include "tools/common/pgn_text.h"

#include <fstream>
#include <iostream>
#include <limits>

#include <boost/program_options.hpp>

namespace tools::book_command {
namespace {

namespace po = boost::program_options;

// Moves of a position are printed by kind (castling last), square they leave, square they reach.
int place_in_table(engine::Move m) {
    const int promotion = m.kind() == engine::MoveKind::Promotion ? m.promoted() : 0;
    return ((static_cast<int>(m.kind()) * 64 + m.from()) * 64 + m.to()) * 8 + promotion;
}

int export_table(book::Store& store, std::ostream& out, char separator, std::int64_t min_games) {
    using Limits = std::numeric_limits<std::int64_t>;
    out << (separator == '\t' ? "# " : "") << "key" << separator << "move" << separator
        << "white_wins" << separator << "draws" << separator << "black_wins" << separator
        << "unknown\n";
    // In order of unsigned keys, as everybody prints them.
    for (const auto& [first, last] :
         {std::pair{std::int64_t{0}, Limits::max()}, std::pair{Limits::min(), std::int64_t{-1}}}) {
        std::vector<std::pair<std::uint16_t, std::string>> rows;  // of one position
        book::Key key = 0;
        const auto flush = [&] {
            std::sort(rows.begin(), rows.end());
            std::array<char, 20> text{};
            std::snprintf(
                text.data(), text.size(), "%016llx", static_cast<unsigned long long>(key));
            for (const auto& [move, row] : rows)
                out << text.data() << separator << row << '\n';
            rows.clear();
        };
        const Result<void> read =
            store.positions->each_edge(first, last, [&](const book::KeyedEdge& e) {
                if (e.key != key)
                    flush();
                key = e.key;
                if (e.edge.games() < min_games)
                    return true;
                std::string row = engine::to_coordinates(book::stored_move(e.edge.move));
                const int place = place_in_table(book::stored_move(e.edge.move));
                for (const std::int64_t n :
                     {e.edge.white, e.edge.draws, e.edge.black, e.edge.unknown})
                    row += separator + std::to_string(n);
                rows.emplace_back(place, row);
                return out.good();
            });
        if (!read)
            return complain(read.error().what, 1);
        flush();
    }
    return 0;
}

std::string moves_of(const book::GameRecord& r, const std::string& result) {
    engine::Position pos = r.game.start();
    Movetext text;
    for (std::size_t i = 0; i < r.game.moves().size(); ++i) {
        if (pos.side_to_move() == engine::White)
            text.add(std::to_string(pos.fullmove_number()) + ".");
        else if (i == 0)
            text.add(std::to_string(pos.fullmove_number()) + "...");
        text.add(engine::to_san(pos, r.game.moves()[i]));
        pos.make(r.game.moves()[i]);
        if (r.exit_ply && static_cast<int>(i) == *r.exit_ply)
            text.add("{book left; " + std::to_string(r.exit_cp) + " centipawns at depth " +
                     std::to_string(r.exit_depth) + "}");
    }
    text.add(result);
    return text.text();
}

void write_game(std::ostream& out,
                const book::LoggedGame& g,
                const std::string& opponent,
                const std::string& server) {
    const book::GameRecord& r = g.record;
    const bool white = r.our_side == engine::White;
    const std::string us = r.engine.empty() ? "Nutcracker" : r.engine;
    const std::string them = opponent.empty() ? "?" : opponent;
    std::string date = date_text(r.played);
    std::replace(date.begin(), date.end(), '-', '.');
    const std::string result =
        g.state == book::GameState::Pending || r.termination == book::Termination::Aborted
            ? "*"
            : result_text(white ? r.score : 1 - r.score);
    std::string tags;
    const auto tag = [&tags](const char* name, const std::string& value) {
        add_tag(tags, name, value);
    };
    tag("Event", "?");
    tag("Site", server.empty() ? "-" : server);
    tag("Date", date);
    tag("Round", "-");
    tag("White", white ? us : them);
    tag("Black", white ? them : us);
    tag("Result", result);
    if (const int elo = white ? r.our_rating : r.opponent.rating; elo > 0)
        tag("WhiteElo", std::to_string(elo));
    if (const int elo = white ? r.opponent.rating : r.our_rating; elo > 0)
        tag("BlackElo", std::to_string(elo));
    if (!r.game.starts_normally()) {
        tag("SetUp", "1");
        tag("FEN", r.game.start().fen());
    }
    tag("NutcrackerUid", r.uid);
    out << tags << '\n' << moves_of(r, result);
}

int export_pgn(book::Store& store, std::ostream& out) {
    const Result<void> read = store.games->each({}, [&](book::LoggedGame& g) -> Result<void> {
        const Result<std::optional<book::OpponentRecord>> o = store.opponents->get(g.opponent_id);
        if (!o)
            return tl::unexpected<Error>(o.error());
        write_game(out, g, *o ? (*o)->name : "", *o ? (*o)->server : "");
        return {};
    });
    return read ? 0 : complain(read.error().what, 1);
}

}  // namespace

int export_book(const Place& place, const Arguments& arguments) {
    std::string bin, pgn, tsv, csv, only;
    book::PolyglotOptions polyglot;
    po::options_description options(
        "Usage: nutcracker-book export --bin FILE|--pgn FILE|--tsv FILE|--csv FILE "
        "[OPTIONS]\n\nOptions (FILE - is standard output, but for --bin)");
    options.add_options()("help", "this text")(
        "bin", po::value(&bin), "PolyGlot book of the imported games")(
        "pgn", po::value(&pgn), "own games")(
        "tsv", po::value(&tsv), "counts of every imported move, separated by tabs")(
        "csv", po::value(&csv), "the same, separated by commas")(
        "min-game",
        po::value(&polyglot.min_games)->default_value(1),
        "leave out moves with fewer games")("min-score",
                                            po::value(&polyglot.min_score)->default_value(0),
                                            "leave out moves with a lower 2 * wins + draws")(
        "experience", po::bool_switch(&polyglot.experience), "into --bin also own games")(
        "only", po::value(&only), "into --bin only moves of white or black")(
        "uniform", po::bool_switch(&polyglot.uniform), "into --bin equal weights");
    po::variables_map given;
    if (const auto code = read_options(command_line("export", arguments), options, given))
        return *code;
    if (given.count("bin") + given.count("pgn") + given.count("tsv") + given.count("csv") != 1)
        return complain("export: one of --bin, --pgn, --tsv and --csv");
    if (!only.empty() && only != "white" && only != "black")
        return complain("export: --only is white or black, not \"" + only + "\"");
    if (bin == "-")
        return complain("export: --bin cannot be standard output");
    polyglot.white = only != "black";
    polyglot.black = only != "white";
    Result<book::Store> store = pgn.empty() ? open_book(place, Access::Read) : open_log(place);
    if (!store)
        return complain(store.error().what, 1);
    if (!bin.empty()) {
        const Result<std::int64_t> entries = book::export_polyglot(*store, bin, polyglot);
        if (!entries)
            return complain(entries.error().what, 1);
        std::cerr << *entries << " entries\n";
        return 0;
    }
    const std::string name = pgn + tsv + csv;
    std::ofstream file;
    if (name != "-") {
        file.open(name, std::ios::binary | std::ios::trunc);
        if (!file)
            return complain("\"" + name + "\" cannot be written", 1);
    }
    std::ostream& out = name == "-" ? std::cout : file;
    const int code = !pgn.empty()
                         ? export_pgn(*store, out)
                         : export_table(*store, out, tsv.empty() ? ',' : '\t', polyglot.min_games);
    out.flush();
    return out ? code : complain("\"" + name + "\" cannot be written", 1);
}

}  // namespace tools::book_command
