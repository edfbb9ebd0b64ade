#include "book/import/importer.h"

#include "book/import/hash_set.h"
#include "book/import/sorter.h"
#include "book/learn/learn.h"

#include <algorithm>
#include <chrono>

#include <fcntl.h>

namespace book {
namespace {

constexpr std::size_t MostInMemory = std::size_t{1} << 21;  // hashes of games
constexpr std::int64_t MostSpilled = std::int64_t{16}
                                     << 30;  // bytes of temporary files before storing
constexpr std::int64_t GamesBetweenReports = 1024;
constexpr int OwnGamePlies = 16;  // shorter games may be equal by chance

double white_score(Outcome outcome) {
    return outcome == Outcome::White ? 1 : outcome == Outcome::Black ? 0 : 0.5;
}

}  // namespace

class Importer::Work {
  public:
    Work(Store& store,
         std::optional<LockedFile> lock,
         ImportOptions options,
         ImportListener listener)
        : store_(store), lock_(std::move(lock)), options_(std::move(options)),
          listener_(std::move(listener)),
          sorter_(options_.memory,
                  options_.folder.empty() ? std::filesystem::temp_directory_path()
                                          : options_.folder) {}

    Result<void> prepare() {
        const Result<std::int64_t> known = store_.games->count_imported();
        const Result<std::vector<std::int64_t>> own = store_.games->contents();
        if (!known || !own)
            return tl::unexpected<Error>(!known ? known.error() : own.error());
        for (const std::int64_t hash : *own)
            own_.insert(hash);
        if (const Result<void> loaded = load_known_texts(); !loaded)
            return loaded;
        ask_book_ = *known > static_cast<std::int64_t>(MostInMemory / 2);
        if (ask_book_ || *known == 0)
            return {};
        return store_.games->each_imported([this](std::int64_t hash) { seen_.insert(hash); });
    }

    Result<std::int64_t> known_bytes(const GamesFile& file) const;
    Result<void> read(const GamesFile& file, std::int64_t known);
    Result<ImportReport> finish() {
        if (const Result<void> stored = store(); !stored)
            return tl::unexpected<Error>(stored.error());
        return report_;
    }

  private:
    // Of a file: read up to here, and not yet among the sources.
    struct Reading {
        const GamesFile& file;
        PgnReader reader;
        std::int64_t imported_before = 0;
    };
    Result<void> load_known_texts();
    Result<void> read_games(Reading& reading);
    Result<void> handle(const PgnGame& game, const GamesFile& file);
    Result<bool> is_new(const PgnGame& game);
    Result<void> take(const PgnGame& game);
    void add_source(Reading& reading);
    Result<void> store();
    Result<void> store_all();
    Result<void> store_edges();

