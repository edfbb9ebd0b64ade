#include "book/store/games.h"

#include "book/model/key.h"
#include "book/store/statement.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace book {
namespace {

using engine::Game;
using engine::Position;

static_assert(std::endian::native == std::endian::little);  // how moves are stored

std::string to_blob(const std::vector<engine::Move>& moves) {
    std::string bytes(2 * moves.size(), '\0');
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const std::uint16_t raw = moves[i].raw();
        std::memcpy(bytes.data() + 2 * i, &raw, 2);
    }
    return bytes;
}

Result<Game> from_blob(const std::string& start, const std::string& bytes) {
    Position pos;
    if (!start.empty()) {
        Result<Position> given = Position::from_fen(start);
        if (!given)
            return tl::unexpected<Error>(given.error());
        pos = *given;
    }
    Game game(pos);
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        std::uint16_t raw = 0;
        std::memcpy(&raw, bytes.data() + i, 2);
        const engine::Move m = engine::Move::from_raw(raw);
        if (!game.position().is_legal(m))
            return fail("move " + std::to_string(i / 2 + 1) + " is not legal");
        game.play(m);
    }
    return game;
}

std::string join(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}
std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end == std::string::npos ? text.size() : end + 1;
    }
    return lines;
}

#define COLUMNS                                                                                    \
    "uid, content, clock, epoch, played, side, opponent, own_rating, their_rating, class, score, " \
    "term, state, exit_ply, exit_cp, exit_depth, weight, result, overperformance, engine, "        \
    "reason, "                                                                                     \
    "start, "                                                                                      \
    "moves, draws, exit_key, analysed_cp"

// True if `game` starts as `part` does and goes on with all of its moves.
bool begins(const Game& game, const Game& part) {
    return part.start().key() == game.start().key() && part.ply() <= game.ply() &&
           std::equal(part.moves().begin(), part.moves().end(), game.moves().begin());
}

// The filter as SQL; parameters are bound by bind().
constexpr const char* Where =
    " WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR epoch = ?2) AND (?3 IS NULL OR played >= ?3)"
    " AND (?4 IS NULL OR opponent = ?4) AND (?5 IS NULL OR state = ?5)";

void bind(SQLite::Statement& s, const GameFilter& f) {
    std::optional<std::int64_t> state;
    if (f.state)
        state = static_cast<int>(*f.state);
    Use(s).with(f.id, f.epoch, f.since, f.opponent, state);
}

class SqliteGames final : public Games {
  public:
    explicit SqliteGames(SQLite::Database& db) : db_(db) {}

