#include "book/import/importer.h"

#include "book/import/sorter.h"
#include "book/learn/learn.h"
#include "book/store/failure.h"
#include "book/store/locked_file.h"

#include <algorithm>

#include <fcntl.h>
#include <fmt/format.h>

namespace book {
namespace {

constexpr std::size_t MaxHashesInMemory = std::size_t{1} << 21;  // of games
constexpr std::int64_t MaxSpilledBytes = std::int64_t{16} << 30;
constexpr std::int64_t GamesBetweenReports = 1024;
constexpr int MinOwnPlies = 16;          // shorter games may equal own ones by chance
constexpr std::size_t BatchSize = 1024;  // edges

double white_score(Outcome outcome) {
    return outcome == Outcome::White ? 1 : outcome == Outcome::Black ? 0 : 0.5;
}

// A set of hashes with open addressing in one block of memory: 8 to 16 bytes each.
class HashSet {
  public:
    HashSet() : slots_(1 << 12, 0) {}
    // True if it was not there.
    bool insert(std::int64_t hash) {
        if (hash == 0)
            return !std::exchange(has_zero_, true);
        if (2 * (size_ + 1) > slots_.size())
            grow();
        std::int64_t& slot = find(hash);
        if (slot == hash)
            return false;
        slot = hash;
        ++size_;
        return true;
    }
    [[nodiscard]] bool contains(std::int64_t hash) {
        return hash == 0 ? has_zero_ : find(hash) == hash;
    }
    [[nodiscard]] bool empty() const { return size_ == 0 && !has_zero_; }