    Store& store_;
    std::optional<LockedFile> lock_;
    ImportOptions options_;
    ImportListener listener_;
    ImportReport report_;
    Sorter sorter_;
    HashSet seen_, own_;
    std::vector<std::int64_t> new_hashes_;
    std::vector<Source> sources_;
    std::vector<Source> known_;  // beginnings of files that were taken in with the same options
    bool ask_book_ = false;      // hashes of earlier imports are only in the book
    std::int64_t stored_moves_ = 0;
};

Result<bool> Importer::Work::is_new(const PgnGame& game) {
    if (options_.duplicates == Duplicates::Keep)
        return true;
    const std::int64_t hash = game_identity(game, options_.duplicates);
    if (ask_book_) {
        const Result<bool> known = store_.games->was_imported(hash);
        if (!known || *known)
            return known ? Result<bool>(false) : known;
    }
    if (!seen_.insert(hash))
        return false;
    new_hashes_.push_back(hash);
    return true;
}

Result<void> Importer::Work::take(const PgnGame& g) {
    const int year = date_number(g.date) / 10'000;
    const auto last = std::min(g.moves.size(), static_cast<std::size_t>(options_.max_ply));
    const bool white_is_player = options_.player_only && contains_folded(g.white, options_.player);
    const bool black_is_player = options_.player_only && contains_folded(g.black, options_.player);
    Color side = g.start.side_to_move();
    for (std::size_t ply = 0; ply < last; ++ply, side = ~side) {
        const bool white = side == engine::White;
        if (static_cast<int>(ply) < options_.min_ply ||
            (options_.player_only && !(white ? white_is_player : black_is_player)) ||
            (options_.winner_only && g.outcome != (white ? Outcome::White : Outcome::Black)))
            continue;
        const Result<void> added =
            sorter_.add({.key = g.keys[ply],
                         .move = book::store(g.moves[ply], side),
                         .outcome = g.outcome,
                         .rating = std::min(white ? g.white_rating : g.black_rating, 4095),
                         .year = year});
        if (!added)
            return added;
    }
    return {};
}

Result<void> Importer::Work::load_known_texts() {
    if (options_.again)
        return {};
    Result<std::vector<Source>> sources = store_.games->sources();
    if (!sources)
        return tl::unexpected<Error>(sources.error());
    const std::string settings = settings_of(options_);
    for (Source& source : *sources)
        if (source.kind == "pgn" && !source.digest.empty() && source.settings == settings)
            known_.push_back(std::move(source));
    std::sort(known_.begin(), known_.end(), [](const Source& a, const Source& b) {
        return a.bytes < b.bytes;
    });
    return {};
}

// Reads the file as far as earlier imports may have: each left the length and the fingerprint of
// what it took. The longest that fits counts, so that a file that has grown goes on, too.
Result<std::int64_t> Importer::Work::known_bytes(const GamesFile& file) const {
    std::int64_t found = 0;
    std::optional<PgnReader> reader;
    if (file.size == 0)  // a pipe can be read but once
        return 0;
    for (const Source& source : known_) {
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

Result<void> Importer::Work::handle(const PgnGame& game, const GamesFile& file) {
    if (!game.trouble.empty()) {
        ++report_.bad;
        listener_.trouble({.file = file.name,
                           .line = game.trouble_line,
                           .game = game.number,
                           .what = game.trouble});
        return {};
    }
    if (!game.note.empty())
        listener_.trouble({.file = file.name,
                           .line = game.line,
                           .game = game.number,
                           .what = game.note,
                           .left_out = false});
    if (!is_wanted(game, options_)) {
        ++report_.filtered;
        return {};
    }
    if (own_.size() > 0 && static_cast<int>(game.moves.size()) >= OwnGamePlies &&
        game.outcome != Outcome::Unknown &&
        own_.contains(content_hash(game.start, game.moves, white_score(game.outcome)))) {
        ++report_.own;
        return {};
    }
    const Result<bool> fresh = is_new(game);
    if (!fresh)
        return tl::unexpected<Error>(fresh.error());
    if (!*fresh) {
        ++report_.duplicates;
        return {};
    }
    ++report_.imported;
    return take(game);
}

Result<void> Importer::Work::read_games(Reading& reading) {
    PgnGame game;
    for (;;) {
        if (report_.games % GamesBetweenReports == GamesBetweenReports - 1 &&
            !listener_.go_on(report_)) {
            report_.stopped = true;
            return {};
        }
        if (!reading.reader.next(game))
            return {};
        ++report_.games;
        if (const Result<void> handled = handle(game, reading.file); !handled)
            return handled;
        if (new_hashes_.size() > MostInMemory || sorter_.spilled_bytes() > MostSpilled) {
            add_source(reading);
            if (const Result<void> stored = store(); !stored)
                return stored;
        }
    }
}

void Importer::Work::add_source(Reading& reading) {
    using std::chrono::system_clock;
    sources_.push_back({.id = 0,
                        .kind = "pgn",
                        .name = reading.file.name,
                        .digest = reading.reader.fingerprint(),
                        .bytes = reading.reader.bytes_read(),
                        .added = system_clock::to_time_t(system_clock::now()),
                        .games = report_.imported - reading.imported_before,
                        .moves = 0,
                        .settings = settings_of(options_)});
    reading.imported_before = report_.imported;
}

Result<void> Importer::Work::read(const GamesFile& file, std::int64_t known) {
    Reading reading{
        .file = file, .reader = PgnReader(file.read), .imported_before = report_.imported};
    PgnReader& reader = reading.reader;
    const auto tell = [&](std::string what, std::int64_t line = 0) {
        listener_.trouble(
            {.file = file.name, .line = line, .what = std::move(what), .left_out = false});
    };
    reader.skip(known);
    if (known > 0)
        tell("taken in before up to here", reader.lines_read());
    const std::int64_t games_before = report_.games;
    if (const Result<void> read = read_games(reading); !read)
        return read;
    report_.known_files += known > 0 ? 1 : 0;
    if (known > 0 && report_.games == games_before)
        return {};
    if (report_.stopped)
        tell("stopped here", reader.lines_read());
    report_.other_lines += reader.other_lines();
    if (reader.other_lines() > 0)
        tell(std::to_string(reader.other_lines()) + " lines are no games and were skipped");
    if (!file.trouble->empty())
        listener_.trouble(
            {.file = file.name, .line = 0, .game = reader.games() + 1, .what = *file.trouble});
    add_source(reading);
    return {};
}

Result<void> Importer::Work::store_edges() {
    const Result<bool> there = store_.positions->has_edges();
    if (!there)
        return tl::unexpected<Error>(there.error());
    constexpr std::size_t AtOnce = 1024;
    std::vector<KeyedEdge> batch;
    batch.reserve(AtOnce);
    const auto flush = [&]() -> Result<void> {
        const Result<void> added = store_.positions->add_edges(batch, !*there);
        batch.clear();
        return added;
    };
    const Result<void> merged = sorter_.merge([&](const KeyedEdge& e) -> Result<void> {
        if (e.edge.games() < options_.min_games)
            return {};
        stored_moves_ += e.edge.games();
        report_.moves += e.edge.games();
        ++report_.rows;
        batch.push_back(e);
        return batch.size() == AtOnce ? flush() : Result<void>();
    });
    return merged ? flush() : merged;
}

Result<void> Importer::Work::store() {
    if (sources_.empty())
        return {};
    if (const Result<void> relaxed = store_.db->relax(true); !relaxed)
        return relaxed;
    const Result<void> stored = store_all();
    const Result<void> strict = store_.db->relax(false);
    return stored ? strict : stored;
}

Result<void> Importer::Work::store_all() {
    Result<Transaction> transaction = begin_writing(*store_.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    stored_moves_ = 0;
    if (const Result<void> stored = store_edges(); !stored)
        return stored;
    std::sort(new_hashes_.begin(), new_hashes_.end());
    if (const Result<void> stored = store_.games->set_imported(new_hashes_); !stored)
        return stored;
    // A source's moves are only known of all files together: the last one carries them.
    sources_.back().moves = stored_moves_;
    for (const Source& source : sources_)
        if (const Result<void> stored = store_.games->add_source(source); !stored)
            return stored;
    // Imported games are the prior of our own positions.
    const Result<Games::Counts> own = store_.games->counts();
    if (!own)
        return tl::unexpected<Error>(own.error());
    if (own->games > 0)
        if (const Result<void> made = rebuild_derived(store_); !made)
            return made;
    if (const Result<void> committed = transaction->commit(); !committed)
        return committed;
    ask_book_ = ask_book_ || new_hashes_.size() > MostInMemory;
    if (ask_book_)
        seen_ = HashSet();
    new_hashes_.clear();
    sources_.clear();
    return {};
}

Result<Importer> Importer::begin(Store& store,
                                 const std::filesystem::path& book,
                                 ImportOptions options,
                                 ImportListener listener) {
    std::optional<LockedFile> lock;
    if (book != ":memory:") {
        std::filesystem::path file = book;
        lock.emplace(file += ".import", O_RDWR | O_CREAT);
        if (!lock->is_open())
            return fail("book \"" + book.string() + "\" cannot be written");
    }
    auto work =
        std::make_unique<Work>(store, std::move(lock), std::move(options), std::move(listener));
    if (const Result<void> ready = work->prepare(); !ready)
        return tl::unexpected<Error>(ready.error());
    return Importer(std::move(work));
}

Importer::Importer(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Importer::Importer(Importer&&) noexcept = default;
Importer::~Importer() = default;

Result<std::int64_t> Importer::known_bytes(const GamesFile& file) const {
    return work_->known_bytes(file);
}
Result<void> Importer::read(const GamesFile& file, std::int64_t known) {
    return work_->read(file, known);
}
Result<ImportReport> Importer::finish() {
    return work_->finish();
}

}  // namespace book
