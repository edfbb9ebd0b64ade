// The command export.
#include "book/import/game_record.h"
#include "book/import/polyglot.h"
#include "book/probe/repertoire.h"
#include "engine/board/notation.h"
#include "tools/book/book_command.h"
#include "tools/common/files.h"
#include "tools/common/pgn_text.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <sstream>

#include <fmt/ostream.h>

namespace tools::book_command {
namespace {

// Orders the moves of a position: by kind (castling last), from square, to square, promotion.
int move_order(engine::Move m) {
    const int promotion = m.kind() == engine::MoveKind::Promotion ? m.promoted() : 0;
    return ((static_cast<int>(m.kind()) * 64 + m.from()) * 64 + m.to()) * 8 + promotion;
}

// Castling from the usual squares is written as the king's step (e1g1). In Chess960 it is written
// as king takes rook, since the step may be another legal move.
std::string coordinates(engine::Move m) {
    using namespace engine;
    const Square from = m.from(), to = m.to();
    const bool as_in_chess = (from == E1 && (to == A1 || to == H1)) ||
                             (from == E8 && (to == make_square(0, 7) || to == H8));
    return to_coordinates(m, !as_in_chess);
}

// Returns whether it has a move.
bool export_table(book::Store& store, std::ostream& out, char separator, int min_games) {
    using Limits = std::numeric_limits<std::int64_t>;
    fmt::print(out,
               "{1}key{0}move{0}white_wins{0}draws{0}black_wins{0}unknown\n",
               separator,
               separator == '\t' ? "# " : "");
    bool any = false;
    // Two passes put the signed keys of the table in the order of unsigned ones.
    for (const auto& [first, last] :
         {std::pair{std::int64_t{0}, Limits::max()}, std::pair{Limits::min(), std::int64_t{-1}}}) {
        std::vector<std::pair<int, std::string>> rows;  // of one position
        book::Key key = 0;
        const auto flush = [&] {
            std::sort(rows.begin(), rows.end());
            for (const auto& [order, row] : rows)
                out << row;
            rows.clear();
        };
        store.positions.each_edge(first, last, [&](const book::KeyedEdge& e) {
            if (e.key != key)
                flush();
            key = e.key;
            const engine::Move move = book::stored_move(e.edge.move);
            any = any || e.edge.games() >= min_games;
            if (e.edge.games() >= min_games)
                rows.emplace_back(move_order(move),
                                  fmt::format("{1:016x}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}\n",
                                              separator,
                                              e.key,
                                              coordinates(move),
                                              e.edge.white,
                                              e.edge.draws,
                                              e.edge.black,
                                              e.edge.unknown));
            return out.good();
        });
        flush();
    }
    return any;
}

// A PGN comment, or "" if there is no text. Braces in the text would end the comment.
std::string comment_of(std::string text) {
    std::replace(text.begin(), text.end(), '{', '(');
    std::replace(text.begin(), text.end(), '}', ')');
    return text.empty() ? "" : '{' + text + '}';
}

std::string movetext_of(const book::GameRecord& r, const std::string& result) {
    engine::Position pos = r.game.start();
    Movetext text;
    for (std::size_t i = 0; i < r.game.moves().size(); ++i) {
        const bool white = pos.side_to_move() == engine::White;
        if (white || i == 0)
            text.add(std::to_string(pos.fullmove_number()) + (white ? "." : "..."));
        text.add(engine::to_san(pos, r.game.moves()[i]));
        pos.make(r.game.moves()[i]);
        if (!r.exit_ply || static_cast<int>(i) != *r.exit_ply)
            continue;
        text.add(
            r.exit_depth == book::NoScore
                ? "{book left}"
                : fmt::format("{{book left; {} centipawns at depth {}}}", r.exit_cp, r.exit_depth));
    }
    std::string comments;
    for (const std::string& draw : r.draws)
        comments += book::draw_comment(draw) + '\n';
    std::istringstream words(comments + comment_of(r.reason));
    for (std::string word; words >> word;)
        text.add(word);
    text.add(result);
    return text.text();
}

// The tag Date, with question marks for unknown parts.
std::string date_of(const book::GameRecord& r) {
    std::string date = r.played == 0 ? "????" : played_text(r);
    std::replace(date.begin(), date.end(), '-', '.');
    while (date.size() < std::string_view("????.??.??").size())
        date += ".??";
    return date;
}

void write_game(std::ostream& out,
                const book::LoggedGame& g,
                const book::OpponentRecord& opponent) {
    const book::GameRecord& r = g.record;
    const bool white = r.our_side == engine::White;
    const std::string us = r.engine.empty() ? "Nutcracker" : r.engine;
    const std::string them = opponent.name.empty() ? "?" : opponent.name;
    const std::string result = result_of(g);
    std::string tags;
    const auto tag = [&tags](const char* name, const std::string& value) {
        add_tag(tags, name, value);
    };
    tag("Event", r.event.empty() ? "?" : r.event);
    tag("Site", opponent.server.empty() ? "-" : opponent.server);
    tag("Date", date_of(r));
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
    tag("TimeControl", r.time_control.empty() ? "?" : r.time_control);
    tag("Termination", ending_of(g));
    if (opponent.computer)
        tag(white ? "BlackType" : "WhiteType", "program");
    tag("NutcrackerUid", r.uid);
    tag("NutcrackerLog", book::log_text(g));
    if (!r.reason.empty())
        tag("NutcrackerReason", r.reason);
    out << tags << '\n' << movetext_of(r, result);
}

struct BinOptions {
    book::PolyglotOptions counted{};
    bool counts = false;
};

// Returns the number of entries.
std::int64_t export_bin(const Call& call, const std::string& name, const BinOptions& options) {
    const std::string file = book::value_or_throw(file_to_replace(name));
    const book::PolyglotOptions& limits = options.counted;
    if (options.counts) {
        book::Store store = open_book(call, Access::Read);
        return book::export_polyglot(store, file, limits);
    }
    book::BookFiles files = open_files(call);
    std::vector<book::WeightedMove> moves;
    for (const book::RepertoireMove& m : book::repertoire(
             files.layers(),
             files.model(),
             {.white = limits.white, .black = limits.black, .min_games = limits.min_games}))
        moves.push_back({.key = m.key,
                         .move = book::stored_move(m.move),
                         .weight = limits.uniform ? 0 : m.probability});
    if (!moves.empty())
        book::write_polyglot(file, moves);
    return static_cast<std::int64_t>(moves.size());
}

}  // namespace

void write_pgn(std::ostream& out, book::Store& store, const book::GameFilter& filter) {
    store.games.each(filter, [&](book::LoggedGame& g) {
        const auto opponent = store.opponents.get(g.opponent_id);
        write_game(out, g, opponent.value_or(book::OpponentRecord()));
    });
}

int export_book(Call& call) {
    std::string bin, pgn, tsv, csv, only;
    BinOptions options;
    book::PolyglotOptions& polyglot = options.counted;
    call.option("bin",
                bin,
                "write a PolyGlot book of the moves that the book would play; a weight is the "
                "probability of the move times 65535");
    call.option("pgn", pgn, "write the own games");
    call.option("tsv",
                tsv,
                "write the counts of every imported move, separated by tabs; castling in Chess960 "
                "is written as king takes rook");
    call.option("csv", csv, "the same, separated by commas");
    call.option("min-game",
                polyglot.min_games,
                "leave out moves with fewer games (with --bin but not --counts: only moves that no "
                "search has found)");
    call.option("counts",
                options.counts,
                "with --bin: give each move of imported games the weight 2 * wins + draws");
    call.option("experience", polyglot.experience, "with --counts: add own games");
    call.option("min-score",
                polyglot.min_score,
                "with --counts: leave out moves with a lower 2 * wins + draws");
    call.option("only", only, "with --bin: include only moves of white or black");
    call.option("uniform", polyglot.uniform, "with --bin: give all moves the same weight");
    call.read();
    call.require(call.given("bin") + call.given("pgn") + call.given("tsv") + call.given("csv") == 1,
                 "exactly one of --bin, --pgn, --tsv and --csv is needed");
    call.require(bin != "-", "--bin cannot be standard output");
    call.require(options.counts || !(polyglot.experience || call.given("min-score")),
                 "--experience and --min-score need --counts");
    const std::optional<book::Color> side = colour_from(call, "--only", only);
    polyglot.white = side != engine::Black;
    polyglot.black = side != engine::White;
    if (!bin.empty()) {
        refuse_book(call, bin);
        const std::int64_t entries = export_bin(call, bin, options);
        if (entries == 0)
            return complain("export: the book has no move to export; nothing was written");
        std::cerr << entries << (entries == 1 ? " entry" : " entries") << " in " << bin << '\n';
        return 0;
    }
    if (!pgn.empty())
        tell_waiting(call);
    book::Store store = pgn.empty() ? open_book(call, Access::Read) : open_log(call);
    bool any = true;
    write_file(call, pgn + tsv + csv, [&](std::ostream& out) {
        if (!pgn.empty())
            write_pgn(out, store, {});
        else
            any = export_table(store, out, tsv.empty() ? ',' : '\t', polyglot.min_games);
    });
    if (!any)
        std::cerr << "the table has no moves: it has only those of imported games\n";
    return 0;
}

}  // namespace tools::book_command
