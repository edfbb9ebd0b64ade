#include "book/store/games.h"

#include "book/store/failure.h"
#include "book/store/statement.h"
#include "book/store/tables/game_row.h"

#include <algorithm>

#include <fmt/format.h>

namespace book {
namespace {

using engine::Game;
using engine::Position;

// True if `game` starts as `part` does and goes on with all of its moves.
bool begins_with(const Game& game, const Game& part) {
    return part.start().key() == game.start().key() && part.ply() <= game.ply() &&
           std::equal(part.moves().begin(), part.moves().end(), game.moves().begin());
}

// A uid has the running number of the process's game: a longer uid is later.
#define PLAYED_ORDER "played, length(uid), uid"
#define IMPORTED_ORDER "played, iif(source = 0, 0, id), length(uid), uid"
#define REPETITION                                                                                 \
    "row_number() OVER (PARTITION BY content, side, ifnull(opponent, 0) ORDER BY " PLAYED_ORDER ")"

std::string select_games(const std::string& condition) {
    return fmt::format("SELECT id, {} FROM game {}", GameColumns, condition);
}

// A GameFilter, bound to ?1 to ?10; term 3 is Termination::Aborted. A game given by its id is
// looked up by id, not found by a scan.
constexpr const char* OtherTerms =
    " AND (?2 IS NULL OR epoch = ?2) AND (?3 IS NULL OR (played >= ?3 AND played <> 0))"
    " AND (?4 IS NULL OR opponent = ?4) AND (?5 IS NULL OR state = ?5)"
    " AND (?6 IS NULL OR (played < ?6 AND played <> 0)) AND (?7 IS NULL OR side = ?7)"
    " AND (?8 IS NULL OR (term <> 3 AND (score > 0.75) - (score < 0.25) = ?8))"
    " AND (?9 IS NULL OR class = ?9) AND (?10 IS NULL OR source = ?10)";

std::string where(const GameFilter& f) {
    return std::string(f.id ? " WHERE id = ?1" : " WHERE ?1 IS NULL") + OtherTerms;
}

template <typename Enumeration>
std::optional<int> number_of(const std::optional<Enumeration>& value) {
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

// Calls `run` with what a GameFilter binds, in the order of where().
template <typename Run>
auto with_filter(const GameFilter& f, Run run) {
    return run(f.id,
               f.epoch,
               f.since,
               f.opponent,
               number_of(f.state),
               f.before,
               number_of(f.side),
               number_of(f.result),
               number_of(f.time),
               f.source);
}

// The hash of the content of a game. Throws Failure on values that no game has.
std::int64_t checked_hash(const LoggedGame& game) {
    const GameRecord& r = game.record;
    if (r.our_side > engine::Black || r.time > TimeClass::Standard ||
        r.termination > Termination::Aborted || game.state > GameState::Rejected ||
        !(r.score >= 0 && r.score <= 1) || !(game.evidence.weight >= 0))
        throw Failure("no game has these values");
    return content_hash(r);
}

template <typename T>
std::optional<T> null_if(bool null, T value) {
    return null ? std::nullopt : std::optional(value);
}

}  // namespace

struct Games::Impl {
    std::int64_t number(const std::string& sql) { return db.execAndGet(sql).getInt64(); }
    void remove_idle_opponents() {
        db.exec("DELETE FROM opponent WHERE id NOT IN"
                " (SELECT opponent FROM game WHERE opponent IS NOT NULL)");
    }

