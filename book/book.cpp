#include "book/book.h"

#include "book/book_files.h"
#include "book/learn/audit.h"
#include "book/places.h"
#include "book/probe/extend.h"
#include "book/probe/learning_report.h"
#include "book/probe/opening_names.h"
#include "book/spools.h"
#include "book/store/failure.h"
#include "book/store/spool.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace book {
namespace {

namespace fs = std::filesystem;
using engine::Game;
using engine::Position;

void check_uid(const GameRecord& game) {
    if (game.uid.empty() || game.uid.size() > MaxUid)
        throw Failure(fmt::format(
            "a game needs a name of 1 to {} bytes to be learned, not \"{}\"", MaxUid, game.uid));
}

Row row_of(const BookMove& move, const Model& model) {
    const auto count = [](double games) { return std::llround(games); };
    return {.move = stored_move(move.move),
            .imported_wins = count(move.imported.wins),
            .imported_draws = count(move.imported.draws),
            .imported_losses = count(move.imported.losses),
            .visits = move.visits + move.exits,
            .value = move.mean,
            .width = move.belief.deviation(model),
            .evidence = move.belief.evidence,
            .flags = move.flags,
            .probability = move.probability};
}

ChoiceTerms terms_of(const ChooseOptions& options, int ply) {
    return {.ply = ply,
            .min_games = options.min_games,
            .match = options.match,
            .variety = options.variety,
            .expected_nodes = options.expected_nodes};
}

class StoredBook final : public Book {
  public:
    StoredBook(OpenOptions options, std::uint64_t seed);
    ~StoredBook() override { learn_waiting(); }
    StoredBook(const StoredBook&) = delete;
    StoredBook& operator=(const StoredBook&) = delete;

    bool read_only() const override { return !files_.learns; }
    std::string notice() const override { return files_.notice; }
    std::string warning() const override;
    Result<std::optional<Chosen>> choose(const Game& game, const ChooseOptions& options) override;
    std::string left_because() const override { return left_because_; }
    TriedMoves tried() const override { return tried_; }
    Result<std::vector<Row>> table(const Position& pos, const ChooseOptions& options) override;
    std::string opening(const Game& game) override {
        return guarded([&] { return (names_ ? *names_ : names_.emplace()).of(game); }).value_or("");
    }
    Result<void> note(const GameRecord& game) override;
    Result<Learned> learn(const GameRecord& record) override;
    Result<std::optional<Work>> next_work(const WorkOptions& options) override {
        return guarded(
            [&] { return read_only() ? std::nullopt : extension().next(options, seconds_now()); });
    }
    Result<void> finish_work(const Work& work,
                             const std::vector<Finding>& findings,
                             const std::string& engine) override {
        return guarded([&] {
            require_writing();
            extension().finish(work, findings, engine, seconds_now());
        });
    }
    Result<void> back_up() override {
        return guarded([&] { back_up_weekly(files_); });
    }
    Result<Stats> stats() override;
    Result<std::vector<std::string>> verify() override {
        return guarded([&] {
            return files_.experience ? book::verify(*files_.experience)
                                     : std::vector<std::string>();
        });
    }
    Result<void> rebuild() override {
        return guarded([&] {
            require_writing();
            book::rebuild(*files_.experience);
        });
    }

  private:
    struct Spent {  // the loss of one choice of this game
        int ply;
        Key key;
        double loss;
    };

    [[nodiscard]] bool keeps_games() const {
        return options_.play_on && !options_.read_only && !files_.unusable.empty();
    }
    void require_writing() const {
        if (read_only())
            throw Failure("the book is read-only");
    }
    bool should_reopen(bool new_game);
    void reopen();
    std::string merge_waiting_games();
    BookQuery query_for(const Position& pos, Color side, const ChooseOptions& options);
    std::optional<Chosen>
    choose_from(Layers layers, const Game& game, const ChooseOptions& options);
    Extension& extension() {
        if (!extension_)
            extension_.emplace(files_.layers(), unique_name());
        return *extension_;
    }
    double spent_in(const Game& game);
    std::vector<MoveValue> values_along(const GameRecord& game);
    bool complete(GameRecord& game) { return complete_from_note(*files_.experience, game); }
    LearnOutcome add(const GameRecord& game, bool finished);
    Learned keep(const GameRecord& game, const std::string& because);
    void learn_waiting();

