#include "book/learn/audit.h"

#include "book/store/changes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

namespace book {
namespace {

constexpr std::size_t MostComplaints = 20;
constexpr double Tolerance = 1e-9;

bool near(double a, double b) {
    return std::abs(a - b) <= Tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

std::string hex(Key key) {
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(key));
    return text.data();
}

// Everything derived from own games, by name, for comparing.
struct Derived {
    std::map<std::tuple<Key, int, int>, Node> nodes;
    std::map<std::tuple<Key, int, int, StoredMove>, Visit> visits;
    std::map<std::pair<std::int64_t, Key>, std::int64_t> lines;
    std::map<std::int64_t, OpponentRecord> opponents;
};

Result<Derived> read_derived(Store& store, const Aging& aging, std::int64_t now) {
    Derived d;
    const double fade = 1 / aging.growth(now);
    Result<void> read = store.positions->each_node([&](const NodeKey& name, const Node& node) {
        Node& n = d.nodes[{name.key, name.side, static_cast<int>(name.time)}];
        n = node;
        n.s0 *= fade;
        n.s1 *= fade;
    });
    if (read)
        read = store.positions->each_visit([&](const NodeKey& name, const Visit& visit) {
            d.visits[{name.key, name.side, static_cast<int>(name.time), visit.move}] = visit;
        });
    if (!read)
        return tl::unexpected<Error>(read.error());
    const Result<std::vector<Opponents::Line>> lines = store.opponents->lines();
    const Result<std::vector<OpponentRecord>> all = store.opponents->all();
    if (!lines || !all)
        return tl::unexpected<Error>(!lines ? lines.error() : all.error());
    for (const Opponents::Line& line : *lines)
        if (line.losses != 0)
            d.lines[{line.opponent, line.key}] = line.losses;
    for (const OpponentRecord& o : *all)
        d.opponents[o.id] = o;
    return d;
}

bool same(const Node& a, const Node& b) {
    return a.bits == b.bits && a.rank == b.rank && a.n == b.n && a.exits == b.exits &&
           near(a.s0, b.s0) && near(a.s1, b.s1) && a.cp == b.cp && a.cp_depth == b.cp_depth &&
           a.cp_at == b.cp_at && near(a.v, b.v) && near(a.e, b.e) && a.t == b.t;
}
bool same(const Visit& a, const Visit& b) {
    return a.child == b.child && a.n == b.n && a.exits == b.exits && a.wins == b.wins &&
           a.draws == b.draws && a.losses == b.losses;
}
bool same(const OpponentRecord& a, const OpponentRecord& b) {
    return a.games == b.games && a.wins == b.wins && a.draws == b.draws && a.losses == b.losses &&
           near(a.sn, b.sn) && near(a.ss, b.ss) && a.last == b.last;
}
bool same(std::int64_t a, std::int64_t b) {
    return a == b;
}

std::string describe(const std::tuple<Key, int, int>& name) {
    return "position " + hex(std::get<0>(name));
}
std::string describe(const std::tuple<Key, int, int, StoredMove>& name) {
    return "a move of position " + hex(std::get<0>(name));
}
std::string describe(const std::pair<std::int64_t, Key>& name) {
    return "a line of opponent " + std::to_string(name.first);
}
std::string describe(std::int64_t id) {
    return "opponent " + std::to_string(id);
}

template <typename Map>
void compare(const Map& found, const Map& expected, std::vector<std::string>& complaints) {
    const auto complain = [&complaints](const std::string& text) {
        if (complaints.size() < MostComplaints)
            complaints.push_back(text);
    };
    for (const auto& [name, value] : expected) {
        const auto there = found.find(name);
        if (there == found.end())
            complain(describe(name) + " is missing");
        else if (!same(there->second, value))
            complain(describe(name) + " does not agree with the log of games");
    }
    for (const auto& [name, value] : found)
        if (!expected.contains(name))
            complain(describe(name) + " is in no game of the log");
}

// A book in memory with the same games, opponents, constants, and what is imported at own
// positions.
Result<Store> copy_of(Store& store) {
    Result<Store> copy = Store::open(":memory:", true);
    if (!copy)
        return copy;
    Result<void> done;
    copy->track = store.track;
    copy->standard = store.standard;
    copy->calibrates = store.calibrates;
    for (const char* name : {ClockName, ReferenceName, HalfLifeName}) {
        const Result<std::optional<double>> value = store.db->number(name);
        if (!value)
            return tl::unexpected<Error>(value.error());
        if (*value && done)
            done = copy->db->set_number(name, **value);
    }
    const Result<std::vector<OpponentRecord>> opponents = store.opponents->all();
    if (!opponents)
        return tl::unexpected<Error>(opponents.error());
    for (const OpponentRecord& o : *opponents)
        if (done)
            done = copy->opponents->add_known(o);
    if (done)
        done = store.games->each({}, [&copy](LoggedGame& g) { return copy->games->put(g); });
    std::vector<Key> keys;
    if (done)
        done = store.positions->each_node(
            [&keys](const NodeKey& name, const Node&) { keys.push_back(name.key); });
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const Key key : keys) {
        const Result<std::vector<Edge>> edges = store.positions->edges(key);
        const Result<std::vector<Analysis>> analyses = store.positions->analyses(key);
        if (!edges || !analyses)
            return tl::unexpected<Error>(!edges ? edges.error() : analyses.error());
        std::vector<KeyedEdge> keyed;
        for (const Edge& e : *edges)
            keyed.push_back({.key = key, .edge = e});
        if (done)
            done = copy->positions->add_edges(keyed, true);
        for (const Analysis& a : *analyses)
            if (done)
                done = copy->positions->set_analysis(key, a);
    }
    if (!done)
        return tl::unexpected<Error>(done.error());
    return copy;
}

Result<std::vector<std::string>> verify_own(Store& store) {
    std::vector<std::string> complaints;
    Result<Store> copy = copy_of(store);
    if (!copy)
        return std::vector<std::string>{copy.error().what};
    const Result<Model> model = store.model();
    const Result<std::int64_t> clock = store.clock();
    if (!model || !clock)
        return tl::unexpected<Error>(!model ? model.error() : clock.error());
    const Result<Aging> aging = store.aging(*model);
    if (!aging)
        return tl::unexpected<Error>(aging.error());
    if (const Result<void> made = rebuild_derived(*copy); !made)
        return std::vector<std::string>{made.error().what};
    const Result<Derived> found = read_derived(store, *aging, *clock);
    const Result<Derived> expected =
        read_derived(*copy, {.half_life = model->half_life, .reference = *clock}, *clock);
    if (!found || !expected)
        return tl::unexpected<Error>(!found ? found.error() : expected.error());
    compare(found->nodes, expected->nodes, complaints);
    compare(found->visits, expected->visits, complaints);
    compare(found->lines, expected->lines, complaints);
    compare(found->opponents, expected->opponents, complaints);
    return complaints;
}

Result<void> verify_imported(Store& store, std::vector<std::string>& complaints) {
    const Result<Positions::Counts> counts = store.positions->counts();
    const Result<std::vector<Source>> sources = store.games->sources();
    if (!counts || !sources)
        return tl::unexpected<Error>(!counts ? counts.error() : sources.error());
    std::int64_t moves = 0;
    for (const Source& source : *sources)
        moves += source.moves;
    if (moves != counts->occurrences)
        complaints.push_back("the imported files have " + std::to_string(moves) +
                             " moves, the book counts " + std::to_string(counts->occurrences));
    return {};
}

}  // namespace

