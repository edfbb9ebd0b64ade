#include "tools/lab/learning/foreign_run.h"

#include "book/store/store.h"
#include "engine/board/notation.h"
#include "engine/platform/file.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/common/fixed_nodes.h"
#include "tools/lab/learning/book_copy.h"
#include "tools/lab/learning/foreign_engine.h"
#include "tools/lab/learning/judge.h"
#include "tools/lab/learning/our_player.h"
#include "tools/lab/learning/played_so_far.h"
#include "tools/lab/learning/series.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>

#include <fmt/format.h>

namespace tools::learning {
namespace {

namespace fs = std::filesystem;
using engine::platform::File;

constexpr int HashMib = 4;       // enough for so few nodes, and quickly cleared
constexpr int OpeningMoves = 3;  // of ours, that distinguish openings

class ForeignRun {
  public:
    ForeignRun(const ForeignRules& rules, const ForeignSetup& setup, book::Book* book)
        : rules_(rules), searcher_(make_single_threaded(HashMib)),
          ours_(book, *searcher_, rules.nodes, rules.variation),
          judge_(make_single_threaded(HashMib), rules.exit_nodes) {
        for (const match::EngineSpec& spec : setup.opponents)
            engines_.emplace_back(spec, setup.patience, setup.cancel);
    }

    // Nothing if the match is being cancelled.
    std::optional<ForeignRow> play(int number);

  private:
    const ForeignRules& rules_;
    std::unique_ptr<engine::Searcher> searcher_;
    OurPlayer ours_;
    Judge judge_;
    std::deque<ForeignEngine> engines_;
};

std::string opening_of(const engine::Game& game, engine::Color side) {
    std::string text;
    int left = OpeningMoves;
    for (std::size_t i = side == engine::White ? 0 : 1; i < game.moves().size() && left > 0;
         i += 2, --left)
        text += (text.empty() ? "" : ",") + engine::to_coordinates(game.moves()[i]);
    return text.empty() ? "-" : text;
}

std::uint64_t hash_of(const engine::Game& game) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;  // FNV-1a
    for (const engine::Move m : game.moves())
        hash = (hash ^ m.raw()) * 0x100'0000'01B3;
    return hash;
}

std::optional<ForeignRow> ForeignRun::play(int number) {
    const std::uint64_t seed = rules_.seed * 1'000'003 + static_cast<std::uint64_t>(number);
    ForeignRow row{
        .number = number, .opponent = opponent_in(rules_, number), .side = side_in(number)};
    ForeignEngine& theirs = engines_[row.opponent];
    ours_.begin(fmt::format("{}-{}", name_of(rules_), number),
                number,
                row.side,
                {.name = theirs.name(), .computer = true},
                rules_.variation == 0 ? 0 : ~seed);
    engine::Game game;
    Outcome outcome = Outcome::Unfinished;
    if (theirs.begin(game, ~row.side)) {
        outcome =
            play_out(game, Adjudication, [&](const engine::Game& now) -> std::optional<MoveChoice> {
                if (now.position().side_to_move() != row.side)
                    return theirs.move(now);
                const Played played = ours_.move(now);
                if (played.depth == 0)
                    return MoveChoice{played.move, std::nullopt};
                return MoveChoice{played.move, played.score};
            });
        if (theirs.resigned())
            outcome = win_for(row.side);
        theirs.end(game, outcome);
    }
    if (theirs.cancelled())
        return std::nullopt;
    const double white = white_points(outcome);
    row.score = row.side == engine::White ? white : 1 - white;
    row.plies = game.ply();
    row.book_moves = ours_.book_moves();
    row.exit_ply = ours_.exit_ply();
    const bool judged = rules_.exit_nodes > 0 && row.exit_ply;
    row.exit_cp = judged ? judge_.score(ours_.exit()) : ours_.exit_cp();
    row.moves = hash_of(game);
    row.opening = opening_of(game, row.side);
    row.fault = theirs.fault();
    if (rules_.learn && row.fault.empty())
        ours_.learn(game, row.score);
    return row;
}

// Plays games `from` to rules.games with our book in `file`. `finished` gets every game; the run
// ends early when it returns false, or is cancelled: then the game in progress is lost. Returns
// whether all were played.
bool play_foreign(const ForeignRules& rules,
                  const ForeignSetup& setup,
                  const fs::path& file,
                  int from,
                  const std::function<bool(const ForeignRow&)>& finished) {
    std::unique_ptr<book::Book> book;
    // A resumed run must draw other moves than at its beginning.
    if (rules.start != Start::NoBook)
        book = value_or_throw(
            book::Book::open({.experience = file,
                              .base = setup.base,
                              .read_only = !rules.learn,
                              .seed = rules.seed + 1'000'003 * static_cast<std::uint64_t>(from)}));
    ForeignRun run(rules, setup, book.get());
    for (int number = from; number <= rules.games; ++number) {
        const std::optional<ForeignRow> row = run.play(number);
        if (!row || !finished(*row))
            return false;
    }
    return true;
}

// Locks a file in the folder of a run, whose other files are replaced while it is played.
File lock_run(const fs::path& folder, const fs::path& out) {
    const fs::path path = folder / "in-use.lock";
    File lock(engine::platform::long_path(path), File::Mode::Create);
    if (!lock.is_open())
        throw Failure(fmt::format(
            "\"{}\" cannot be written: {}", path.string(), engine::platform::error_text()));
    if (!lock.try_lock())
        throw Failure(fmt::format("\"{}\" is in use by another program", out.string()));
    return lock;
}

// Our book as it begins: a copy of `source`, or an empty one.
void begin_book(const fs::path& copy, const fs::path& source) {
    remove_book(copy, {source});
    if (source.empty())
        book::Store(copy, true);
    else
        fs::copy_file(source, copy);
}

// Continues `series`, whose games are in `part`. False if it was stopped.
bool write_rest(const ForeignSeries& series,
                const ForeignRules& rules,
                const ForeignSetup& setup,
                const fs::path& book,
                const fs::path& part) {
    std::string text = heading(rules);
    double points = 0;
    int counted = 0;
    const auto count = [&](const ForeignRow& row) {
        points += row.fault.empty() ? row.score : 0;
        counted += row.fault.empty() ? 1 : 0;
    };
    for (const ForeignRow& row : series.games) {
        text += to_text(row) + '\n';
        count(row);
    }
    value_or_throw(replace_file(part.string(), text));
    std::ofstream results(part, std::ios::binary | std::ios::app);
    const int from = static_cast<int>(series.games.size()) + 1;
    const bool all = play_foreign(rules, setup, book, from, [&](const ForeignRow& row) {
        results << to_text(row) << '\n' << std::flush;
        count(row);
        if (row.number % 20 == 0 || row.number == rules.games)
            std::cerr << fmt::format("{}: {}/{}, score {:.1f} %, {} without a result\n",
                                     name_of(rules),
                                     row.number,
                                     rules.games,
                                     counted > 0 ? 100 * points / counted : 0.0,
                                     row.number - counted);
        return bool{results};
    });
    if (all)
        results << CompleteMark;
    results.close();
    if (!results)
        throw Failure(fmt::format("\"{}\" cannot be written", part.string()));
    return all;
}

}  // namespace