    OpenOptions options_;
    BookFiles files_;
    std::vector<GameRecord> waiting_;  // neither in the book nor in the spool
    bool merge_failure_told_ = false;
    std::optional<Extension> extension_;
    std::optional<OpeningNames> names_;
    Random seeds_;
    std::vector<Spent> spent_;
    std::string left_because_;
    TriedMoves tried_;
    std::int64_t epoch_ = 0;
    bool has_just_failed_ = false;  // to open the experience
};

StoredBook::StoredBook(OpenOptions options, std::uint64_t seed)
    : options_(std::move(options)), seeds_(seed) {
    Result<BookFiles> files = guarded([&] {
        return open_book_files(
            options_.experience, options_.base, options_.read_only, options_.patience);
    });
    if (!files && !options_.play_on)
        throw Failure(files.error().what);
    files_ = files ? std::move(*files) : open_book_files({}, options_.base, true);
    if (!files) {
        files_.unusable = files.error().what;
        has_just_failed_ = true;
    }
    if (!files_.experience && !files_.unusable.empty() && !options_.play_on && !options_.read_only)
        throw Failure(files_.unusable);
    for (const fs::path& file : options_.further)
        if (const Result<void> added = guarded([&] { add_further_book(files_, file); }); !added)
            files_.add_notice("a further book is not used: " + added.error().what);
    if (!files_.learns)
        return;
    if (const std::string merged = merge_waiting_games(); !merged.empty())
        files_.add_notice(merged);
}

std::string StoredBook::warning() const {
    if (!keeps_games())
        return "";
    std::string text = files_.experience ? files_.unusable
                       : files_.base ? "playing from the installed book alone: " + files_.unusable
                                     : "playing without a book: " + files_.unusable;
    for (const fs::path& copy : copies_of(options_.experience))
        text += fmt::format("; a copy is in \"{}\"", copy.string());
    return text + (can_keep_games(options_.experience)
                       ? "; finished games are kept until the book can be used"
                       : "; finished games are lost, because no folder for them can be written");
}

// A reader may be opened before the writer has created the file or its overlay, or has brought it
// up to date. If it cannot lock the file, it does not notice what others write there.
bool StoredBook::should_reopen(bool new_game) {
    if (!options_.read_only || options_.experience.empty())
        return false;
    if (files_.experience)
        return new_game && (files_.outdated() || (files_.lacks_overlay &&
                                                  !existing_overlay(options_.experience).empty()));
    return files_.unusable.empty() || (new_game && !std::exchange(has_just_failed_, false));
}

// Uses the user's book if what was in the way is over, such as the lock of another program.
void StoredBook::reopen() {
    if (!options_.read_only && !fs::exists(options_.experience))
        return;  // somebody is about to put a good copy in place of a damaged book
    Result<BookFiles> opened = guarded([&] {
        return open_book_files(options_.experience, {}, options_.read_only, options_.patience);
    });
    if (!opened || !opened->experience)
        return;
    if (files_.experience && opened->file == files_.file && opened->learns == files_.learns &&
        !files_.outdated())
        return;  // the overlay is not filled yet
    opened->base = std::move(files_.base);
    opened->further = std::move(files_.further);
    opened->polyglot = std::move(files_.polyglot);
    files_ = std::move(*opened);
    files_.count_further_games();
}

// A sentence for the user on the games that waited in the spools; "" if none did. A failure is
// reported once, not again while it lasts.
std::string StoredBook::merge_waiting_games() {
    std::string failure;
    std::optional<Store>& own = files_.experience;
    int games = 0;
    for (const fs::path& spool : spools_of(options_.experience)) {
        const Result<int> merged = guarded([&] {
            const auto fail_if = [](bool busy) {
                if (busy)
                    throw Failure("another program is writing to the book");
            };
            return merge_spool(
                spool,
                [&] { fail_if(own && !Transaction::try_begin(own->db)); },
                [&](GameRecord g) { fail_if(complete(g) && add(g, true) == LearnOutcome::Busy); });
        });
        if (merged)
            games += *merged;
        else
            failure =
                fmt::format("games still wait in \"{}\": {}", spool.string(), merged.error().what);
    }
    if (std::exchange(merge_failure_told_, !failure.empty()))
        failure.clear();
    if (games == 0)
        return failure;
    const char* const ending = games == 1 ? "" : "s";
    return fmt::format(
        "merged {} waiting game{}{}{}", games, ending, failure.empty() ? "" : "; ", failure);
}

// The sum of Choice::loss over earlier choices of this game.
double StoredBook::spent_in(const Game& game) {
    const auto before = [&game](const Spent& s) {
        return s.ply < game.ply() && game.keys()[static_cast<std::size_t>(s.ply)] == s.key;
    };
    std::erase_if(spent_, [&](const Spent& s) { return !before(s); });
    double sum = 0;
    for (const Spent& s : spent_)
        sum += s.loss;
    return sum;
}

BookQuery StoredBook::query_for(const Position& pos, Color side, const ChooseOptions& options) {
    BookQuery query = query_of(pos, side, options.time);
    if (options.opponent && files_.experience)
        if (const auto known = files_.experience->opponents.find(*options.opponent))
            query.opponent = known->id;
    return query;
}

std::optional<Chosen>
StoredBook::choose_from(Layers layers, const Game& game, const ChooseOptions& options) {
    const Position& pos = game.position();
    const Model model = layers.experience ? layers.experience->model() : Model();
    const BookQuery query = query_for(pos, pos.side_to_move(), options);
    ChoiceTerms terms = terms_of(options, game.ply());
    terms.seed = seeds_.next();
    terms.spent = spent_in(game);
    if (game.ply() > 0)
        terms.moved_last = game.moves().back().to();
    MoveChoice choice = choose_move(layers, model, query, terms);
    left_because_ = std::move(choice.left_because);
    tried_ = std::move(choice.tried);
    if (!choice.chosen)
        return std::nullopt;
    const Row row = row_of(*choice.chosen, model);
    spent_.push_back({.ply = game.ply(), .key = pos.key(), .loss = choice.loss});
    return Chosen{
        .move = row.move,
        .row = row,
        .why = fmt::format("{}: value {:.2f} +- {:.2f}, evidence of {:.0f} games, drawn among {}",
                           to_san(pos, row.move),
                           row.value,
                           row.width,
                           row.evidence,
                           choice.record.candidates.size()),
        .draw = to_text(choice.record)};
}

// If the experience fails here, because it is damaged, the installed book alone chooses.
Result<std::optional<Chosen>> StoredBook::choose(const Game& game, const ChooseOptions& options) {
    left_because_.clear();
    tried_ = {};
    if (game.ply() >= options.max_ply)
        left_because_ = "the limit on book moves is reached";
    else if (game.repetitions() > 1)
        left_because_ = "the position is repeated";
    if (!left_because_.empty())
        return std::nullopt;
    Result<std::optional<Chosen>> chosen = guarded([&] {
        if (should_reopen(game.ply() < 2))
            reopen();
        const ReadTransaction reading = files_.begin_reading();
        return choose_from(files_.layers(), game, options);
    });
    if (chosen || !files_.base)
        return chosen;
    Result<std::optional<Chosen>> from_base =
        guarded([&] { return choose_from({.base = &*files_.base}, game, options); });
    if (!from_base || !*from_base)
        return chosen;
    (*from_base)->why += "; from the installed book, since " + chosen.error().what;
    return from_base;
}

Result<std::vector<Row>> StoredBook::table(const Position& pos, const ChooseOptions& options) {
    return guarded([&] {
        if (should_reopen(false))
            reopen();
        const ReadTransaction reading = files_.begin_reading();
        const Model model = files_.model();
        const auto look = [&](Color side) {
            return view(files_.layers(), model, query_for(pos, side, options));
        };
        PositionView seen = look(pos.side_to_move());
        bool theirs = false;
        if (!seen.visited) {  // own games may have come here with the other colour
            PositionView other = look(~pos.side_to_move());
            theirs = other.visited;
            if (theirs)
                seen = std::move(other);
        }
        std::vector<Row> rows;
        add_probabilities(model, !theirs, terms_of(options, ply_of(pos)), seen);
        for (const BookMove& move : seen.moves) {
            Row row = row_of(move, model);
            if (theirs) {
                std::swap(row.imported_wins, row.imported_losses);
                row.value = 1 - row.value;
            }
            rows.push_back(row);
        }
        std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
            return a.probability != b.probability ? a.probability > b.probability
                                                  : a.value > b.value;
        });
        return rows;
    });
}

