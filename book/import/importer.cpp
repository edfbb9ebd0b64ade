#include "book/import/importer.h"

#include "book/import/evals.h"
#include "book/import/game_hashes.h"
#include "book/import/kept_games.h"
#include "book/import/player_names.h"
#include "book/import/sorter.h"
#include "book/learn/learn.h"
#include "book/model/letter_case.h"
#include "book/store/changes.h"
#include "book/store/failure.h"
#include "book/store/import_lock.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::int64_t GamesBetweenReports = 1024;
constexpr int MaxRating = 4095;
constexpr int MinOwnPlies = 16;          // shorter games may equal own ones by chance
constexpr std::size_t BatchSize = 1024;  // rows
constexpr std::size_t MinKeptBytes = std::size_t{1} << 20;  // of packed games

double white_score(Outcome outcome) {
    return outcome == Outcome::White ? 1 : outcome == Outcome::Black ? 0 : 0.5;
}

std::filesystem::path temporary_folder(const ImportOptions& options) {
    return options.folder.empty() ? std::filesystem::temp_directory_path() : options.folder;
}

}  // namespace

class Importer::Impl {
  public:
    Impl(Store& store,
         const std::filesystem::path& book,
         ImportOptions options,
         ImportListener listener);

    [[nodiscard]] std::int64_t known_bytes(const GamesFile& file) const;
    void read(const GamesFile& file, std::int64_t known_bytes);
    void stop() { report_.stopped = true; }
    ImportReport finish();

  private:
    struct ReadFile {
        Source source;
        std::int64_t first_game = 0;  // number of its first game, or of the next file's
    };
    void load_known_texts();
    [[nodiscard]] std::string about_known(std::int64_t bytes) const;
    void load_hashes();
    void read_games(PgnReader& reader, const GamesFile& file);
    void handle(const PgnGame& game, const GamesFile& file);
    bool is_duplicate(const PgnGame& game, std::int64_t hash);
    void add_moves(const PgnGame& game, std::int64_t hash);
    void store();
    void store_all();
    void store_hashes();
    void drop_duplicate(std::uint64_t game);
    void store_edges();
    void store_files();

    Store& store_;
    ImportLock lock_;
    ImportOptions options_;
    ImportListener listener_;
    ImportReport report_;
    Sorter sorter_;
    // Games are numbered from 0 as they are imported. Some turn out to be duplicates at the end.
    GameHashes hashes_;
    std::vector<bool> duplicates_;  // by number; empty: none
    KeptGames kept_;
    Evals evals_;
    HashSet own_;
    std::vector<ReadFile> files_;
    bool has_player_;      // some game is of ImportOptions::player
    PlayerNames players_;  // of the games until then
    // Texts imported before, with the same options or with another --duplicates; in that case game
    // hashes differ, so that known games would not be recognised.
    std::vector<Source> known_texts_;
    bool ask_book_ = false;                   // hashes of earlier imports are only in the book
    std::optional<Duplicates> other_hashes_;  // kind of hash that earlier imports used
};

Importer::Impl::Impl(Store& store,
                     const std::filesystem::path& book,
                     ImportOptions options,
                     ImportListener listener)
    : store_(store), lock_(book), options_(std::move(options)), listener_(std::move(listener)),
      sorter_(options_.memory, temporary_folder(options_)),
      hashes_(options_.memory, temporary_folder(options_)),
      kept_(std::max(options_.memory / 2, MinKeptBytes)), evals_(options_.memory / 2),
      has_player_(options_.player.empty()) {
    if (!options_.keeps_games)
        kept_.give_up();
    load_known_texts();
    load_hashes();
}

void Importer::Impl::load_hashes() {
    for (const std::int64_t hash : store_.games.content_hashes())
        own_.insert(hash);
    const std::int64_t known = store_.games.count_imported();
    ask_book_ = known > static_cast<std::int64_t>(hashes_.max_in_memory() / 2);
    if (!ask_book_ && known > 0)
        store_.games.each_imported([this](std::int64_t hash) { hashes_.add_earlier(hash); });
    for (const Source& source : store_.games.sources()) {
        const Duplicates theirs = duplicates_of(source.settings);
        if (source.kind == "pgn" && options_.duplicates != Duplicates::Keep &&
            theirs != Duplicates::Keep && theirs != options_.duplicates)
            other_hashes_ = theirs;
    }
}