    Result<std::optional<LoggedGame>> find(const std::string& uid) override try {
        Use use(find_);
        return one(use.with(uid));
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<std::optional<LoggedGame>> get(std::int64_t id) override try {
        SQLite::Statement s(db_, "SELECT id, " COLUMNS " FROM game WHERE id = ?1");
        return one(Use(s).with(id));
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<std::optional<LoggedGame>> latest() override try {
        SQLite::Statement s(db_, "SELECT id, " COLUMNS " FROM game ORDER BY id DESC LIMIT 1");
        return one(s);
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::optional<LoggedGame>>
    interrupted(const Game& game, engine::Color our_side, std::int64_t opponent) override try {
        // Nobody waits longer with a game, and a log may be long.
        SQLite::Statement s(db_,
                            "SELECT id, " COLUMNS " FROM game WHERE state = 0 AND side = ?1"
                            " AND coalesce(opponent, 0) = ?2"
                            " AND id > (SELECT max(id) FROM game) - 5000 ORDER BY id DESC");
        s.bind(1, int{our_side});
        s.bind(2, opponent);
        Result<std::optional<LoggedGame>> found = one(s);
        while (found && *found && !begins(game, (*found)->record.game))
            found = one(s);
        return found;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<void> put(LoggedGame& g) override try {
        Use use(put_);
        bind_game(g);
        put_.exec();
        if (g.id == 0)
            g.id = db_.getLastInsertRowid();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<void> each(const GameFilter& filter,
                      const std::function<Result<void>(LoggedGame&)>& take) override try {
        SQLite::Statement s(
            db_, std::string("SELECT id, " COLUMNS " FROM game") + Where + " ORDER BY clock, id");
        bind(s, filter);
        while (s.executeStep()) {
            Result<LoggedGame> g = read(s);
            if (!g)
                return tl::unexpected<Error>(g.error());
            if (const Result<void> taken = take(*g); !taken)
                return taken;
        }
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::int64_t> set_state(const GameFilter& filter, GameState state) override try {
        SQLite::Statement s(db_, std::string("UPDATE game SET state = ?6") + Where);
        bind(s, filter);
        s.bind(6, static_cast<int>(state));
        return std::int64_t{s.exec()};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<std::int64_t> last_epoch() override try {
        return number("SELECT ifnull(max(epoch), 0) FROM game");
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<std::int64_t> count_applied() override try {
        Use use(count_applied_);
        count_applied_.executeStep();
        return count_applied_.getColumn(0).getInt64();
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<std::vector<CalibrationSample>> testimonies(std::int64_t first) override try {
        SQLite::Statement s(
            db_,
            "SELECT weight, result, exit_key, exit_ply IS NOT NULL, exit_cp, analysed_cp, "
            "played FROM game WHERE state = 1 ORDER BY played, uid LIMIT ?1");
        s.bind(1, first);
        std::vector<CalibrationSample> found;
        while (s.executeStep()) {
            CalibrationSample t{.played = s.getColumn(6).getInt64(),
                                .evidence = {.weight = s.getColumn(0).getDouble(),
                                             .result = s.getColumn(1).getDouble()}};
            if (!s.getColumn(2).isNull())
                t.exit_key = from_sql(s.getColumn(2).getInt64());
            if (s.getColumn(3).getInt() != 0)
                t.exit_cp = s.getColumn(4).getInt();
            if (!s.getColumn(5).isNull())
                t.analysed_cp = s.getColumn(5).getInt();
            found.push_back(t);
        }
        return found;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::int64_t> order_by_time() override try {
        db_.exec("UPDATE game SET clock = place.number FROM (SELECT id, row_number() OVER"
                 " (ORDER BY played, uid) AS number FROM game) AS place WHERE game.id = place.id");
        return number("SELECT ifnull(max(clock), 0) FROM game");
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<Counts> counts() override try {
        return Counts{
            .games = number("SELECT count(*) FROM game"),
            .applied = number("SELECT count(*) FROM game WHERE state = 1"),
            .wins = number("SELECT count(*) FROM game WHERE state = 1 AND score > 0.75"),
            .draws =
                number("SELECT count(*) FROM game WHERE state = 1 AND score BETWEEN 0.25 AND 0.75"),
            .losses = number("SELECT count(*) FROM game WHERE state = 1 AND score < 0.25"),
            .imported = number("SELECT ifnull(sum(games), 0) FROM source")};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::vector<std::int64_t>> contents() override try {
        SQLite::Statement s(db_, "SELECT content FROM game WHERE score IS NOT NULL");
        std::vector<std::int64_t> found;
        while (s.executeStep())
            found.push_back(s.getColumn(0).getInt64());
        return found;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<bool> was_imported(std::int64_t hash) override try {
        Use use(was_imported_);
        return use.with(hash).executeStep();
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<std::int64_t> count_imported() override try {
        return number("SELECT count(*) FROM imported");
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> each_imported(const std::function<void(std::int64_t)>& take) override try {
        SQLite::Statement s(db_, "SELECT hash FROM imported");
        while (s.executeStep())
            take(s.getColumn(0).getInt64());
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> set_imported(std::span<const std::int64_t> sorted) override try {
        constexpr std::size_t AtOnce = 64;
        std::string sql = "INSERT OR IGNORE INTO imported VALUES (?)";
        for (std::size_t i = 1; i < AtOnce; ++i)
            sql += ",(?)";
        SQLite::Statement many(db_, sql), one(db_, "INSERT OR IGNORE INTO imported VALUES (?)");
        while (!sorted.empty()) {
            const std::size_t n = sorted.size() < AtOnce ? 1 : AtOnce;
            SQLite::Statement& s = n == 1 ? one : many;
            for (std::size_t i = 0; i < n; ++i)
                s.bind(static_cast<int>(i) + 1, sorted[i]);
            s.exec();
            s.reset();
            sorted = sorted.subspan(n);
        }
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::vector<Source>> sources() override try {
        SQLite::Statement s(db_,
                            "SELECT id, kind, name, digest, bytes, added, games, moves, settings "
                            "FROM source ORDER BY id");
        std::vector<Source> found;
        while (s.executeStep())
            found.push_back({.id = s.getColumn(0).getInt64(),
                             .kind = s.getColumn(1).getString(),
                             .name = s.getColumn(2).getString(),
                             .digest = s.getColumn(3).getString(),
                             .bytes = s.getColumn(4).getInt64(),
                             .added = s.getColumn(5).getInt64(),
                             .games = s.getColumn(6).getInt64(),
                             .moves = s.getColumn(7).getInt64(),
                             .settings = s.getColumn(8).getString()});
        return found;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }
    Result<void> add_source(const Source& source) override try {
        SQLite::Statement s(
            db_,
            "INSERT INTO source (kind, name, digest, bytes, added, games, moves, settings)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
        s.bind(1, source.kind);
        s.bind(2, source.name);
        s.bind(3, source.digest.data(), static_cast<int>(source.digest.size()));
        s.bind(4, source.bytes);
        s.bind(5, source.added);
        s.bind(6, source.games);
        s.bind(7, source.moves);
        s.bind(8, source.settings);
        s.exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

  private:
    static tl::unexpected<Error> failure(const SQLite::Exception& e) {
        return fail(std::string("the book's log of games: ") + e.what());
    }
    std::int64_t number(const char* sql) { return db_.execAndGet(sql).getInt64(); }

    static Result<std::optional<LoggedGame>> one(SQLite::Statement& s) {
        if (!s.executeStep())
            return std::optional<LoggedGame>();
        Result<LoggedGame> g = read(s);
        if (!g)
            return tl::unexpected<Error>(g.error());
        return std::optional<LoggedGame>(std::move(*g));
    }

    static Result<LoggedGame> read(SQLite::Statement& s) {
        LoggedGame g;
        g.id = s.getColumn(0).getInt64();
        Result<Game> game = from_blob(s.getColumn(22).getString(), s.getColumn(23).getString());
        if (!game)
            return fail("game " + std::to_string(g.id) +
                        " in the book's log: " + game.error().what);
        GameRecord& r = g.record;
        r.game = std::move(*game);
        r.uid = s.getColumn(1).getString();
        g.clock = s.getColumn(3).getInt64();
        g.epoch = s.getColumn(4).getInt64();
        r.played = s.getColumn(5).getInt64();
        r.our_side = static_cast<engine::Color>(s.getColumn(6).getInt());
        g.opponent_id = s.getColumn(7).getInt64();
        r.our_rating = s.getColumn(8).getInt();
        r.opponent.rating = s.getColumn(9).getInt();
        r.time = static_cast<TimeClass>(s.getColumn(10).getInt());
        r.score = s.getColumn(11).isNull() ? 0.5 : s.getColumn(11).getDouble();
        r.termination = static_cast<Termination>(s.getColumn(12).getInt());
        g.state = static_cast<GameState>(s.getColumn(13).getInt());
        if (!s.getColumn(14).isNull())
            r.exit_ply = s.getColumn(14).getInt();
        r.exit_cp = s.getColumn(15).getInt();
        r.exit_depth = s.getColumn(16).getInt();
        g.evidence = {.weight = s.getColumn(17).getDouble(), .result = s.getColumn(18).getDouble()};
        g.overperformance = s.getColumn(19).getDouble();
        r.engine = s.getColumn(20).getString();
        r.reason = s.getColumn(21).getString();
        r.draws = split(s.getColumn(24).getString());
        if (!s.getColumn(25).isNull())
            g.exit_key = from_sql(s.getColumn(25).getInt64());
        if (!s.getColumn(26).isNull())
            g.analysed_cp = s.getColumn(26).getInt();
        return g;
    }

    void bind_game(const LoggedGame& g) {
        const GameRecord& r = g.record;
        const double white = r.our_side == engine::White ? r.score : 1 - r.score;
        const std::string moves = to_blob(r.game.moves());
        int i = 0;
        SQLite::Statement& s = put_;
        g.id == 0 ? s.bind(++i) : s.bind(++i, g.id);
        s.bind(++i, r.uid);
        s.bind(++i, content_hash(r.game.start(), r.game.moves(), white));
        s.bind(++i, g.clock);
        s.bind(++i, g.epoch);
        s.bind(++i, r.played);
        s.bind(++i, int{r.our_side});
        g.opponent_id == 0 ? s.bind(++i) : s.bind(++i, g.opponent_id);
        s.bind(++i, r.our_rating);
        s.bind(++i, r.opponent.rating);
        s.bind(++i, static_cast<int>(r.time));
        g.state == GameState::Pending ? s.bind(++i) : s.bind(++i, r.score);
        s.bind(++i, static_cast<int>(r.termination));
        s.bind(++i, static_cast<int>(g.state));
        r.exit_ply ? s.bind(++i, *r.exit_ply) : s.bind(++i);
        s.bind(++i, r.exit_cp);
        s.bind(++i, r.exit_depth);
        s.bind(++i, g.evidence.weight);
        s.bind(++i, g.evidence.result);
        s.bind(++i, g.overperformance);
        s.bind(++i, r.engine);
        s.bind(++i, r.reason);
        r.game.starts_normally() ? s.bind(++i) : s.bind(++i, r.game.start().fen());
        s.bind(++i, moves.data(), static_cast<int>(moves.size()));
        s.bind(++i, join(r.draws));
        g.exit_key ? s.bind(++i, to_sql(*g.exit_key)) : s.bind(++i);
        g.analysed_cp ? s.bind(++i, *g.analysed_cp) : s.bind(++i);
    }

    SQLite::Database& db_;
    SQLite::Statement find_{db_, "SELECT id, " COLUMNS " FROM game WHERE uid = ?1"};
    SQLite::Statement put_{db_,
                           "INSERT OR REPLACE INTO game (id, " COLUMNS
                           ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
    SQLite::Statement count_applied_{db_, "SELECT count(*) FROM game WHERE state = 1"};
    SQLite::Statement was_imported_{db_, "SELECT 1 FROM imported WHERE hash = ?1"};
};

#undef COLUMNS

}  // namespace

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

Result<std::unique_ptr<Games>> Games::on(Database& db) try {
    return std::make_unique<SqliteGames>(db.handle());
} catch (const SQLite::Exception& e) {
    return fail(std::string("the book lacks a table: ") + e.what());
}

}  // namespace book
