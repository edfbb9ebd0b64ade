#include "book/import.h"

#include "book/learn.h"
#include "book/sorter.h"

#include <algorithm>
#include <chrono>

#include <fcntl.h>

namespace book {
namespace {

constexpr std::size_t MostInMemory = std::size_t{1} << 22;  // hashes of games
constexpr std::int64_t MostSpilled = std::int64_t{16}
                                     << 30;  // bytes of temporary files before storing
constexpr std::int64_t GamesBetweenReports = 1024;
constexpr int OwnGamePlies = 16;  // shorter games may be equal by chance

// A set of hashes in one block of memory.
class HashSet {
  public:
    HashSet() : slots_(1 << 12, 0) {}
    // True if it was not there.
    bool insert(std::int64_t hash) {
        if (hash == 0)
            return !std::exchange(zero_, true);
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
        return hash == 0 ? zero_ : find(hash) == hash;
    }
    [[nodiscard]] std::size_t size() const { return size_; }

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
    bool zero_ = false;
};

// yyyymmdd of "2021.07.20", with zeros for what is unknown.
int date_number(std::string_view date) {
    int number = 0, digits = 0;
    for (const char c : date) {
        if (c == '.' || c == '-' || c == '/')
            continue;
        if (digits == 8)
            break;
        number = 10 * number + ('0' <= c && c <= '9' ? c - '0' : 0);
        ++digits;
    }
    for (; digits < 8; ++digits)
        number *= 10;
    return number;
}

char lowered(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// Letters of the surname in lower case: what stands before a comma, a space or a full stop.
void add_surname(std::string& text, std::string_view name) {
    for (const char c : name) {
        if ((c == ',' || c == ' ' || c == '.' || c == '(') && text.back() != '\n')
            break;
        text += lowered(c);
    }
    text += '\n';
}

bool contains_folded(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lowered(a) == lowered(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

double white_score(Outcome outcome) {
    return outcome == Outcome::White ? 1 : outcome == Outcome::Black ? 0 : 0.5;
}

const char* text_of(Outcome outcome) {
    switch (outcome) {
    case Outcome::White:
        return "1-0";
    case Outcome::Draw:
        return "1/2-1/2";
    case Outcome::Black:
        return "0-1";
    case Outcome::Unknown:
        break;
    }
    return "*";
}

std::string settings_of(const ImportOptions& o) {
    std::string text = "plies " + std::to_string(o.min_ply) + "-" + std::to_string(o.max_ply);
    if (o.min_games > 1)
        text += ", at least " + std::to_string(o.min_games) + " games";
    if (o.min_rating > 0)
        text += ", rating " + std::to_string(o.min_rating);
    if (o.from_date > 0 || o.to_date > 0)
        text += ", dates " + std::to_string(o.from_date) + "-" + std::to_string(o.to_date);
    if (!o.results.empty())
        text += ", results " + o.results;
    if (!o.player.empty())
        text += ", player " + o.player;
    if (!o.eco.empty())
        text += ", ECO " + o.eco;
    return text;
}

}  // namespace

std::int64_t game_identity(const PgnGame& game, Duplicates by) {
    Digest digest;
    const Key start = game.start.key();
    digest.add(std::as_bytes(std::span(&start, 1)));
    digest.add(std::as_bytes(std::span(game.moves)));
    std::string text = "\n";
    text += static_cast<char>('0' + static_cast<int>(game.outcome));
    if (by == Duplicates::ByGame) {
        text += '\n';
        add_surname(text, game.white);
        add_surname(text, game.black);
        text += game.date + '\n' + game.round + '\n' + game.utc_date + game.utc_time;
    }
    digest.add(text);
    return static_cast<std::int64_t>(digest.finish_word());
}

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
        ask_book_ = *known > static_cast<std::int64_t>(MostInMemory / 2);
        if (ask_book_ || *known == 0)
            return {};
        return store_.games->each_imported([this](std::int64_t hash) { seen_.insert(hash); });
    }

    Result<void> read(const GamesFile& file);
    Result<ImportReport> finish() {
        if (const Result<void> stored = store(); !stored)
            return tl::unexpected<Error>(stored.error());
        return report_;
    }

  private:
    Result<bool> is_new(const PgnGame& game);
    [[nodiscard]] bool is_wanted(const PgnGame& game) const;
    Result<void> take(const PgnGame& game);
    Result<void> store();
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
    bool ask_book_ = false;  // hashes of earlier imports are only in the book
    std::int64_t stored_moves_ = 0;
};

bool Importer::Work::is_wanted(const PgnGame& g) const {
    const ImportOptions& o = options_;
    if (static_cast<int>(g.moves.size()) < o.min_plies)
        return false;
    if (o.min_rating > 0 && std::min(g.white_rating, g.black_rating) < o.min_rating)
        return false;
    if (o.from_date > 0 || o.to_date > 0) {
        const int date = date_number(g.utc_date.empty() ? g.date : g.utc_date);
        if (date < o.from_date || (o.to_date > 0 && date > o.to_date) || date == 0)
            return false;
    }
    if (!o.results.empty() &&
        ("," + o.results + ",").find(std::string(",") + text_of(g.outcome) + ",") ==
            std::string::npos)
        return false;
    if (!o.player.empty() && !contains_folded(g.white, o.player) &&
        !contains_folded(g.black, o.player))
        return false;
    return o.eco.empty() || g.eco.starts_with(o.eco);
}

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

Result<void> Importer::Work::read(const GamesFile& file) {
    const std::int64_t imported_before = report_.imported;
    PgnReader reader(file.read);
    PgnGame game;
    while (reader.next(game)) {
        ++report_.games;
        if (report_.games % GamesBetweenReports == 0 && !listener_.go_on(report_)) {
            report_.stopped = true;
            break;
        }
        if (!game.trouble.empty()) {
            ++report_.bad;
            listener_.trouble({.file = file.name,
                               .line = game.trouble_line,
                               .game = game.number,
                               .what = game.trouble});
            continue;
        }
        if (!game.note.empty())
            listener_.trouble({.file = file.name,
                               .line = game.line,
                               .game = game.number,
                               .what = game.note,
                               .left_out = false});
        if (!is_wanted(game)) {
            ++report_.filtered;
            continue;
        }
        if (own_.size() > 0 && static_cast<int>(game.moves.size()) >= OwnGamePlies &&
            game.outcome != Outcome::Unknown &&
            own_.contains(content_hash(game.start, game.moves, white_score(game.outcome)))) {
            ++report_.own;
            continue;
        }
        const Result<bool> fresh = is_new(game);
        if (!fresh)
            return tl::unexpected<Error>(fresh.error());
        if (!*fresh) {
            ++report_.duplicates;
            continue;
        }
        ++report_.imported;
        if (const Result<void> taken = take(game); !taken)
            return taken;
        if (new_hashes_.size() > MostInMemory || sorter_.spilled_bytes() > MostSpilled)
            if (const Result<void> stored = store(); !stored)
                return stored;
    }
    report_.other_lines += reader.other_lines();
    if (reader.other_lines() > 0)
        listener_.trouble(
            {.file = file.name,
             .line = 0,
             .game = 0,
             .what = std::to_string(reader.other_lines()) + " lines are no games and were skipped",
             .left_out = false});
    if (!file.trouble->empty())
        listener_.trouble(
            {.file = file.name, .line = 0, .game = reader.games() + 1, .what = *file.trouble});
    using std::chrono::system_clock;
    sources_.push_back({.id = 0,
                        .kind = "pgn",
                        .name = file.name,
                        .digest = "",
                        .bytes = file.size,
                        .added = system_clock::to_time_t(system_clock::now()),
                        .games = report_.imported - imported_before,
                        .moves = 0,
                        .settings = settings_of(options_)});
    return {};
}

Result<void> Importer::Work::store_edges() {
    const Result<bool> there = store_.tree->has_edges();
    if (!there)
        return tl::unexpected<Error>(there.error());
    constexpr std::size_t AtOnce = 4096;
    std::vector<KeyedEdge> batch;
    batch.reserve(AtOnce);
    const auto flush = [&]() -> Result<void> {
        const Result<void> added = store_.tree->add_edges(batch, !*there);
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
    if (new_hashes_.empty() && sources_.empty())
        return {};
    Database& db = *store_.db;
    if (const Result<void> relaxed = db.relax(true); !relaxed)
        return relaxed;
    Result<std::optional<Transaction>> transaction = Transaction::begin(db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    if (!*transaction)
        return fail("another program is writing to the book");
    stored_moves_ = 0;
    if (const Result<void> stored = store_edges(); !stored)
        return stored;
    std::sort(new_hashes_.begin(), new_hashes_.end());
    if (const Result<void> stored = store_.games->set_imported(new_hashes_); !stored)
        return stored;
    // A source's moves are only known of all files together: the last one carries them.
    if (sources_.empty())
        sources_.push_back(
            {.kind = "pgn", .name = "(unfinished)", .settings = settings_of(options_)});
    sources_.back().moves = stored_moves_;
    for (const Source& source : sources_)
        if (const Result<void> stored = store_.games->add_source(source); !stored)
            return stored;
    // Imported games are the prior of our own positions.
    const Result<Games::Counts> own = store_.games->counts();
    if (!own)
        return tl::unexpected<Error>(own.error());
    if (own->games > 0)
        if (const Result<void> made = make_anew(store_); !made)
            return made;
    if (const Result<void> committed = (*transaction)->commit(); !committed)
        return committed;
    ask_book_ = ask_book_ || new_hashes_.size() > MostInMemory;
    if (ask_book_)
        seen_ = HashSet();
    new_hashes_.clear();
    sources_.clear();
    return db.relax(false);
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

Result<void> Importer::read(const GamesFile& file) {
    return work_->read(file);
}
Result<ImportReport> Importer::finish() {
    return work_->finish();
}

}  // namespace book