void Importer::Impl::load_known_texts() {
    if (options_.again)
        return;
    const std::string settings = settings_text(options_);
    for (Source& source : store_.games.sources())
        if (source.kind == "pgn" && !source.digest.empty() &&
            (source.settings == settings || duplicates_of(source.settings) != options_.duplicates))
            known_texts_.push_back(std::move(source));
    std::sort(known_texts_.begin(), known_texts_.end(), [](const Source& a, const Source& b) {
        return a.bytes < b.bytes;
    });
}

// Every earlier import stored the length and fingerprint of its text. The longest match counts, so
// that a file that has grown is read from there.
std::int64_t Importer::Impl::known_bytes(const GamesFile& file) const {
    std::int64_t found = 0;
    std::optional<PgnReader> reader;
    if (file.size == 0)  // a pipe can be read only once
        return 0;
    for (const Source& source : known_texts_) {
        if (source.name != file.name && (file.packed || source.bytes != file.size))
            continue;
        if (!reader)
            reader.emplace(file.read);
        reader->skip(source.bytes - reader->bytes_read());
        if (reader->bytes_read() != source.bytes)
            break;
        if (reader->fingerprint() == source.digest)
            found = source.bytes;
    }
    return found;
}

// For the user: with other filters and another --duplicates, the games that were left out cannot be
// told from those that counted.
std::string Importer::Impl::about_known(std::int64_t bytes) const {
    const std::string filters = filters_of(settings_text(options_));
    std::string text = "imported before up to this line";
    const Source* other = nullptr;
    for (const Source& source : known_texts_) {
        if (source.bytes != bytes)
            continue;
        if (filters_of(source.settings) == filters)
            return text;
        other = &source;
    }
    if (other)
        text += fmt::format(", with other options ({}); to import what they left out, first forget "
                            "import {}",
                            other->settings,
                            other->id);
    return text;
}