  private:
    std::int64_t& find(std::int64_t hash) {
        std::size_t i = static_cast<std::size_t>(hash) & (slots_.size() - 1);
        while (slots_[i] != 0 && slots_[i] != hash)
            i = (i + 1) & (slots_.size() - 1);
        return slots_[i];
    }
    void grow() {
        std::vector<std::int64_t> old(2 * slots_.size(), 0);
        old.swap(slots_);
        for (const std::int64_t hash : old)
            if (hash != 0)
                find(hash) = hash;
    }
    std::vector<std::int64_t> slots_;
    std::size_t size_ = 0;
    bool has_zero_ = false;
};

std::optional<LockedFile> lock_imports(const std::filesystem::path& book) {
    if (book == ":memory:")
        return std::nullopt;
    std::filesystem::path file = book;
    LockedFile lock(file += ".import", O_RDWR | O_CREAT);
    if (!lock.is_open())
        throw Failure("book \"" + book.string() + "\" cannot be written");
    return lock;
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
    ImportReport finish() {
        store();
        return report_;
    }

  private:
    // A file that is being read. `imported_before`: games imported when its last source was added.
    struct OpenFile {
        const GamesFile& file;
        PgnReader reader;
        std::int64_t imported_before = 0;
    };
    void load_known_texts();
    void load_hashes();
    void read_games(OpenFile& file);
    void handle(const PgnGame& game, const GamesFile& file);
    bool is_new(const PgnGame& game);
    void add_moves(const PgnGame& game);
    void add_source(OpenFile& file);
    void store();
    void store_all();
    void store_edges();

    Store& store_;
    std::optional<LockedFile> lock_;
    ImportOptions options_;
    ImportListener listener_;
    ImportReport report_;
    Sorter sorter_;
    HashSet seen_, own_;
    std::vector<std::int64_t> new_hashes_;
    std::vector<Source> sources_;
    std::vector<Source> known_texts_;  // beginnings of files, imported with the same options
    bool ask_book_ = false;            // hashes of earlier imports are only in the book
    std::int64_t stored_moves_ = 0;
};

Importer::Impl::Impl(Store& store,
                     const std::filesystem::path& book,
                     ImportOptions options,
                     ImportListener listener)
    : store_(store), lock_(lock_imports(book)), options_(std::move(options)),
      listener_(std::move(listener)),
      sorter_(options_.memory,
              options_.folder.empty() ? std::filesystem::temp_directory_path() : options_.folder) {
    load_known_texts();
    load_hashes();
}

void Importer::Impl::load_hashes() {
    for (const std::int64_t hash : store_.games.content_hashes())
        own_.insert(hash);
    const std::int64_t known = store_.games.count_imported();
    ask_book_ = known > static_cast<std::int64_t>(MaxHashesInMemory / 2);
    if (!ask_book_ && known > 0)
        store_.games.each_imported([this](std::int64_t hash) { seen_.insert(hash); });
}

void Importer::Impl::load_known_texts() {
    if (options_.again)
        return;
    const std::string settings = settings_text(options_);
    for (Source& source : store_.games.sources())
        if (source.kind == "pgn" && !source.digest.empty() && source.settings == settings)
            known_texts_.push_back(std::move(source));
    std::sort(known_texts_.begin(), known_texts_.end(), [](const Source& a, const Source& b) {
        return a.bytes < b.bytes;
    });
}

// Every earlier import left the length and the fingerprint of the text it read. The longest that
// fits counts, so that a file that has grown is read from there.
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

bool Importer::Impl::is_new(const PgnGame& game) {
    if (options_.duplicates == Duplicates::Keep)
        return true;
    const std::int64_t hash = game_hash(game, options_.duplicates);
    if ((ask_book_ && store_.games.was_imported(hash)) || !seen_.insert(hash))
        return false;
    new_hashes_.push_back(hash);
    return true;
}

void Importer::Impl::add_moves(const PgnGame& game) {
    const int year = date_number(game.date) / 10'000;
    const auto last = std::min(game.moves.size(), static_cast<std::size_t>(options_.max_ply));
    const auto is_taken = [&](const std::string& name, Outcome win) {
        return (!options_.player_only || contains_ignoring_case(name, options_.player)) &&
               (!options_.winner_only || game.outcome == win);
    };
    const bool white_is_taken = is_taken(game.white, Outcome::White);
    const bool black_is_taken = is_taken(game.black, Outcome::Black);
    Color side = game.start.side_to_move();
    for (std::size_t ply = 0; ply < last; ++ply, side = ~side) {
        const bool white = side == engine::White;
        if (static_cast<int>(ply) >= options_.min_ply && (white ? white_is_taken : black_is_taken))
            sorter_.add({.key = game.keys[ply],
                         .move = book::store(game.moves[ply], side),
                         .outcome = game.outcome,
                         .rating = std::min(white ? game.white_rating : game.black_rating, 4095),
                         .year = year});
    }
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
    if (!is_wanted(game, options_)) {
        ++report_.filtered;
    } else if (!own_.empty() && static_cast<int>(game.moves.size()) >= MinOwnPlies &&
               game.outcome != Outcome::Unknown &&
               own_.contains(content_hash(game.start, game.moves, white_score(game.outcome)))) {
        ++report_.own;
    } else if (!is_new(game)) {
        ++report_.duplicates;
    } else {
        ++report_.imported;
        add_moves(game);
    }
}

void Importer::Impl::read_games(OpenFile& file) {
    PgnGame game;
    for (;;) {
        if (report_.games % GamesBetweenReports == GamesBetweenReports - 1 &&
            !listener_.go_on(report_)) {
            report_.stopped = true;
            return;
        }
        if (!file.reader.next(game))
            return;
        ++report_.games;
        handle(game, file.file);
        if (new_hashes_.size() > MaxHashesInMemory || sorter_.spilled_bytes() > MaxSpilledBytes) {
            add_source(file);
            store();
        }
    }
}

void Importer::Impl::add_source(OpenFile& file) {
    sources_.push_back({.id = 0,
                        .kind = "pgn",
                        .name = file.file.name,
                        .digest = file.reader.fingerprint(),
                        .bytes = file.reader.bytes_read(),
                        .added = seconds_now(),
                        .games = report_.imported - file.imported_before,
                        .moves = 0,
                        .settings = settings_text(options_)});
    file.imported_before = report_.imported;
}

void Importer::Impl::read(const GamesFile& file, std::int64_t known_bytes) {
    OpenFile open{.file = file,
                  .reader = PgnReader(file.read, file.trouble),
                  .imported_before = report_.imported};
    PgnReader& reader = open.reader;
    const auto say = [&](std::string what, std::int64_t line = 0) {
        listener_.trouble(
            {.file = file.name, .line = line, .what = std::move(what), .left_out = false});
    };
    reader.skip(known_bytes);
    if (known_bytes > 0)
        say("imported before up to this line", reader.lines_read());
    const std::int64_t games_before = report_.games;
    read_games(open);
    report_.known_files += known_bytes > 0 ? 1 : 0;
    if (known_bytes > 0 && report_.games == games_before && !reader.lost_text())
        return;
    if (report_.stopped)
        say("stopped at this line", reader.lines_read());
    report_.other_lines += reader.other_lines();
    for (TextRemark& r : reader.remarks())
        listener_.trouble(
            {.file = file.name, .line = r.line, .what = std::move(r.what), .left_out = r.lost});
    add_source(open);
}

void Importer::Impl::store_edges() {
    const bool table_is_empty = !store_.positions.has_edges();
    std::vector<KeyedEdge> batch;
    batch.reserve(BatchSize);
    const auto flush = [&] {
        store_.positions.add_edges(batch, table_is_empty);
        batch.clear();
    };
    sorter_.merge([&](const KeyedEdge& e) {
        if (e.edge.games() < options_.min_games)
            return;
        stored_moves_ += e.edge.games();
        report_.moves += e.edge.games();
        ++report_.rows;
        batch.push_back(e);
        if (batch.size() == BatchSize)
            flush();
    });
    flush();
}

void Importer::Impl::store() {
    if (sources_.empty())
        return;
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
    stored_moves_ = 0;
    store_edges();
    std::sort(new_hashes_.begin(), new_hashes_.end());
    store_.games.add_imported(new_hashes_);
    // Equal moves were added up over all files, so the last source counts the moves of all.
    sources_.back().moves = stored_moves_;
    for (const Source& source : sources_)
        store_.games.add_source(source);
    // Imported games are the prior of positions of own games.
    if (store_.games.counts().games > 0)
        rebuild_derived(store_);
    transaction.commit();
    ask_book_ = ask_book_ || new_hashes_.size() > MaxHashesInMemory;
    if (ask_book_)
        seen_ = HashSet();
    new_hashes_.clear();
    sources_.clear();
}

Importer::Importer(Store& store,
                   const std::filesystem::path& book,
                   ImportOptions options,
                   ImportListener listener)
    : impl_(std::make_unique<Impl>(store, book, std::move(options), std::move(listener))) {}
Importer::Importer(Importer&&) noexcept = default;
Importer::~Importer() = default;

std::int64_t Importer::known_bytes(const GamesFile& file) const {
    return impl_->known_bytes(file);
}
void Importer::read(const GamesFile& file, std::int64_t known_bytes) {
    impl_->read(file, known_bytes);
}
ImportReport Importer::finish() {
    return impl_->finish();
}

}  // namespace book
