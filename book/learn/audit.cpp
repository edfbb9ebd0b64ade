#include "book/learn/audit.h"

#include "book/learn/calibration.h"
#include "book/store/changes.h"
#include "book/store/failure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::size_t MaxComplaints = 20;
constexpr double Tolerance = 1e-9;

bool near(double a, double b) {
    return std::abs(a - b) <= Tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

// Everything derived from own games, by primary key, for comparing.
struct Derived {
    std::map<std::tuple<Key, int, int>, Node> nodes;
    std::map<std::tuple<Key, int, int, StoredMove>, Visit> visits;
    std::map<std::pair<std::int64_t, Key>, std::int64_t> lines;
    std::map<std::int64_t, OpponentRecord> opponents;
    std::map<std::tuple<Key, int, int, std::int64_t>, ResultSums> exits, repeats;
};

// Weights are as of the book's clock `now`.
Derived read_derived(Store& store, const Aging& aging, std::int64_t now) {
    Derived d;
    const double fade = 1 / aging.growth(now);
    store.positions.each_node([&](const NodeKey& key, const Node& node) {
        Node& n = d.nodes[{key.key, key.side, static_cast<int>(key.time)}];
        n = node;
        n.weight_sum *= fade;
        n.score_sum *= fade;
        n.exit_weight *= fade;
    });
    store.positions.each_visit([&](const NodeKey& key, const Visit& visit) {
        Visit& v = d.visits[{key.key, key.side, static_cast<int>(key.time), visit.move}];
        v = visit;
        v.weight *= fade;
    });
    const auto faded = [fade](const ResultSums& sums) {
        return ResultSums{.weight = fade * sums.weight, .score = fade * sums.score};
    };
    store.opponents.each_exit([&](const OpponentExit& e) {
        d.exits[{e.exit.key, e.exit.side, static_cast<int>(e.exit.time), e.opponent}] =
            faded(e.sums);
    });
    store.opponents.each_repeat([&](const OpponentRepeat& r) {
        const NodeKey& at = r.position;
        d.repeats[{at.key, at.side, static_cast<int>(at.time), r.opponent}] = faded(r.sums);
    });
    for (const Opponents::Line& line : store.opponents.lines())
        if (line.losses != 0)
            d.lines[{line.opponent, line.key}] = line.losses;
    for (const OpponentRecord& o : store.opponents.all())
        d.opponents[o.id] = o;
    return d;
}

bool same(const Node& a, const Node& b) {
    return a.bits == b.bits && a.rank == b.rank && a.visits == b.visits && a.exits == b.exits &&
           near(a.weight_sum, b.weight_sum) && near(a.score_sum, b.score_sum) && a.cp == b.cp &&
           a.cp_depth == b.cp_depth && a.cp_at == b.cp_at && near(a.value, b.value) &&
           near(a.evidence, b.evidence) && a.clock == b.clock && near(a.exit_weight, b.exit_weight);
}
bool same(const Visit& a, const Visit& b) {
    return a.move == b.move && a.child == b.child && a.visits == b.visits && a.exits == b.exits &&
           a.wins == b.wins && a.draws == b.draws && a.losses == b.losses &&
           near(a.weight, b.weight);
}
bool same(const ResultSums& a, const ResultSums& b) {
    return near(a.weight, b.weight) && near(a.score, b.score);
}
bool same(const OpponentRecord& a, const OpponentRecord& b) {
    return a.games == b.games && a.wins == b.wins && a.draws == b.draws && a.losses == b.losses &&
           near(a.decayed_returns, b.decayed_returns) &&
           near(a.decayed_overperformance, b.decayed_overperformance) && a.last == b.last &&
           a.advantage == b.advantage;
}
bool same(std::int64_t a, std::int64_t b) {
    return a == b;
}

std::string describe(const std::tuple<Key, int, int>& key) {
    return fmt::format("position {:016x}", std::get<0>(key));
}
std::string describe(const std::tuple<Key, int, int, StoredMove>& key) {
    return fmt::format("a move of position {:016x}", std::get<0>(key));
}
std::string describe(const std::tuple<Key, int, int, std::int64_t>& key) {
    return fmt::format("opponent {} at position {:016x}", std::get<3>(key), std::get<0>(key));
}
std::string describe(const std::pair<std::int64_t, Key>& line) {
    return fmt::format("a line of opponent {}", line.first);
}
std::string describe(std::int64_t opponent) {
    return fmt::format("opponent {}", opponent);
}

template <typename Map>
void compare(const Map& found, const Map& expected, std::vector<std::string>& complaints) {
    const auto complain = [&complaints](const auto& key, const char* fault) {
        if (complaints.size() < MaxComplaints)
            complaints.push_back(describe(key) + fault);
    };
    for (const auto& [key, value] : expected) {
        const auto there = found.find(key);
        if (there == found.end())
            complain(key, " is missing");
        else if (!same(there->second, value))
            complain(key, " does not agree with the log of games");
    }
    for (const auto& [key, value] : found)
        if (!expected.contains(key))
            complain(key, " is not in any game of the log");
}

bool is_out_of_date(Store& store) {
    return store.db.number(OldClockName) || store.db.number(OldValuesName);
}

// A book in memory with the same games, opponents and settings, and with what is imported or
// analysed at positions of own games; its derived tables are rebuilt without the games `left_out`.
// The copy of an overlay overlays the same book.
Store rebuilt_copy(Store& store, const std::set<std::int64_t>& left_out = {}) {
    Store copy(":memory:", true);
    copy.track = store.track;
    copy.standard = store.standard;
    copy.overlaid = store.overlaid;
    copy.calibrates = store.calibrates && !measured_in_future(store);
    std::vector<const char*> names{ClockName, ReferenceName, HalfLifeName};
    if (!copy.calibrates)
        names.insert(names.end(), {SigmaName, ExitWorthName, AnalysisWorthName, DeepWorthName});
    for (const char* name : names)
        if (const std::optional<double> value = store.db.number(name))
            copy.db.set_number(name, *value);
    for (const OpponentRecord& o : store.opponents.all())
        copy.opponents.add_known(o);  // with the advantage, where nothing is measured
    store.games.each({}, [&](LoggedGame& g) {
        if (left_out.contains(g.id) && g.state == GameState::Applied)
            g.state = GameState::Unlearned;
        copy.games.put(g);
    });
    std::set<Key> keys;
    store.positions.each_node([&keys](const NodeKey& key, const Node&) { keys.insert(key.key); });
    for (const Key key : keys) {
        std::vector<KeyedEdge> edges;
        for (const Edge& e : store.positions.edges(key))
            edges.push_back({.key = key, .edge = e});
        copy.positions.add_edges(edges, true);
        for (const Analysis& a : store.positions.analyses(key))
            copy.positions.set_analysis(key, a);
    }
    rebuild_derived(copy);
    return copy;
}

void verify_own_games(Store& store, std::vector<std::string>& complaints) {
    Result<Store> copy = guarded([&store] { return rebuilt_copy(store); });
    if (!copy)  // a log that cannot be replayed is a fault of the book, too
        return complaints.push_back(copy.error().what);
    if (store.db.reads_older_format() || is_out_of_date(store))
        return;  // its values are those of the older format
    const Model model = store.model();
    const std::int64_t clock = store.clock();
    const Derived found = read_derived(store, store.aging(model), clock);
    const Derived expected =
        read_derived(*copy, {.half_life = model.half_life, .reference = clock}, clock);
    compare(found.nodes, expected.nodes, complaints);
    compare(found.visits, expected.visits, complaints);
    compare(found.lines, expected.lines, complaints);
    compare(found.opponents, expected.opponents, complaints);
    compare(found.exits, expected.exits, complaints);
    compare(found.repeats, expected.repeats, complaints);
}

void verify_imported_games(Store& store, std::vector<std::string>& complaints) {
    std::int64_t moves = 0;
    for (const Source& source : store.games.sources())
        moves += source.moves;
    const std::int64_t counted = store.positions.counts().occurrences;
    if (moves != counted)
        complaints.push_back(
            fmt::format("the imported files have {} moves, the book counts {}", moves, counted));
}

// Unlearns or relearns games, rebuilds what is derived, and records the change for undo.
std::int64_t change_state(Store& store, GameFilter filter, bool unlearn) {
    Transaction transaction(store.db);
    Change change{.at = seconds_now(), .clock = store.clock()};
    std::vector<std::int64_t>& counted = unlearn ? change.unlearned : change.relearned;
    const auto note = [&](const LoggedGame& g) {
        if (g.evidence.weight > 0)
            counted.push_back(g.id);
        else  // such a game was never applied
            change.replaced.push_back({.id = g.id, .state = g.state, .plies = g.record.game.ply()});
    };
    using States = std::vector<GameState>;
    for (const GameState state :
         unlearn ? States{GameState::Applied, GameState::Rejected} : States{GameState::Unlearned}) {
        filter.state = state;
        store.games.each(filter, note);
        store.games.set_state(filter, unlearn ? GameState::Unlearned : GameState::Applied);
    }
    const auto changed = static_cast<std::int64_t>(counted.size() + change.replaced.size());
    if (changed == 0)
        return 0;
    if (!unlearn)
        for (const Change::Replaced& g : change.replaced)
            store.games.set_state({.id = g.id}, GameState::Rejected);
    change.what = fmt::format(
        "{} {} {}", unlearn ? "unlearned" : "relearned", changed, changed == 1 ? "game" : "games");
    add_change(store.db, change);
    rebuild_derived(store);
    transaction.commit();
    return changed;
}

// Renumbers the clocks of format 2, where the note of a game took a step of its own, and computes
// the derived values of an older format anew.
void bring_up_to_date(Store& store) {
    Transaction transaction(store.db);
    if (!is_out_of_date(store))
        return;  // another process did
    if (store.db.number(OldClockName))
        store.db.set_number(ClockName,
                            static_cast<double>(store.games.renumber(GameOrder::Learned)));
    store.db.erase(OldClockName);
    store.db.erase(OldValuesName);
    rebuild_derived(store);
    transaction.commit();
}

}  // namespace

