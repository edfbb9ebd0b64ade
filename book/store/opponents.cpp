#include "book/store/opponents.h"

#include "book/store/statement.h"
#include "book/types.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace book {
namespace {

constexpr double Memory = 0.96;    // of one game's overperformance at the next
constexpr double FewestGames = 6;  // before anybody is suspected
constexpr std::int64_t FewestLosses = 2, MostLosses = 4;  // of a line, for the guard

std::string server_of(const Opponent& o) {
    return o.server == "-" ? "" : o.server;
}

OpponentRecord read(SQLite::Statement& s) {
    return {.id = s.getColumn(0).getInt64(),
            .name = s.getColumn(1).getString(),
            .server = s.getColumn(2).getString(),
            .computer = s.getColumn(3).getInt() != 0,
            .rating = s.getColumn(4).getInt(),
            .games = s.getColumn(5).getInt64(),
            .wins = s.getColumn(6).getInt64(),
            .draws = s.getColumn(7).getInt64(),
            .losses = s.getColumn(8).getInt64(),
            .sn = s.getColumn(9).getDouble(),
            .ss = s.getColumn(10).getDouble(),
            .last = s.getColumn(11).getInt64()};
}

#define COLUMNS "id, name, server, computer, rating, games, wins, draws, losses, sn, ss, last"

class SqliteOpponents final : public Opponents {
  public:
    explicit SqliteOpponents(SQLite::Database& db) : db_(db) {}