bool play_or_resume(const ForeignRules& rules, ForeignSetup setup, const fs::path& out) {
    const auto read = [&rules](const fs::path& file) {
        return played_so_far(file, rules, foreign_series_from_text);
    };
    if (read(out).complete)
        return true;
    fs::path book;
    if (rules.start != Start::NoBook) {
        book = fs::path(out).replace_extension(".db");
        check_not_source(book, {setup.start_book, setup.base});
    }
    // Engines write logs and learning files where they run.
    const fs::path folder = fs::absolute(fs::path(out).replace_extension(".work"));
    fs::create_directories(folder);
    const File lock = lock_run(folder, out);
    if (read(out).complete)  // by another program in the meantime
        return true;
    const fs::path part = fs::path(out) += ".part";
    ForeignSeries series = read(part);
    if (!book.empty() && (series.games.empty() || !fs::exists(book))) {
        series.games.clear();  // useless without their book
        begin_book(book, setup.start_book);
    }
    for (match::EngineSpec& spec : setup.opponents) {
        if (spec.command.directory.empty())
            spec.command.directory = folder.string();
        spec.patience = std::max(spec.patience, setup.patience);
        // A program that cannot be started ends the run; it is no fault of an engine.
        value_or_throw(match::Process::start(spec.command));
    }
    if (!write_rest(series, rules, setup, book, part))
        return false;
    fs::rename(part, out);
    return true;
}

}  // namespace tools::learning
