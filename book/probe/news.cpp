#include "book/probe/news.h"

#include "book/learn/audit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

namespace book {
namespace {

constexpr const char* VisitName = "last visit";
constexpr double MinChange = 0.005;  // of a value
constexpr double Played = 0.1,
                 NotPlayed = 0.02;  // probabilities, before and after a move was dropped

struct Place {
    engine::Game game{};
    Color side = engine::White;
    TimeClass time = TimeClass::Blitz;
};

// The positions inside the book where we were to move, each once. Only of games from the standard
// start, since a list of moves is read from there.
std::vector<Place> places_of(Store& store, const std::vector<std::int64_t>& games) {
    std::map<std::pair<Key, Color>, Place> places;
    for (const std::int64_t id : games) {
        const std::optional<LoggedGame> logged = store.games.get(id);
        const std::optional<Track> track = logged ? track_of(logged->record, true) : std::nullopt;
        if (!track || !logged->record.game.starts_normally())
            continue;
        const GameRecord& r = logged->record;
        engine::Game game(r.game.start());
        for (std::size_t i = 0; i <= track->steps.size(); ++i) {
            if (game.position().side_to_move() == r.our_side)
                places.try_emplace({game.position().key(), r.our_side},
                                   Place{.game = game, .side = r.our_side, .time = r.time});
            if (i < track->steps.size())
                game.play(r.game.moves()[i]);
        }
    }
    std::vector<Place> found;
    found.reserve(places.size());
    for (auto& [key, place] : places)
        found.push_back(std::move(place));
    return found;
}

struct Seen {
    PositionView view;
    std::set<StoredMove> candidates{};  // moves of the book
    [[nodiscard]] const BookMove* find(StoredMove move) const {
        for (const BookMove& known : view.moves)
            if (known.move == move)
                return &known;
        return nullptr;
    }
};

Seen look(const Layers& layers, const Model& model, const Place& place) {
    const engine::Position& pos = place.game.position();
    Seen seen{.view = view(layers, model, query_of(pos, place.side, place.time))};
    add_probabilities(model, true, {.ply = ply_of(pos)}, seen.view);
    for (const std::size_t i : candidate_indices(seen.view, 1))
        seen.candidates.insert(seen.view.moves[i].move);
    return seen;
}

void compare(const Place& place, const Seen& before, const Seen& after, News& news) {
    for (const BookMove& now : after.view.moves) {
        const BookMove* const old = before.find(now.move);
        const ChangedMove change{.game = place.game,
                                 .side = place.side,
                                 .move = stored_move(now.move),
                                 .games = now.visits + now.exits,
                                 .before = old ? old->mean : before.view.value,
                                 .after = now.mean,
                                 .probability_before = old ? old->probability : 0,
                                 .probability_after = now.probability};
        if (after.candidates.contains(now.move) && !before.candidates.contains(now.move))
            news.found.push_back(change);
        else if (change.probability_before >= Played && change.probability_after < NotPlayed)
            news.dropped.push_back(change);
        if (now.visits + now.exits > 0 && std::abs(change.after - change.before) >= MinChange)
            news.moved.push_back(change);
    }
}

std::vector<Change> changes_since(Store& store, std::int64_t since) {
    std::vector<Change> found = changes(store.db, std::numeric_limits<int>::max());
    std::erase_if(found, [since](const Change& change) {  // imports are listed as sources
        return change.at < since || !change.sources.empty();
    });
    return found;
}

void add_relearned(Store& store, std::int64_t since, std::set<std::int64_t>& games) {
    for (const Change& change : changes_since(store, since))
        games.insert(change.relearned.begin(), change.relearned.end());
}

// Largest first, by `size` times the square root of the move's games.
template <typename Size>
void sort_by(std::vector<ChangedMove>& moves, Size size) {
    const auto rank = [&size](const ChangedMove& m) {
        return size(m) * std::sqrt(static_cast<double>(m.games + 1));
    };
    std::stable_sort(
        moves.begin(), moves.end(), [&rank](const ChangedMove& a, const ChangedMove& b) {
            return rank(a) > rank(b);
        });
}

}  // namespace

std::string text_of(const LastVisit& visit) {
    std::string text = std::to_string(visit.at) + ' ' + std::to_string(visit.last_game);
    for (const std::int64_t id : visit.pending)
        text += ' ' + std::to_string(id);
    return text;
}

std::optional<LastVisit> visit_from(const std::string& text) {
    LastVisit visit;
    std::istringstream in(text);
    const bool is_date = text.find('-') != std::string::npos;
    if (is_date || !(in >> visit.at >> visit.last_game))
        return std::nullopt;
    for (std::int64_t id = 0; in >> id;)
        visit.pending.push_back(id);
    return visit;
}

std::optional<LastVisit> last_visit(Store& store) {
    const std::optional<std::string> text = store.db.text(VisitName);
    return text ? visit_from(*text) : std::nullopt;
}

LastVisit visit_at(Store& store, std::int64_t now) {
    const ReadTransaction reading(store.db);
    return {.at = now,
            .last_game = store.games.last_id(),
            .pending = store.games.newest_first({.state = GameState::Pending})};
}

void remember_visit(Store& store, const LastVisit& visit) {
    Transaction transaction(store.db);
    store.db.set_text(VisitName, text_of(visit));
    transaction.commit();
}

std::set<std::int64_t> learned_since(Store& store, std::int64_t since) {
    std::set<std::int64_t> learned;
    const auto add = [&](const GameFilter& filter) {
        for (const std::int64_t id : store.games.newest_first(filter))
            learned.insert(id);
    };
    add({.since = since, .source = 0});
    for (const Source& source : store.games.sources())
        if (source.added >= since)
            add({.source = source.id});
    add_relearned(store, since, learned);
    return learned;
}

std::set<std::int64_t> learned_since(Store& store, const LastVisit& visit) {
    std::set<std::int64_t> learned;
    for (const std::int64_t id : store.games.newest_first({}))
        if (id > visit.last_game)
            learned.insert(id);
    learned.insert(visit.pending.begin(), visit.pending.end());
    for (const std::int64_t id : store.games.newest_first({.state = GameState::Pending}))
        learned.erase(id);
    add_relearned(store, visit.at, learned);
    return learned;
}

OtherNews other_news(Store& store, std::int64_t since) {
    OtherNews news{.changes = changes_since(store, since)};
    for (const Source& source : store.games.sources())
        if (source.added >= since && source.kind != "own")
            news.imports.insert(news.imports.begin(), source);
    store.positions.each_analysis([&news, since](Key, const Analysis& analysis) {
        news.searched += analysis.source == 0 && analysis.at >= since ? 1 : 0;
    });
    return news;
}

std::vector<std::int64_t> new_games(Store& store, const NewsOptions& options) {
    std::vector<std::int64_t> ids = store.games.newest_first({.state = GameState::Applied});
    const auto keep = [&ids](const std::set<std::int64_t>& learned) {
        std::erase_if(ids, [&learned](std::int64_t id) { return !learned.contains(id); });
    };
    if (options.since)
        keep(learned_since(store, *options.since));
    if (options.visit)
        keep(learned_since(store, *options.visit));
    ids.resize(std::min(ids.size(), options.games.value_or(ids.size())));
    return ids;
}

News news_of(const Layers& layers, const Model& model, const std::vector<std::int64_t>& games) {
    News news;
    if (!layers.experience || games.empty())
        return news;
    Store without = book_without(*layers.experience, {games.begin(), games.end()});
    const Model old_model = without.model();
    Layers old = layers;
    old.experience = &without;
    const std::vector<Place> places = places_of(*layers.experience, games);
    for (const Place& place : places)
        compare(place, look(old, old_model, place), look(layers, model, place), news);
    const auto score = [](double value) { return std::clamp(value, 0.0, 1.0); };
    sort_by(news.moved,
            [&score](const ChangedMove& m) { return std::abs(score(m.after) - score(m.before)); });
    sort_by(news.found, [](const ChangedMove& m) { return m.probability_after; });
    sort_by(news.dropped, [](const ChangedMove& m) { return m.probability_before; });
    return news;
}

}  // namespace book