    std::shared_ptr<SQLite::Database> connection;
    SQLite::Database& db = *connection;
    SQLite::Statement get{db, select_games("WHERE id = ?1")};
    SQLite::Statement find{db, select_games("WHERE uid = ?1")};
    SQLite::Statement id_of{db, "SELECT id FROM game WHERE uid = ?1"};
    SQLite::Statement with_content{db, select_games("WHERE content = ?1 ORDER BY id")};
    KeptStatement put{
        db,
        fmt::format("INSERT OR REPLACE INTO game (id, {}) VALUES"
                    " (ifnull(?, {}),?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    GameColumns,
                    next_id("game"))};
    SQLite::Statement count_applied{db, "SELECT count(*) FROM game WHERE state = 1"};
    SQLite::Statement repetition{
        db,
        "SELECT count(*) FILTER (WHERE (other.played, length(other.uid), other.uid) <"
        " (game.played, length(game.uid), game.uid)),"
        " count(*) FILTER (WHERE (other.played, length(other.uid), other.uid) >"
        " (game.played, length(game.uid), game.uid)) FROM game, game AS other WHERE game.id = ?1"
        " AND other.content = game.content AND other.side = game.side AND other.state = 1"
        " AND ifnull(other.opponent, 0) = ifnull(game.opponent, 0)"};
    SQLite::Statement was_imported{db, "SELECT 1 FROM imported WHERE hash = ?1"};
};

Games::Games(Database& db) : impl_(new Impl{db.connection()}) {}
Games::Games(Games&&) noexcept = default;
Games& Games::operator=(Games&&) noexcept = default;
Games::~Games() = default;

std::optional<LoggedGame> Games::find(const std::string& uid) {
    return first_row(impl_->find, read_game, uid);
}

std::optional<std::int64_t> Games::id_of(const std::string& uid) {
    return first_row(impl_->id_of, read_int64, uid);
}

std::vector<Games::Applied> Games::applied() {
    SQLite::Statement s(impl_->db, "SELECT id, uid, content FROM game WHERE state = 1");
    return all_rows(s, [](RowReader& row) {
        return Applied{.id = row.int64(), .uid = row.text(), .content = row.int64()};
    });
}

std::optional<LoggedGame> Games::get(std::int64_t id) {
    return first_row(impl_->get, read_game, id);
}

std::optional<LoggedGame> Games::get(std::int64_t id, const ReadOn& read_on) {
    return first_row(
        impl_->get, [&read_on](RowReader& row) { return read_game_while(row, read_on); }, id);
}

std::optional<LoggedGame> Games::latest() {
    SQLite::Statement s(impl_->db, select_games("ORDER BY played DESC, id DESC LIMIT 1"));
    return first_row(s, read_game);
}

std::optional<LoggedGame> Games::last_applied() {
    SQLite::Statement s(impl_->db,
                        select_games("WHERE state = 1 ORDER BY clock DESC, id DESC LIMIT 1"));
    return first_row(s, read_game);
}

std::optional<LoggedGame>
Games::find_pending(const Game& game, engine::Color our_side, std::int64_t opponent_id) {
    // "+id" makes SQLite use the index of pending games, not that of all ids.
    SQLite::Statement s(impl_->db,
                        select_games("WHERE state = 0 AND side = ?1 AND coalesce(opponent, 0) = ?2"
                                     " ORDER BY +id DESC"));
    BoundStatement bound(s, int{our_side}, opponent_id);
    while (bound.step()) {
        RowReader row(s);
        LoggedGame found = read_game(row);
        if (begins_with(game, found.record.game))
            return found;
    }
    return std::nullopt;
}

void Games::put(LoggedGame& g) {
    const GameRecord& r = g.record;
    const std::string moves = to_blob(r.game.moves());
    std::string draws;
    for (const std::string& draw : r.draws)
        draws += draw + '\n';
    run(*impl_->put,
        null_if(g.id == 0, g.id),
        r.uid,
        content_hash(r),
        g.clock,
        g.epoch,
        r.played,
        int{r.our_side},
        null_if(g.opponent_id == 0, g.opponent_id),
        r.our_rating,
        r.opponent.rating,
        static_cast<int>(r.time),
        null_if(g.state == GameState::Pending, r.score),
        static_cast<int>(r.termination),
        static_cast<int>(g.state),
        r.exit_ply,
        r.exit_cp,
        r.exit_depth,
        g.evidence.weight,
        g.evidence.result,
        g.overperformance,
        r.engine,
        r.reason,
        null_if(r.game.starts_normally(), r.game.start().fen()),
        Blob{moves},
        draws,
        null_if(!g.exit_key, to_sql(g.exit_key.value_or(0))),
        g.analysed_cp,
        g.analysed_nodes,
        r.time_control,
        r.event,
        g.source);
    if (g.id == 0)
        g.id = impl_->db.getLastInsertRowid();
}

void Games::each(const GameFilter& f, const std::function<void(LoggedGame&)>& take) {
    SQLite::Statement s(impl_->db, select_games(where(f) + " ORDER BY clock, id"));
    const auto read_and_take = [&take](RowReader& row) {
        LoggedGame game = read_game(row);
        take(game);
    };
    with_filter(f, [&](const auto&... values) { each_row(s, read_and_take, values...); });
}

std::vector<std::int64_t> Games::newest_first(const GameFilter& f) {
    SQLite::Statement s(impl_->db,
                        "SELECT id FROM game" + where(f) +
                            " ORDER BY played <> 0 DESC, played DESC, id DESC");
    return with_filter(f,
                       [&](const auto&... values) { return all_rows(s, read_int64, values...); });
}

std::int64_t Games::set_state(const GameFilter& f, GameState state) {
    SQLite::Statement s(
        impl_->db, fmt::format("UPDATE game SET state = {}{}", static_cast<int>(state), where(f)));
    return with_filter(f, [&](const auto&... values) { return run(s, values...); });
}

std::int64_t Games::remove_bad_rows() {
    SQLite::Statement all(impl_->db, "SELECT id, content, state FROM game");
    std::vector<std::int64_t> bad, changed;  // changed: the hash does not match
    std::size_t same = 0;
    each_row(all, [&](RowReader& row) {
        const std::int64_t id = row.int64(), content = row.int64();
        const bool pending = row.integer() == static_cast<int>(GameState::Pending);
        const Result<std::int64_t> hash = guarded([&] { return checked_hash(*get(id)); });
        if (!hash)
            bad.push_back(id);
        else if (!pending && *hash != content)
            changed.push_back(id);
        else
            ++same;
    });
    if (same >= changed.size())  // else the hash function has changed
        bad.insert(bad.end(), changed.begin(), changed.end());
    remove(bad);
    impl_->db.exec(
        "UPDATE game SET opponent = NULL WHERE opponent NOT IN (SELECT id FROM opponent)");
    return static_cast<std::int64_t>(bad.size());
}

void Games::remove(std::span<const std::int64_t> ids) {
    for (const std::int64_t id : ids)
        remove_rows(impl_->db, "game", "id = ?1", id);
    if (!ids.empty())
        impl_->remove_idle_opponents();
}

std::int64_t Games::last_id() {
    return impl_->number("SELECT ifnull(max(id), 0) FROM game");
}

std::int64_t Games::last_epoch() {
    return impl_->number("SELECT ifnull(max(epoch), 0) FROM game");
}

std::int64_t Games::count_applied() {
    return first_row(impl_->count_applied, read_int64).value_or(0);
}

std::unordered_map<std::int64_t, std::int64_t> Games::repetitions() {
    SQLite::Statement s(impl_->db,
                        "SELECT id, k FROM (SELECT id, " REPETITION
                        " AS k FROM game WHERE state = 1) WHERE k > 1");
    std::unordered_map<std::int64_t, std::int64_t> found;
    each_row(s, [&found](RowReader& row) {
        const std::int64_t id = row.int64();
        found[id] = row.int64();
    });
    return found;
}

Games::Repetition Games::repetition(const LoggedGame& game) {
    const auto read = [](RowReader& row) {
        const std::int64_t earlier = row.int64(), later = row.int64();
        return Repetition{.number = earlier + 1, .last = later == 0};
    };
    return first_row(impl_->repetition, read, game.id).value_or(Repetition());
}

std::vector<CalibrationSample> Games::calibration_samples(std::int64_t max) {
    SQLite::Statement s(impl_->db,
                        "SELECT played, weight, result, exit_key, "
                        " exit_ply IS NOT NULL AND exit_depth >= 0, exit_cp,"
                        " analysed_cp, ifnull(analysed_nodes, 0), ifnull(opponent, 0),"
                        " own_rating > 0 AND their_rating > 0, " REPETITION
                        " FROM game WHERE state = 1 ORDER BY " PLAYED_ORDER " LIMIT ?1");
    const auto read = [](RowReader& row) {
        CalibrationSample sample{.played = row.int64(),
                                 .evidence = {.weight = row.real(), .result = row.real()}};
        if (const auto key = row.optional_int64())
            sample.exit_key = from_sql(*key);
        const bool has_exit = row.integer() != 0;
        sample.exit_cp = null_if(!has_exit, row.integer());
        sample.analysed_cp = row.optional_integer();
        sample.analysed_nodes = row.int64();
        sample.opponent = row.int64();
        sample.rated = row.integer() != 0;
        sample.repetition = row.int64();
        return sample;
    };
    return all_rows(s, read, max);
}

std::int64_t Games::remove_pending(const std::string& uid) {
    return remove_rows(impl_->db, "game", "state = 0 AND uid = ?1", uid);
}

std::int64_t Games::remove_pending_before(std::int64_t played) {
    return remove_rows(impl_->db, "game", "state = 0 AND played < ?1", played);
}

std::int64_t Games::renumber(GameOrder order, bool* changed) {
    impl_->db.exec(fmt::format("CREATE TEMP TABLE renumbered AS SELECT id, clock AS before,"
                               " count(*) FILTER (WHERE state <> 0) OVER (ORDER BY {}"
                               " ROWS UNBOUNDED PRECEDING) AS number FROM game",
                               order == GameOrder::Played     ? PLAYED_ORDER
                               : order == GameOrder::Imported ? IMPORTED_ORDER
                                                              : "clock, id"));
    const int games = impl_->db.exec("UPDATE game SET clock = number FROM renumbered AS r"
                                     " WHERE game.id = r.id AND clock <> number");
    if (changed)
        *changed = games > 0;
    impl_->db.exec("UPDATE change SET clock = (SELECT ifnull(max(number), 0) FROM renumbered"
                   " WHERE before BETWEEN 1 AND change.clock);"
                   "DROP TABLE renumbered");
    return impl_->number("SELECT ifnull(max(clock), 0) FROM game");
}

Games::Counts Games::counts() {
    SQLite::Statement s(impl_->db,
                        "SELECT count(*), ifnull(sum(state = 1), 0),"
                        " ifnull(sum(state = 1 AND score > 0.75), 0),"
                        " ifnull(sum(state = 1 AND score BETWEEN 0.25 AND 0.75), 0),"
                        " ifnull(sum(state = 1 AND score < 0.25), 0) FROM game");
    const auto read = [](RowReader& row) {
        return Counts{.games = row.int64(),
                      .applied = row.int64(),
                      .wins = row.int64(),
                      .draws = row.int64(),
                      .losses = row.int64()};
    };
    Counts counts = first_row(s, read).value_or(Counts{});
    counts.imported = impl_->number("SELECT ifnull(sum(games), 0) FROM source WHERE kind <> 'own'");
    return counts;
}

bool Games::empty() {
    return impl_->number("SELECT EXISTS (SELECT 1 FROM game)") == 0;
}

std::vector<std::int64_t> Games::content_hashes() {
    SQLite::Statement s(impl_->db, "SELECT content FROM game WHERE score IS NOT NULL");
    return all_rows(s, read_int64);
}

bool Games::was_imported(std::int64_t hash) {
    return first_row(impl_->was_imported, read_int64, hash).has_value();
}

std::int64_t Games::count_imported() {
    return impl_->number("SELECT count(*) FROM imported");
}

void Games::each_imported(const std::function<void(std::int64_t)>& take) {
    SQLite::Statement s(impl_->db, "SELECT hash FROM imported");
    each_row(s, [&take](RowReader& row) { take(row.int64()); });
}

void Games::add_imported(std::span<const std::int64_t> sorted_hashes) {
    constexpr std::size_t RowsPerInsert = 64;
    std::string sql = "INSERT OR IGNORE INTO imported VALUES (?)";
    SQLite::Statement one(impl_->db, sql);
    for (std::size_t i = 1; i < RowsPerInsert; ++i)
        sql += ",(?)";
    SQLite::Statement many(impl_->db, sql);
    while (!sorted_hashes.empty()) {
        const std::size_t rows = sorted_hashes.size() < RowsPerInsert ? 1 : RowsPerInsert;
        SQLite::Statement& s = rows == 1 ? one : many;
        BoundStatement insert(s);
        for (std::size_t i = 0; i < rows; ++i)
            s.bind(static_cast<int>(i) + 1, sorted_hashes[i]);
        insert.run();
        sorted_hashes = sorted_hashes.subspan(rows);
    }
}

std::vector<Source> Games::sources() {
    SQLite::Statement s(impl_->db,
                        "SELECT id, kind, name, digest, bytes, added, games, moves, settings,"
                        " run FROM source ORDER BY id");
    return all_rows(s, [](RowReader& row) {
        return Source{.id = row.int64(),
                      .kind = row.text(),
                      .name = row.text(),
                      .digest = row.text(),
                      .bytes = row.int64(),
                      .added = row.int64(),
                      .games = row.int64(),
                      .moves = row.int64(),
                      .settings = row.text(),
                      .with_previous = row.integer() != 0};
    });
}

std::int64_t Games::add_source(const Source& source) {
    SQLite::Statement s(impl_->db,
                        "INSERT INTO source (kind, name, digest, bytes, added, games, moves,"
                        " settings, run, id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, " +
                            next_id("source") + ")");
    run(s,
        source.kind,
        source.name,
        Blob{source.digest},
        source.bytes,
        source.added,
        source.games,
        source.moves,
        source.settings,
        source.with_previous ? 1 : 0);
    return impl_->db.getLastInsertRowid();
}

void Games::remove_sources(std::span<const std::int64_t> ids) {
    remove_rows(impl_->db, "source", fmt::format("id IN ({})", fmt::join(ids, ",")));
    impl_->db.exec("DELETE FROM kept WHERE " + of_sources(ids));
}

std::vector<Source> Games::read_again_after(std::int64_t id) {
    std::vector<Source> found = sources();
    std::erase_if(found, [id](const Source& source) {
        return source.id <= id || source.kind != "pgn" || source.digest.empty() ||
               source.settings.ends_with(WithDuplicates);
    });
    SQLite::Statement update(impl_->db, "UPDATE source SET digest = x'' WHERE id = ?1");
    for (const Source& source : found)
        run(update, source.id);
    return found;
}
void Games::remove_imported(std::span<const std::int64_t> hashes) {
    SQLite::Statement remove(impl_->db, "DELETE FROM imported WHERE hash = ?1");
    for (const std::int64_t hash : hashes)
        run(remove, hash);
}

void Games::keep(std::int64_t source, const std::string& block) {
    SQLite::Statement add(impl_->db, "INSERT INTO kept (source, games) VALUES (?1, ?2)");
    run(add, source, Blob{block});
}

void Games::each_kept(std::int64_t source, const std::function<void(const std::string&)>& take) {
    SQLite::Statement s(impl_->db, "SELECT games FROM kept WHERE source = ?1 ORDER BY id");
    each_row(
        s, [&take](RowReader& row) { take(row.text()); }, source);
}

bool Games::has_kept(std::int64_t source) {
    return impl_->number(fmt::format("SELECT count(*) FROM kept WHERE source = {}", source)) > 0;
}

std::vector<LoggedGame> Games::with_content(std::int64_t content_hash) {
    return all_rows(impl_->with_content, read_game, content_hash);
}

CountBySource Games::remove_of_sources(std::span<const std::int64_t> sources) {
    auto removed = count_by_source(impl_->db, "game", sources);
    remove_rows(impl_->db, "game", of_sources(sources));
    impl_->remove_idle_opponents();
    return removed;
}

std::int64_t
content_hash(const Position& start, std::span<const engine::Move> moves, double score) {
    Digest digest;
    const engine::Key key = start.key();
    digest.add(std::as_bytes(std::span(&key, 1)));
    digest.add(std::as_bytes(moves));
    const int half_points = static_cast<int>(2 * score);
    digest.add(std::as_bytes(std::span(&half_points, 1)));
    return static_cast<std::int64_t>(digest.finish_word());
}

}  // namespace book