Store open_store(const std::filesystem::path& file,
                 bool write,
                 std::chrono::milliseconds patience) {
    Store store(file, write, false, patience);
    if (!is_out_of_date(store))
        return store;
    // If it fails, the old clock and values hold until the book is opened again.
    [[maybe_unused]] const Result<void> done = guarded([&] {
        if (!store.db.read_only())
            return bring_up_to_date(store);
        Store writer(file, true, false, patience);
        if (!writer.db.read_only())
            bring_up_to_date(writer);
    });
    return store;
}

void open_overlaid(Store& store) {
    const std::optional<std::string> book = store.db.text(OverlaidName);
    if (!book)
        return;
    // If that fails, the values count no imported games until the engine opens both.
    if (Result<Store> below = guarded([&] { return Store(*book, false); }))
        store.overlaid = std::make_shared<Store>(std::move(*below));
}

Store book_without(Store& store, const std::set<std::int64_t>& games) {
    const ReadTransaction reading(store.db);
    Store without = rebuilt_copy(store, games);
    store.positions.each_flag([&without](Key key, StoredMove move, int flags) {
        without.positions.set_flags(key, move, flags);
    });
    return without;
}

void rebuild(Store& store) {
    Transaction transaction(store.db);
    rebuild_derived(store);
    transaction.commit();
}

std::vector<std::string> verify(Store& store) {
    if (std::string fault = store.db.integrity_check(); !fault.empty())
        return {std::move(fault)};
    const ReadTransaction reading(store.db);
    std::vector<std::string> complaints;
    verify_own_games(store, complaints);
    verify_imported_games(store, complaints);
    return complaints;
}

std::int64_t unlearn(Store& store, const GameFilter& filter) {
    return change_state(store, filter, true);
}
std::int64_t relearn(Store& store, const GameFilter& filter) {
    return change_state(store, filter, false);
}

}  // namespace book