    Result<std::int64_t> identify(const Opponent& o) override try {
        const std::string name = identity(o.name);
        if (name.empty())
            return 0;
        if (const auto known = find_by_name(name, server_of(o)))
            return known->id;
        SQLite::Statement add(
            db_, "INSERT INTO opponent (name, server, computer, rating) VALUES (?1, ?2, ?3, ?4)");
        Use(add).with(name, server_of(o), o.computer ? 1 : 0, o.rating).exec();
        return db_.getLastInsertRowid();
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::optional<OpponentRecord>> find(const Opponent& o) override try {
        const std::string name = identity(o.name);
        return name.empty() ? std::optional<OpponentRecord>() : find_by_name(name, server_of(o));
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::optional<OpponentRecord>> get(std::int64_t id) override try {
        return by_id(id);
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::vector<OpponentRecord>> all() override try {
        SQLite::Statement s(db_, "SELECT " COLUMNS " FROM opponent ORDER BY games DESC, name");
        std::vector<OpponentRecord> found;
        while (s.executeStep())
            found.push_back(read(s));
        return found;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<void> add_game(std::int64_t id,
                          int rating,
                          double score,
                          double overperformance,
                          std::int64_t played,
                          const std::vector<Key>& lines) override try {
        std::optional<OpponentRecord> o = by_id(id);
        if (!o)
            return fail("the log names opponent " + std::to_string(id) +
                        ", who is not in the book");
        Use(add_game_)
            .with(id,
                  score > 0.75 ? 1 : 0,
                  score > 0.25 && score < 0.75 ? 1 : 0,
                  score < 0.25 ? 1 : 0,
                  Memory * o->sn + 1,
                  Memory * o->ss + overperformance,
                  played,
                  rating)
            .exec();
        for (const Key key : lines)
            count_line(id, key, score, played);
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::int64_t> losses(std::int64_t id, Key key) override try {
        Use use(losses_);
        return use.with(id, to_sql(key)).executeStep() ? long_column(losses_, 0) : 0;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<void> add_known(const OpponentRecord& o) override try {
        SQLite::Statement s(db_,
                            "INSERT INTO opponent (id, name, server, computer, rating) VALUES (?1, "
                            "?2, ?3, ?4, ?5)");
        Use(s).with(o.id, o.name, o.server, o.computer ? 1 : 0, o.rating).exec();
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<void> forget_games() override try {
        db_.exec("DELETE FROM opponent_line;"
                 "UPDATE opponent SET games = 0, wins = 0, draws = 0, losses = 0, sn = 0, ss = 0, "
                 "last = 0");
        return {};
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

    Result<std::vector<Line>> lines() override try {
        SQLite::Statement s(
            db_, "SELECT opponent, key, losses FROM opponent_line ORDER BY opponent, key");
        std::vector<Line> found;
        while (s.executeStep())
            found.push_back({.opponent = s.getColumn(0).getInt64(),
                             .key = from_sql(s.getColumn(1).getInt64()),
                             .losses = s.getColumn(2).getInt64()});
        return found;
    } catch (const SQLite::Exception& e) {
        return failure(e);
    }

  private:
    static tl::unexpected<Error> failure(const SQLite::Exception& e) {
        return fail(std::string("the book's opponents: ") + e.what());
    }
    std::optional<OpponentRecord> find_by_name(const std::string& name, const std::string& server) {
        Use use(by_name_);
        return use.with(name, server).executeStep() ? std::optional(read(by_name_)) : std::nullopt;
    }
    std::optional<OpponentRecord> by_id(std::int64_t id) {
        Use use(by_id_);
        return use.with(id).executeStep() ? std::optional(read(by_id_)) : std::nullopt;
    }
    // A win wipes the slate, a draw takes one off, a loss adds one.
    void count_line(std::int64_t id, Key key, double score, std::int64_t played) {
        SQLite::Statement& s = score > 0.75 ? line_won_ : score > 0.25 ? line_drawn_ : line_lost_;
        Use(s).with(id, to_sql(key), played).exec();
    }

    SQLite::Database& db_;
    SQLite::Statement by_name_{db_,
                               "SELECT " COLUMNS " FROM opponent WHERE name = ?1 AND server = ?2"};
    SQLite::Statement by_id_{db_, "SELECT " COLUMNS " FROM opponent WHERE id = ?1"};
    SQLite::Statement add_game_{
        db_,
        "UPDATE opponent SET games = games + 1, wins = wins + ?2, draws = draws + ?3,"
        " losses = losses + ?4, sn = ?5, ss = ?6, last = max(last, ?7),"
        " rating = CASE WHEN ?8 > 0 THEN ?8 ELSE rating END WHERE id = ?1"};
    SQLite::Statement line_won_{
        db_, "DELETE FROM opponent_line WHERE opponent = ?1 AND key = ?2 AND ?3 = ?3"};
    SQLite::Statement line_drawn_{db_,
                                  "UPDATE opponent_line SET losses = max(0, losses - 1), last = ?3"
                                  " WHERE opponent = ?1 AND key = ?2"};
    SQLite::Statement line_lost_{
        db_,
        "INSERT INTO opponent_line VALUES (?1, ?2, 1, ?3)"
        " ON CONFLICT (opponent, key) DO UPDATE SET losses = losses + 1, last = ?3"};
    SQLite::Statement losses_{db_,
                              "SELECT losses FROM opponent_line WHERE opponent = ?1 AND key = ?2"};
};

#undef COLUMNS

}  // namespace

std::string identity(const std::string& name) {
    std::string plain = name.substr(0, name.find('('));
    while (!plain.empty() && std::isspace(static_cast<unsigned char>(plain.back())) != 0)
        plain.pop_back();
    std::string lower = plain;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    // FICS calls its guests Guest and four letters.
    return lower.starts_with("guest") && lower.size() <= 9 ? "guest" : plain;
}

bool is_suspicious(const Model& model, const OpponentRecord& o) {
    return o.sn >= FewestGames && -o.ss > model.guard_hot * model.sigma * std::sqrt(o.sn);
}

double guard(const Model& model, std::int64_t losses) {
    return losses < FewestLosses ? 0
                                 : model.guard * static_cast<double>(std::min(losses, MostLosses));
}

Result<std::unique_ptr<Opponents>> Opponents::on(Database& db) try {
    return std::make_unique<SqliteOpponents>(db.handle());
} catch (const SQLite::Exception& e) {
    return fail(std::string("the book lacks a table: ") + e.what());
}

}  // namespace book
