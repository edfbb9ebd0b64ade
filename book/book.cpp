#include "book/book.h"

#include "book/book_files.h"
#include "book/learn/audit.h"
#include "book/probe/extend.h"
#include "book/probe/learning_report.h"
#include "book/probe/opening_names.h"
#include "book/probe/selection.h"
#include "book/store/spool.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace book {
namespace {

namespace fs = std::filesystem;
using engine::Game;
using engine::Position;

constexpr std::size_t LongestUid = 64;

Result<void> check_uid(const GameRecord& game) {
    if (game.uid.empty() || game.uid.size() > LongestUid)
        return fail("a game needs a name of 1 to 64 bytes to be learned, not \"" + game.uid + "\"");
    return {};
}

std::int64_t seconds_now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

class StoredBook final : public Book {
  public:
    StoredBook(OpenOptions options, std::uint64_t seed)
        : options_(std::move(options)), seeds_(seed) {}

    Result<void> prepare();

    ~StoredBook() override { learn_waiting(); }
    StoredBook(const StoredBook&) = delete;
    StoredBook& operator=(const StoredBook&) = delete;

    bool read_only() const override { return !files_.learns; }
    std::string notice() const override { return files_.notice; }
    Result<std::optional<Chosen>> choose(const Game& game, const ChooseOptions& options) override;
    Result<std::vector<Row>> table(const Position& pos, TimeClass time) override;
    std::string opening(const Game& game) override {
        if (!names_)
            names_.emplace();
        return names_->of(game);
    }
    Result<void> note(const GameRecord& game) override;
    Result<Learned> learn(const GameRecord& game) override;
    Result<std::optional<Work>> next_work(const WorkOptions& options) override {
        if (read_only())
            return std::optional<Work>();
        return extension().next(options, seconds_now());
    }
    Result<void> finish_work(const Work& work,
                             const std::vector<Finding>& findings,
                             const std::string& engine) override {
        if (read_only())
            return fail("the book is read-only");
        return extension().finish(work, findings, engine, seconds_now());
    }
    Result<Stats> stats() override;
    Result<std::vector<std::string>> verify() override;
    Result<void> rebuild() override;

  private:
    struct Spent {  // what a choice of this game gave away
        int ply;
        Key key;
        double loss;
    };

    void say(const std::string& text) {
        files_.notice += files_.notice.empty() ? text : "; " + text;
    }
    void reopen_if_made();
    void merge_waiting_games();
    Extension& extension() {
        if (!extension_)
            extension_.emplace(files_.layers(), unique_name());
        return *extension_;
    }
    Result<PositionView> look(const Model& model, const Position& pos, Color side, TimeClass time) {
        return view(files_.layers(), model, query_of(pos, side, time));
    }
    double spent_in(const Game& game);
    Result<std::vector<MoveValue>> values_along(const GameRecord& game);
    Result<LearnOutcome> take_in_transaction(const GameRecord& game, bool finished, bool& busy);
    Result<std::optional<GameRecord>> whole(const GameRecord& game);
    Learned keep(const GameRecord& game, const std::string& because);
    void learn_waiting();