void Importer::Impl::add_moves(const PgnGame& game, std::int64_t hash) {
    const int year = storable_year(date_number(game.date) / 10'000);
    const auto last = std::min(game.moves.size(), static_cast<std::size_t>(options_.max_ply));
    const auto is_taken = [&](const std::string& name, Outcome win) {
        return (!options_.player_only || contains_ignoring_case(name, options_.player)) &&
               (!options_.winner_only || game.outcome == win);
    };
    const bool white_is_taken = is_taken(game.white, Outcome::White);
    const bool black_is_taken = is_taken(game.black, Outcome::Black);
    const auto number = static_cast<std::uint64_t>(report_.imported);
    if (!kept_.gave_up())
        kept_.add({.outcome = game.outcome,
                   .white = white_is_taken,
                   .black = black_is_taken,
                   .white_rating = std::min(game.white_rating, MaxRating),
                   .black_rating = std::min(game.black_rating, MaxRating),
                   .year = year,
                   .min_ply = options_.min_ply,
                   .hash = hash,
                   .start = game.fen.empty() ? "" : game.start.fen(),
                   .white_begins = game.start.side_to_move() == engine::White,
                   .moves = {game.moves.begin(), game.moves.begin() + static_cast<long>(last)}},
                  number,
                  files_.size());
    Color side = game.start.side_to_move();
    for (std::size_t ply = 0; ply < last; ++ply, side = ~side) {
        const bool white = side == engine::White;
        if (static_cast<int>(ply) >= options_.min_ply && (white ? white_is_taken : black_is_taken))
            sorter_.add(
                {.key = game.keys[ply],
                 .move = book::store(game.moves[ply], side),
                 .outcome = game.outcome,
                 .rating = std::min(white ? game.white_rating : game.black_rating, MaxRating),
                 .year = year,
                 .game = number});
    }
}

// True if the game is a duplicate; else notes its hash under the next number. Games of earlier
// imports are also recognised by the other kind of hash; by moves alone only if the game is too
// long for chance.
bool Importer::Impl::is_duplicate(const PgnGame& game, std::int64_t hash) {
    if (other_hashes_ &&
        (*other_hashes_ == Duplicates::ByGame || game.moves.size() >= MinLongGame)) {
        const std::int64_t other = game_hash(game, *other_hashes_);
        if (ask_book_ ? store_.games.was_imported(other) : hashes_.has_earlier(other))
            return true;
    }
    return !hashes_.add(hash, static_cast<std::uint64_t>(report_.imported));
}

void Importer::Impl::handle(const PgnGame& game, const GamesFile& file) {
    if (!game.trouble.empty()) {
        ++report_.bad;
        return listener_.trouble({.file = file.name,
                                  .line = game.trouble_line,
                                  .game = game.number,
                                  .what = game.trouble});
    }
    if (!game.note.empty())
        listener_.trouble({.file = file.name,
                           .line = game.line,
                           .game = game.number,
                           .what = game.note,
                           .left_out = false});
    if (!has_player_ && !(has_player_ = has_player(game, options_.player)))
        for (const std::string& name : {game.white, game.black})
            players_.add(name);
    const bool wanted = is_wanted(game, options_);
    if (wanted && options_.evals)
        evals_.add(game, options_, files_.size());
    const bool keep_all = options_.duplicates == Duplicates::Keep;
    const std::int64_t hash = wanted && !keep_all ? game_hash(game, options_.duplicates) : 0;
    if (!wanted) {
        ++report_.filtered;
    } else if (own_.size() > 0 && static_cast<int>(game.moves.size()) >= MinOwnPlies &&
               game.outcome != Outcome::Unknown &&
               own_.contains(content_hash(game.start, game.moves, white_score(game.outcome)))) {
        ++report_.own;
    } else if (!keep_all && is_duplicate(game, hash)) {
        ++report_.duplicates;
    } else {
        add_moves(game, hash);
        ++report_.imported;
    }
}

void Importer::Impl::read_games(PgnReader& reader, const GamesFile& file) {
    PgnGame game;
    for (;;) {
        if (report_.games % GamesBetweenReports == GamesBetweenReports - 1 &&
            !listener_.go_on(report_))
            return stop();
        if (!reader.next(game))
            return;
        ++report_.games;
        handle(game, file);
    }
}

void Importer::Impl::read(const GamesFile& file, std::int64_t known_bytes) {
    PgnReader reader(file.read, file.trouble);
    const std::int64_t first_game = report_.imported;
    const auto say = [&](std::string what, std::int64_t line = 0) {
        listener_.trouble(
            {.file = file.name, .line = line, .what = std::move(what), .left_out = false});
    };
    reader.skip(known_bytes);
    if (options_.evals || !options_.endings.empty())
        reader.keep_comments();
    if (known_bytes > 0)
        say(about_known(known_bytes), reader.lines_read());
    const std::int64_t games_before = report_.games;
    read_games(reader, file);
    report_.known_files += known_bytes > 0 ? 1 : 0;
    if (known_bytes > 0 && report_.games == games_before && !reader.lost_text())
        return;
    if (report_.stopped)
        say("stopped at this line", reader.lines_read());
    for (TextRemark& r : reader.remarks())
        listener_.trouble(
            {.file = file.name, .line = r.line, .what = std::move(r.what), .left_out = r.lost});
    if (reader.lost_text() && reader.bytes_read() == known_bytes)  // no further whole game
        return;
    files_.push_back({.source = {.id = 0,
                                 .kind = "pgn",
                                 .name = file.name,
                                 .digest = reader.fingerprint(),
                                 .bytes = reader.bytes_read(),
                                 .added = seconds_now(),
                                 .games = report_.imported - first_game,
                                 .moves = 0,
                                 .settings = settings_text(options_)},
                      .first_game = first_game});
}

// Corrects the counts for an imported game that turned out to be a duplicate.
void Importer::Impl::drop_duplicate(std::uint64_t game) {
    if (duplicates_.empty())
        duplicates_.resize(static_cast<std::size_t>(report_.imported));
    duplicates_[game] = true;
    const auto next_file = std::upper_bound(
        files_.begin(), files_.end(), game, [](std::uint64_t number, const ReadFile& file) {
            return number < static_cast<std::uint64_t>(file.first_game);
        });
    --std::prev(next_file)->source.games;
    --report_.imported;
    ++report_.duplicates;
}

void Importer::Impl::store_hashes() {
    std::vector<std::int64_t> batch;
    const auto flush = [&] {
        store_.games.add_imported(batch);
        batch.clear();
    };
    hashes_.merge([&](std::int64_t hash, std::uint64_t game, bool is_duplicate) {
        if (is_duplicate || (ask_book_ && store_.games.was_imported(hash)))
            return drop_duplicate(game);
        batch.push_back(hash);
        if (batch.size() == BatchSize)
            flush();
    });
    flush();
}

void Importer::Impl::store_edges() {
    const bool all_new = !store_.positions.has_edges();
    std::vector<KeyedEdge> batch;
    batch.reserve(BatchSize);
    const auto flush = [&] {
        store_.positions.add_edges(batch, all_new);
        batch.clear();
    };
    sorter_.merge(
        [&](const KeyedEdge& e) {
            if (e.edge.games() < options_.min_games)
                return;
            report_.moves += e.edge.games();
            ++report_.rows;
            batch.push_back(e);
            if (batch.size() < BatchSize)
                return;
            flush();
            // Keys are random numbers and come in order from -2^63 to 2^63.
            listener_.storing(std::ldexp(static_cast<double>(to_sql(e.key)), -64) + 0.5);
        },
        duplicates_);
    flush();
}

void Importer::Impl::store() {
    using Synchronous = Database::Synchronous;
    store_.db.set_synchronous(Synchronous::Normal);
    try {
        store_all();
    } catch (...) {  // a second error must not replace the first
        [[maybe_unused]] const Result<void> restored =
            guarded([&] { store_.db.set_synchronous(Synchronous::Full); });
        throw;
    }
    store_.db.set_synchronous(Synchronous::Full);
}

void Importer::Impl::store_all() {
    Transaction transaction(store_.db);
    store_hashes();
    store_edges();
    store_files();
    // Imported games are the prior of positions of own games.
    if (!store_.games.empty())
        rebuild_derived(store_);
    transaction.commit();
}

// Equal moves were added up over all files. With min_games only their sum is known, so the last
// source with games counts the moves of all; else the kept games give them.
void Importer::Impl::store_files() {
    std::vector<std::int64_t> moves(files_.size(), 0), ids;
    std::vector<std::pair<std::size_t, std::string>> blocks;
    kept_.take(duplicates_, [&](std::size_t file, const std::string& block, std::int64_t count) {
        blocks.emplace_back(file, block);
        moves[file] += count;
    });
    report_.kept = !kept_.gave_up();
    if (!report_.kept || options_.min_games > 1) {
        std::fill(moves.begin(), moves.end(), 0);
        std::size_t last = files_.size() - 1;
        while (last > 0 && files_[last].source.games == 0)
            --last;
        moves[last] = report_.moves;
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
        Source& source = files_[i].source;
        source.moves = moves[i];
        source.with_previous = i > 0 && options_.min_games > 1;
        ids.push_back(store_.games.add_source(source));
    }
    for (const auto& [file, block] : blocks)
        store_.games.keep(ids[file], block);
    report_.evals = evals_.store(store_, ids);
    if (report_.imported > 0 || report_.evals > 0)  // else there is nothing to undo
        add_import(store_.db, store_.clock(), files_.front().source.name, ids);
}

ImportReport Importer::Impl::finish() {
    if (report_.stopped && options_.min_games > 1)
        throw Failure(fmt::format("stopped before all games were read, so it is not known which "
                                  "moves have {} games",
                                  options_.min_games));
    if (!has_player_ && report_.games > 0 && report_.known_files == 0 && !report_.stopped)
        throw Failure(fmt::format("no game of \"{}\"{}",
                                  options_.player,
                                  suggestion_text(players_.similar({options_.player}))));
    if (!files_.empty())
        store();
    return report_;
}

Importer::Importer(Store& store,
                   const std::filesystem::path& book,
                   ImportOptions options,
                   ImportListener listener)
    : impl_(std::make_unique<Impl>(store, book, std::move(options), std::move(listener))) {}
Importer::~Importer() = default;

std::int64_t Importer::known_bytes(const GamesFile& file) const {
    return impl_->known_bytes(file);
}
void Importer::read(const GamesFile& file, std::int64_t known_bytes) {
    impl_->read(file, known_bytes);
}
void Importer::stop() {
    impl_->stop();
}
ImportReport Importer::finish() {
    return impl_->finish();
}

}  // namespace book