Result<void> rebuild(Store& store) {
    Result<Transaction> transaction = begin_writing(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    if (const Result<void> made = rebuild_derived(store); !made)
        return made;
    return transaction->commit();
}

Result<std::vector<std::string>> verify(Store& store) {
    const Result<std::string> structure = store.db->check();
    if (!structure)
        return tl::unexpected<Error>(structure.error());
    if (!structure->empty())
        return std::vector<std::string>{*structure};
    const Result<Reading> reading = Reading::begin(*store.db);
    if (!reading)
        return tl::unexpected<Error>(reading.error());
    Result<std::vector<std::string>> complaints = verify_own(store);
    if (complaints)
        if (const Result<void> done = verify_imported(store, *complaints); !done)
            complaints = tl::unexpected<Error>(done.error());
    return complaints;
}

namespace {

// Sets the state of the games and makes the book anew; the act can be taken back.
Result<std::int64_t> change_state(Store& store, GameFilter filter, GameState from, GameState to) {
    Result<Transaction> transaction = begin_writing(*store.db);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    filter.state = from;
    std::vector<std::int64_t> ids;
    Result<void> done = store.games->each(filter, [&ids](LoggedGame& g) -> Result<void> {
        ids.push_back(g.id);
        return {};
    });
    const Result<std::int64_t> clock = store.clock();
    if (!done || !clock)
        return tl::unexpected<Error>(!done ? done.error() : clock.error());
    if (ids.empty())
        return 0;
    const Result<std::int64_t> changed = store.games->set_state(filter, to);
    if (!changed)
        return changed;
    const bool forgets = to == GameState::Unlearned;
    Change change{.at = std::time(nullptr),
                  .clock = *clock,
                  .what = std::string(forgets ? "unlearned " : "relearned ") +
                          std::to_string(*changed) + (*changed == 1 ? " game" : " games")};
    (forgets ? change.unlearned : change.relearned) = std::move(ids);
    done = add_change(*store.db, change);
    if (done)
        done = rebuild_derived(store);
    if (done)
        done = transaction->commit();
    if (!done)
        return tl::unexpected<Error>(done.error());
    return changed;
}

}  // namespace

Result<std::int64_t> unlearn(Store& store, const GameFilter& filter) {
    return change_state(store, filter, GameState::Applied, GameState::Unlearned);
}
Result<std::int64_t> relearn(Store& store, const GameFilter& filter) {
    return change_state(store, filter, GameState::Unlearned, GameState::Applied);
}

}  // namespace book