    OpenOptions options_;
    BookFiles files_;
    std::vector<GameRecord> waiting_;  // for room on the disk
    std::optional<Extension> extension_;
    std::optional<OpeningNames> names_;
    Random seeds_;
    std::vector<Spent> spent_;
    std::int64_t epoch_ = 0;
};

Result<void> StoredBook::prepare() {
    Result<BookFiles> opened =
        open_book_files(options_.experience, options_.base, options_.read_only);
    if (!opened)
        return tl::unexpected<Error>(opened.error());
    files_ = std::move(*opened);
    if (files_.learns)
        merge_waiting_games();
    return {};
}

// A reader may be opened before the writer has made the file.
void StoredBook::reopen_if_made() {
    if (files_.experience || !options_.read_only || options_.experience.empty())
        return;
    if (Result<BookFiles> made = open_book_files(options_.experience, {}, true);
        made && made->experience) {
        std::optional<Store> base = std::move(files_.base);
        files_ = std::move(*made);
        files_.base = std::move(base);
    }
}

void StoredBook::merge_waiting_games() {
    const Result<int> merged =
        merge_spool(spool_of(files_.file), [this](const GameRecord& game) -> Result<void> {
            bool busy = false;
            const Result<LearnOutcome> taken = take_in_transaction(game, true, busy);
            if (!taken)
                return tl::unexpected<Error>(taken.error());
            return busy ? Result<void>(fail("another program is writing to the book"))
                        : Result<void>();
        });
    if (!merged)
        say("games still wait in \"" + spool_of(files_.file).string() +
            "\": " + merged.error().what);
    else if (*merged > 0)
        say("merged " + std::to_string(*merged) + " waiting game" + (*merged == 1 ? "" : "s"));
}

// The sum over earlier choices, as long as they were made in this very game.
double StoredBook::spent_in(const Game& game) {
    const auto before = [&game](const Spent& s) {
        return s.ply < game.ply() && game.keys()[static_cast<std::size_t>(s.ply)] == s.key;
    };
    if (!std::all_of(spent_.begin(), spent_.end(), before))
        std::erase_if(spent_, [&](const Spent& s) { return !before(s); });
    double sum = 0;
    for (const Spent& s : spent_)
        sum += s.loss;
    return sum;
}

Row row_of(const BookMove& s, const Model& model, double mean) {
    const auto count = [](double x) { return static_cast<std::int64_t>(x + 0.5); };
    return {.move = stored_move(s.move),
            .imported_wins = count(s.imported.wins),
            .imported_draws = count(s.imported.draws),
            .imported_losses = count(s.imported.losses),
            .visits = s.visits + s.exits,
            .own_weight = static_cast<double>(s.wins + s.draws + s.losses),
            .own_score = s.wins + s.draws + s.losses == 0
                             ? 0.5
                             : (static_cast<double>(s.wins) + static_cast<double>(s.draws) / 2) /
                                   static_cast<double>(s.wins + s.draws + s.losses),
            .value = mean,
            .width = s.belief.deviation(model),
            .evidence = s.belief.evidence,
            .flags = s.flags};
}

Result<std::optional<Chosen>> StoredBook::choose(const Game& game, const ChooseOptions& options) {
    using Nothing = std::optional<Chosen>;
    if (game.ply() >= options.max_ply || game.repetitions() > 1)
        return Nothing();
    reopen_if_made();
    const Result<Reading> reading = files_.begin_reading();
    if (!reading)
        return tl::unexpected<Error>(reading.error());
    std::int64_t opponent = 0;
    if (options.opponent && files_.experience) {
        const Result<std::optional<OpponentRecord>> known =
            files_.experience->opponents->find(*options.opponent);
        if (!known)
            return tl::unexpected<Error>(known.error());
        opponent = *known ? (*known)->id : 0;
    }
    const Position& pos = game.position();
    const Result<Model> constants = files_.model();
    if (!constants)
        return tl::unexpected<Error>(constants.error());
    BookQuery asked = query_of(pos, pos.side_to_move(), options.time);
    asked.opponent = opponent;
    const Result<Selection> selected = select(files_.layers(),
                                              *constants,
                                              asked,
                                              {.ply = game.ply(),
                                               .seed = seeds_.next(),
                                               .spent = spent_in(game),
                                               .min_games = options.min_games,
                                               .match = options.match});
    if (!selected)
        return tl::unexpected<Error>(selected.error());
    if (!selected->chosen)
        return Nothing();
    const BookMove& chosen = *selected->chosen;
    spent_.push_back({.ply = game.ply(), .key = pos.key(), .loss = selected->loss});
    std::array<char, 80> belief{};
    std::snprintf(belief.data(),
                  belief.size(),
                  ": value %.2f +- %.2f, evidence of %.0f games",
                  chosen.mean,
                  chosen.belief.deviation(*constants),
                  chosen.belief.evidence);
    return Nothing(Chosen{.move = stored_move(chosen.move),
                          .row = row_of(chosen, *constants, chosen.mean),
                          .why = to_san(pos, stored_move(chosen.move)) + belief.data() +
                                 ", drawn among " +
                                 std::to_string(selected->record.candidates.size()),
                          .draw = to_text(selected->record)});
}

Result<std::vector<Row>> StoredBook::table(const Position& pos, TimeClass time) {
    reopen_if_made();
    const Result<Reading> reading = files_.begin_reading();
    const Result<Model> constants = files_.model();
    if (!reading || !constants)
        return tl::unexpected<Error>(!reading ? reading.error() : constants.error());
    const Color side = pos.side_to_move();
    Result<PositionView> seen = look(*constants, pos, side, time);
    bool theirs = false;
    if (seen && !seen->visited) {  // perhaps own games came here as the other side
        Result<PositionView> other = look(*constants, pos, ~side, time);
        if (other && other->visited) {
            seen = std::move(other);
            theirs = true;
        }
    }
    if (!seen)
        return tl::unexpected<Error>(seen.error());
    std::vector<Row> rows;
    for (const BookMove& s : seen->moves) {
        Row row = row_of(s, *constants, s.mean);
        if (theirs) {
            std::swap(row.imported_wins, row.imported_losses);
            row.value = 1 - row.value;
            row.own_score = 1 - row.own_score;
        }
        rows.push_back(row);
    }
    std::stable_sort(
        rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.value > b.value; });
    return rows;
}