// Learns or notes a complete game in one transaction; Busy if another process holds the book.
LearnOutcome StoredBook::add(const GameRecord& game, bool finished) {
    Store& store = *files_.experience;
    std::optional<Transaction> transaction = Transaction::try_begin(store.db);
    if (!transaction)
        return LearnOutcome::Busy;
    const std::int64_t epoch = epoch_ != 0 ? epoch_ : store.games.last_epoch() + 1;
    const LearnOutcome outcome = learn_game(store, game, finished, epoch);
    transaction->commit();
    epoch_ = epoch;
    return outcome;
}

Result<void> StoredBook::note(const GameRecord& game) {
    if (read_only())
        return {};
    return guarded([&] {
        check_uid(game);
        GameRecord noted = game;
        if (complete(noted))
            add(noted, false);  // while the book is busy the note is lost, but not the game
    });
}

// Puts a game that could not be learned into the spool or, if that fails, in the waiting list.
Learned StoredBook::keep(const GameRecord& game, const std::string& because) {
    const Result<void> kept = keep_for_later(options_.experience, game);
    if (kept)
        return {.counted = false, .lines = {because + ": the game is kept for later"}};
    waiting_.push_back(game);
    return {.counted = false,
            .lines = {fmt::format("{}; {}; it is tried again later", because, kept.error().what)}};
}

