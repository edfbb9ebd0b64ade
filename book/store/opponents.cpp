#include "book/store/opponents.h"

#include "book/model/letter_case.h"
#include "book/model/utf8.h"
#include "book/store/failure.h"
#include "book/store/statement.h"
#include "book/types.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace book {
namespace {

constexpr double Decay = 0.96;         // of the weight of earlier returns with each return
constexpr double MinReturns = 2.5;     // decayed: three games
constexpr std::int64_t MaxLosses = 4;  // of a line that count for the penalty

// Removes a title in brackets from the end: an asterisk, or at most three capital letters.
bool remove_title(std::string& name) {
    const std::size_t open = name.rfind('(');
    if (open == std::string::npos || !name.ends_with(')'))
        return false;
    const std::string_view title = std::string_view(name).substr(open + 1, name.size() - open - 2);
    const bool is_title =
        title == "*" ||
        (!title.empty() && title.size() <= 3 &&
         std::all_of(title.begin(), title.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
    if (is_title)
        name.resize(open);
    return is_title;
}

std::string server_of(const Opponent& o) {
    return o.server == "-" ? "" : o.server;
}

#define COLUMNS                                                                                    \
    "id, name, server, computer, rating, games, wins, draws, losses, sn, ss, last, advantage"
OpponentRecord read_opponent(RowReader& row) {
    return {.id = row.int64(),
            .name = row.text(),
            .server = row.text(),
            .computer = row.integer() != 0,
            .rating = row.integer(),
            .games = row.int64(),
            .wins = row.int64(),
            .draws = row.int64(),
            .losses = row.int64(),
            .decayed_returns = row.real(),
            .decayed_overperformance = row.real(),
            .last = row.int64(),
            .advantage = row.real()};
}

// key, side, class
NodeKey read_node_key(RowReader& row) {
    return {.key = from_sql(row.int64()),
            .side = static_cast<Color>(row.integer()),
            .time = static_cast<TimeClass>(row.integer())};
}

ResultSums read_sums(RowReader& row) {
    return {.weight = row.real(), .score = row.real()};
}

#define SELECT_EXITS                                                                               \
    "SELECT key, side, class, opponent, s0, s1, t, ifnull(o.advantage, 0) FROM opponent_exit"      \
    " LEFT JOIN opponent AS o ON o.id = opponent"
OpponentExit read_exit(RowReader& row) {
    return {.exit = read_node_key(row),
            .opponent = row.int64(),
            .sums = read_sums(row),
            .clock = row.int64(),
            .advantage = row.real()};
}

#define SELECT_REPEATS "SELECT opponent, key, side, class, s0, s1 FROM opponent_repeat"
OpponentRepeat read_repeat(RowReader& row) {
    return {.opponent = row.int64(), .position = read_node_key(row), .sums = read_sums(row)};
}

}  // namespace

struct Opponents::Impl {
    std::shared_ptr<SQLite::Database> connection;
    SQLite::Database& db = *connection;
    SQLite::Statement by_name{db,
                              "SELECT " COLUMNS " FROM opponent WHERE name = ?1 AND server = ?2"};
    SQLite::Statement by_id{db, "SELECT " COLUMNS " FROM opponent WHERE id = ?1"};
    KeptStatement add_game{
        db,
        "UPDATE opponent SET games = games + 1, wins = wins + ?2, draws = draws + ?3,"
        " losses = losses + ?4, sn = ?5, ss = ?6,"
        " last = iif(last = 0 OR ?7 = 0, last + ?7, max(last, ?7)),"  // 0: unknown
        " rating = CASE WHEN ?8 > 0 THEN ?8 ELSE rating END WHERE id = ?1"};
    // A win deletes the row of a line, a draw subtracts one loss, a loss adds one.
    SQLite::Statement line_won{
        db, "DELETE FROM opponent_line WHERE opponent = ?1 AND key = ?2 AND ?3 = ?3"};
    SQLite::Statement line_drawn{db,
                                 "UPDATE opponent_line SET losses = max(0, losses - 1), last = ?3"
                                 " WHERE opponent = ?1 AND key = ?2"};
    SQLite::Statement line_lost{
        db,
        "INSERT INTO opponent_line VALUES (?1, ?2, 1, ?3)"
        " ON CONFLICT (opponent, key) DO UPDATE SET losses = losses + 1, last = ?3"};
    SQLite::Statement losses{db,
                             "SELECT losses FROM opponent_line WHERE opponent = ?1 AND key = ?2"};
    SQLite::Statement exits{
        db, SELECT_EXITS " WHERE key = ?1 AND side = ?2 AND class = ?3 ORDER BY opponent"};
    SQLite::Statement repeats{
        db, SELECT_REPEATS " WHERE opponent = ?1 AND key = ?2 AND side = ?3 ORDER BY class"};
    KeptStatement add_exit{
        db,
        "INSERT INTO opponent_exit VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        " ON CONFLICT (key, side, class, opponent) DO UPDATE SET s0 = s0 + excluded.s0,"
        " s1 = s1 + excluded.s1, t = max(t, excluded.t)"};
    KeptStatement add_repeat{
        db,
        "INSERT INTO opponent_repeat VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        " ON CONFLICT (opponent, key, side, class) DO UPDATE SET s0 = s0 + excluded.s0,"
        " s1 = s1 + excluded.s1"};
};

Opponents::Opponents(Database& db) : impl_(new Impl{db.connection()}) {}
Opponents::Opponents(Opponents&&) noexcept = default;
Opponents& Opponents::operator=(Opponents&&) noexcept = default;
Opponents::~Opponents() = default;

std::int64_t Opponents::identify(const Opponent& o) {
    const std::string name = identity(o.name);
    if (name.empty())
        return 0;
    if (const auto known = find(o)) {
        if (!equal_ignoring_case(known->name, name)) {
            SQLite::Statement rename(impl_->db, "UPDATE opponent SET name = ?2 WHERE id = ?1");
            run(rename, known->id, name);
        }
        return known->id;
    }
    SQLite::Statement add(
        impl_->db, "INSERT INTO opponent (name, server, computer, rating) VALUES (?1, ?2, ?3, ?4)");
    run(add, name, server_of(o), o.computer ? 1 : 0, o.rating);
    return impl_->db.getLastInsertRowid();
}

std::optional<OpponentRecord> Opponents::find(const Opponent& o) {
    const std::string name = identity(o.name);
    if (name.empty())
        return std::nullopt;
    if (auto known = first_row(impl_->by_name, read_opponent, name, server_of(o)))
        return known;
    // Earlier versions stored the bots of lichess with their title.
    return first_row(impl_->by_name, read_opponent, "BOT " + name, server_of(o));
}

std::optional<OpponentRecord> Opponents::get(std::int64_t id) {
    return first_row(impl_->by_id, read_opponent, id);
}

std::vector<OpponentRecord> Opponents::all() {
    SQLite::Statement s(impl_->db, "SELECT " COLUMNS " FROM opponent ORDER BY games DESC, name");
    return all_rows(s, read_opponent);
}

#undef COLUMNS

void Opponents::add_game(std::int64_t id,
                         int rating,
                         double score,
                         double overperformance,
                         std::int64_t played,
                         const std::vector<Key>& lines,
                         std::optional<Key> exit) {
    const std::optional<OpponentRecord> o = get(id);
    if (!o)
        throw Failure(fmt::format("the log names opponent {}, who is not in the book", id));
    const bool returned = exit && losses(id, *exit) > 0;
    const OwnResult outcome = outcome_of(score);
    run(*impl_->add_game,
        id,
        int{outcome == OwnResult::Won},
        int{outcome == OwnResult::Drawn},
        int{outcome == OwnResult::Lost},
        returned ? Decay * o->decayed_returns + 1 : o->decayed_returns,
        returned ? Decay * o->decayed_overperformance + overperformance
                 : o->decayed_overperformance,
        played,
        rating);
    std::set<Key> keys(lines.begin(), lines.end());
    if (exit)
        keys.insert(*exit);
    for (const Key key : keys)
        run(*by_outcome(score, &impl_->line_won, &impl_->line_drawn, &impl_->line_lost),
            id,
            to_sql(key),
            played);
}

std::int64_t Opponents::losses(std::int64_t id, Key key) {
    const auto read = [](RowReader& row) { return row.int64(); };
    return first_row(impl_->losses, read, id, to_sql(key)).value_or(0);
}

void Opponents::add_exit(const OpponentExit& e) {
    run(*impl_->add_exit,
        to_sql(e.exit.key),
        int{e.exit.side},
        static_cast<int>(e.exit.time),
        e.opponent,
        e.sums.weight,
        e.sums.score,
        e.clock);
}

std::vector<OpponentExit> Opponents::exits(const NodeKey& k) {
    return all_rows(impl_->exits, read_exit, to_sql(k.key), int{k.side}, static_cast<int>(k.time));
}

void Opponents::each_exit(const std::function<void(const OpponentExit&)>& take) {
    SQLite::Statement s(impl_->db, SELECT_EXITS " ORDER BY key, side, class, opponent");
    each_row(s, [&take](RowReader& row) { take(read_exit(row)); });
}

void Opponents::add_repeat(const OpponentRepeat& r) {
    run(*impl_->add_repeat,
        r.opponent,
        to_sql(r.position.key),
        int{r.position.side},
        static_cast<int>(r.position.time),
        r.sums.weight,
        r.sums.score);
}

std::vector<OpponentRepeat> Opponents::repeats(std::int64_t opponent, Key key, Color side) {
    return all_rows(impl_->repeats, read_repeat, opponent, to_sql(key), int{side});
}

void Opponents::each_repeat(const std::function<void(const OpponentRepeat&)>& take) {
    SQLite::Statement s(impl_->db, SELECT_REPEATS);
    each_row(s, [&take](RowReader& row) { take(read_repeat(row)); });
}

bool Opponents::set_advantages(const std::map<std::int64_t, double>& by_opponent) {
    SQLite::Statement set(impl_->db, "UPDATE opponent SET advantage = ?2 WHERE id = ?1");
    bool changed = false;
    for (const OpponentRecord& o : all()) {
        const auto measured = by_opponent.find(o.id);
        const double advantage = measured == by_opponent.end() ? 0 : measured->second;
        if (advantage == o.advantage)
            continue;
        run(set, o.id, advantage);
        changed = true;
    }
    return changed;
}

void Opponents::add_known(const OpponentRecord& o) {
    SQLite::Statement s(impl_->db,
                        "INSERT INTO opponent (id, name, server, computer, rating, advantage)"
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    run(s, o.id, o.name, o.server, o.computer ? 1 : 0, o.rating, o.advantage);
}

void Opponents::clear_games() {
    impl_->db.exec("DELETE FROM opponent_line; DELETE FROM opponent_exit;"
                   "DELETE FROM opponent_repeat;"
                   "UPDATE opponent SET games = 0, wins = 0, draws = 0, losses = 0, sn = 0,"
                   " ss = 0, last = 0, rating = 0");
}

std::vector<Opponents::Line> Opponents::lines() {
    SQLite::Statement s(impl_->db,
                        "SELECT opponent, key, losses FROM opponent_line ORDER BY opponent, key");
    return all_rows(s, [](RowReader& row) {
        return Line{.opponent = row.int64(), .key = from_sql(row.int64()), .losses = row.int64()};
    });
}

std::string identity(const std::string& name) {
    const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    std::string plain(std::find_if_not(name.begin(), name.end(), is_blank), name.end());
    do {
        while (!plain.empty() && is_blank(plain.back()))
            plain.pop_back();
    } while (remove_title(plain));
    // FICS calls its guests Guest and four letters.
    return lower(plain).starts_with("guest") && plain.size() <= 9 ? "guest" : plain;
}

std::string player_key(const std::string& name) {
    constexpr std::string_view Title = "bot ";
    const std::string key = lower(utf8_of(identity(name)));
    return key.starts_with(Title) ? key.substr(Title.size()) : key;
}

bool is_suspicious(const Model& model, const OpponentRecord& o) {
    // Measured strength beyond the ratings is no sign of preparation.
    const double expected = o.advantage * o.decayed_returns;
    return o.decayed_returns >= MinReturns &&
           expected - o.decayed_overperformance >
               model.suspicion * model.sigma * std::sqrt(o.decayed_returns);
}

double opponent_penalty(const Model& model, std::int64_t losses) {
    return model.opponent_penalty * static_cast<double>(std::min(losses, MaxLosses));
}

}  // namespace book