Result<LearnOutcome>
StoredBook::take_in_transaction(const GameRecord& game, bool finished, bool& busy) {
    if (const Result<void> named = check_uid(game); !named)
        return tl::unexpected<Error>(named.error());
    Store& store = *files_.experience;
    Result<std::optional<Transaction>> transaction = Transaction::begin(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    busy = !*transaction;
    if (busy)
        return LearnOutcome{};
    std::int64_t epoch = epoch_;
    if (epoch == 0) {
        const Result<std::int64_t> last = store.games->last_epoch();
        if (!last)
            return tl::unexpected<Error>(last.error());
        epoch = *last + 1;
    }
    const Result<std::optional<GameRecord>> known = whole(game);
    if (!known)
        return tl::unexpected<Error>(known.error());
    if (!*known)
        return LearnOutcome{};
    const Result<LearnOutcome> taken = learn_game(store, **known, finished, epoch);
    if (!taken)
        return taken;
    if (const Result<void> committed = (*transaction)->commit(); !committed)
        return tl::unexpected<Error>(committed.error());
    epoch_ = epoch;
    return taken;
}

Result<void> StoredBook::note(const GameRecord& game) {
    if (read_only())
        return {};
    bool busy = false;  // then the note is lost, but not the game: its result will come
    const Result<LearnOutcome> taken = take_in_transaction(game, false, busy);
    if (!taken)
        return tl::unexpected<Error>(taken.error());
    return {};
}

// A resumed game with what was noted of its beginning; nothing if nothing was.
Result<std::optional<GameRecord>> StoredBook::whole(const GameRecord& game) {
    if (!game.resumed)
        return std::optional(game);
    Store& store = *files_.experience;
    const Result<std::optional<OpponentRecord>> opponent = store.opponents->find(game.opponent);
    if (!opponent)
        return tl::unexpected<Error>(opponent.error());
    const Result<std::optional<LoggedGame>> begun =
        store.games->interrupted(game.game, game.our_side, *opponent ? (*opponent)->id : 0);
    if (!begun)
        return tl::unexpected<Error>(begun.error());
    if (!*begun)
        return std::optional<GameRecord>();
    const GameRecord& noted = (*begun)->record;
    GameRecord all = game;
    all.resumed = false;
    all.uid = noted.uid;
    all.time = noted.time;
    all.exit_ply = noted.exit_ply;
    all.exit_cp = noted.exit_cp;
    all.exit_depth = noted.exit_depth;
    all.draws = noted.draws;
    return std::optional(std::move(all));
}

// A game that could not be stored now: into the spool, or at least not out of mind.
Learned StoredBook::keep(const GameRecord& game, const std::string& because) {
    const Result<void> kept = append_to_spool(spool_of(files_.file), game);
    if (kept)
        return {.counted = true, .lines = {because + ": the game is kept for later"}};
    waiting_.push_back(game);
    return {.counted = false,
            .lines = {because + "; " + kept.error().what + "; it is tried again later"}};
}

void StoredBook::learn_waiting() {
    while (!waiting_.empty()) {
        bool busy = false;
        if (!take_in_transaction(waiting_.back(), true, busy) || busy)
            return;
        waiting_.pop_back();
    }
}

Result<std::vector<MoveValue>> StoredBook::values_along(const GameRecord& game) {
    const Result<Reading> reading = files_.begin_reading();
    const Result<Model> model = files_.model();
    if (!reading || !model)
        return tl::unexpected<Error>(!reading ? reading.error() : model.error());
    return book::values_along(files_.layers(), *model, game);
}

Result<Learned> StoredBook::learn(const GameRecord& told) {
    if (read_only())
        return Learned{.counted = false, .lines = {"the book is read-only: nothing learned"}};
    if (const Result<void> named = check_uid(told); !named)
        return tl::unexpected<Error>(named.error());
    learn_waiting();
    const Result<std::optional<GameRecord>> known = whole(told);
    if (!known)
        return keep(told, known.error().what);
    if (!*known)
        return Learned{};
    const GameRecord& game = **known;
    const Result<std::vector<MoveValue>> before = values_along(game);
    bool busy = false;
    const Result<LearnOutcome> taken =
        before ? take_in_transaction(game, true, busy) : tl::unexpected<Error>(before.error());
    if (!taken || busy)
        return keep(game, busy ? "another program holds the book" : taken.error().what);
    if (!taken->counted)
        return Learned{};
    const Result<std::vector<MoveValue>> after = values_along(game);
    if (!after)
        return tl::unexpected<Error>(after.error());
    return Learned{.counted = true, .lines = learning_report(game, *before, *after)};
}

Result<Stats> StoredBook::stats() {
    Stats stats;
    const Layers layers = files_.layers();
    for (Store* store : {layers.base, layers.original, layers.experience}) {
        if (!store)
            continue;
        const Result<Positions::Counts> tree = store->positions->counts();
        const Result<Games::Counts> games = store->games->counts();
        const Result<std::vector<OpponentRecord>> opponents = store->opponents->all();
        if (!tree || !games || !opponents)
            return tl::unexpected<Error>(!tree    ? tree.error()
                                         : !games ? games.error()
                                                  : opponents.error());
        stats.positions += tree->positions;
        stats.edges += tree->edges;
        stats.imported_games += games->imported;
        stats.bytes += store->db->bytes();
        if (store != layers.experience)  // which has all own games of the others
            continue;
        stats.own_games += games->applied;
        stats.wins += games->wins;
        stats.draws += games->draws;
        stats.losses += games->losses;
        stats.opponents += static_cast<std::int64_t>(opponents->size());
    }
    return stats;
}

Result<std::vector<std::string>> StoredBook::verify() {
    return files_.experience ? book::verify(*files_.experience)
                             : Result<std::vector<std::string>>();
}

Result<void> StoredBook::rebuild() {
    if (read_only())
        return fail("the book is read-only");
    return book::rebuild(*files_.experience);
}

}  // namespace

Result<std::unique_ptr<Book>> Book::open(const OpenOptions& options) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    const std::uint64_t seed = options.seed != 0 ? options.seed : static_cast<std::uint64_t>(now);
    auto book = std::make_unique<StoredBook>(options, seed);
    if (const Result<void> ready = book->prepare(); !ready)
        return tl::unexpected<Error>(ready.error());
    return book;
}

Result<void> keep_for_later(const fs::path& experience, const GameRecord& game) {
    if (experience.empty() || experience == ":memory:")
        return fail("there is no file to keep the game beside");
    Result<void> kept = append_to_spool(spool_of(experience), game);
    if (!kept)
        if (const fs::path side = side_of(experience); !side.empty())
            kept = append_to_spool(spool_of(side), game);
    return kept;
}

}  // namespace book