void StoredBook::learn_waiting() {
    while (!waiting_.empty()) {
        GameRecord& game = waiting_.back();
        const Result<bool> done = guarded([&] {
            if (keeps_games())
                return keep_for_later(options_.experience, game).has_value();
            return !complete(game) || add(game, true) != LearnOutcome::Busy;
        });
        if (!done || !*done)
            return;
        waiting_.pop_back();
    }
}

std::vector<MoveValue> StoredBook::values_along(const GameRecord& game) {
    const ReadTransaction reading = files_.begin_reading();
    return book::values_along(files_.layers(), files_.model(), game);
}

Result<Learned> StoredBook::learn(const GameRecord& record) {
    if (keeps_games())
        (void)guarded([&] { reopen(); });
    if (keeps_games())
        return guarded([&] {
            check_uid(record);
            learn_waiting();
            Learned kept = keep(record, "the book cannot be used");
            kept.counted = waiting_.empty();  // kept, as warning() has told the user
            return kept;
        });
    if (files_.learning_off)  // as notice() has told the user, who wants it so
        return Learned{};
    if (read_only())
        return Learned{.counted = false, .lines = {"the book is read-only: nothing learned"}};
    return guarded([&]() -> Learned {
        check_uid(record);
        learn_waiting();
        GameRecord game = record;
        std::vector<MoveValue> before;
        const Result<LearnOutcome> outcome = guarded([&] {
            if (!complete(game))
                return LearnOutcome::Ignored;
            before = values_along(game);
            return add(game, true);
        });
        if (!outcome)
            return keep(game, outcome.error().what);
        if (*outcome == LearnOutcome::Busy)
            return keep(game, "another program holds the book");
        Learned learned;
        if (*outcome != LearnOutcome::Ignored) {
            learned.counted = true;
            const Result<void> reported =
                guarded([&] { learned.lines = learning_report(game, before, values_along(game)); });
            if (!reported)
                learned.lines.push_back("game learned; " + reported.error().what);
        }
        if (std::string merged = merge_waiting_games(); !merged.empty())
            learned.lines.push_back(std::move(merged));
        return learned;
    });
}

Result<Stats> StoredBook::stats() {
    return guarded([&] {
        Stats stats;
        const Layers layers = files_.layers();
        for (Store* store : {layers.base, layers.original, layers.experience}) {
            if (!store)
                continue;
            const Positions::Counts positions = store->positions.counts();
            const Games::Counts games = store->games.counts();
            stats.positions += positions.positions;
            stats.edges += positions.edges;
            stats.imported_games += games.imported;
            stats.bytes += store->db.bytes();
            if (store != layers.experience)  // own games: the experience has them all
                continue;
            stats.own_games = games.applied;
            stats.wins = games.wins;
            stats.draws = games.draws;
            stats.losses = games.losses;
            for (const OpponentRecord& o : store->opponents.all())
                stats.opponents += o.games > 0 ? 1 : 0;
        }
        return stats;
    });
}

}  // namespace

Result<std::unique_ptr<Book>> Book::open(const OpenOptions& options) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    const std::uint64_t seed = options.seed != 0 ? options.seed : static_cast<std::uint64_t>(now);
    return guarded(
        [&]() -> std::unique_ptr<Book> { return std::make_unique<StoredBook>(options, seed); });
}

Result<void> check_experience(const fs::path& file, std::chrono::milliseconds patience) {
    return guarded([&] { check_book(file, patience); });
}

Result<void> check_further_book(const fs::path& file) {
    return guarded([&] {
        BookFiles files;
        add_further_book(files, file);
    });
}

}  // namespace book
