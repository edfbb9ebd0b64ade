#include "book/import/forget.h"

#include "book/import/kept_games.h"
#include "book/learn/learn.h"
#include "book/learn/user_edits.h"
#include "book/store/failure.h"
#include "book/store/import_lock.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::string_view MinGamesWords = "at least ";  // in Source::settings

// False if the edge has less.
bool subtract(Edge& from, const Edge& part) {
    from.white -= part.white;
    from.draws -= part.draws;
    from.black -= part.black;
    from.unknown -= part.unknown;
    from.rated -= part.rated;
    from.ratings -= part.ratings;
    return std::min({from.white, from.draws, from.black, from.unknown, from.rated, from.ratings}) >=
           0;
}

std::vector<Source> counted_together(const std::vector<Source>& all, const Source& source) {
    auto first = std::find_if(
        all.begin(), all.end(), [&source](const Source& s) { return s.id == source.id; });
    if (first == all.end())
        throw Failure(fmt::format("the import of \"{}\" has just been forgotten", source.name));
    while (first != all.begin() && first->with_previous)
        --first;
    auto last = std::next(first);
    while (last != all.end() && last->with_previous)
        ++last;
    return {first, last};
}

bool is_own(const Source& source) {
    return source.kind == "own";
}

bool had_games(const Forgotten& f) {
    return std::any_of(
        f.sources.begin(), f.sources.end(), [](const Source& s) { return s.games > 0; });
}

// Rarer moves were left out by the import.
int min_games_of(const Source& source) {
    int min_games = 0;
    if (const std::size_t at = source.settings.find(MinGamesWords); at != std::string::npos)
        std::from_chars(source.settings.data() + at + MinGamesWords.size(),
                        source.settings.data() + source.settings.size(),
                        min_games);
    return min_games;
}

class Forgetting {
  public:
    Forgetting(Store& store, std::size_t sort_bytes) : store_(store), sort_bytes_(sort_bytes) {}
    std::vector<Forgotten> run(const std::vector<Source>& sources);

  private:
    // A remaining move whose latest year may come from an import that is forgotten.
    struct LateYear {
        std::int64_t key = 0;  // signed
        StoredMove move = 0;
        int before = 0, now = 0;
        // Of imports that were counted together and left rare moves out: games so far, latest year.
        int games = 0, year = 0;
        friend bool operator<(const LateYear& a, const LateYear& b) {
            return std::tie(a.key, a.move) < std::tie(b.key, b.move);
        }
    };

    void choose(const std::vector<Source>& sources);
    void find_read_again();
    void forget_others(const std::vector<std::int64_t>& ids);
    void subtract_games(Forgotten& forgotten, Sorter& sorter);
    void subtract(Forgotten& from, const KeyedEdge& part);
    Edge edge_of(Key key, StoredMove move);
    void take_years(int min_games);
    void find_years();
    void forget_own(const std::vector<std::int64_t>& ids);

    Store& store_;
    std::size_t sort_bytes_;
    std::vector<Forgotten> forgotten_;
    std::set<std::int64_t> ids_;  // of all sources to forget
    std::vector<std::int64_t> hashes_;
    std::vector<LateYear> years_;
};

void Forgetting::choose(const std::vector<Source>& sources) {
    const std::vector<Source> all = store_.games.sources();
    for (const Source& source : sources) {
        if (ids_.contains(source.id))
            continue;
        if (!can_be_forgotten(store_, all, source))
            throw Failure(
                fmt::format("the import of \"{}\" kept no games, so its counts cannot be separated "
                            "from those of other imports; to remove it, make a new book without it",
                            source.name));
        const Forgotten& f = forgotten_.emplace_back(Forgotten{
            .sources = is_own(source) ? std::vector{source} : counted_together(all, source)});
        for (const Source& s : f.sources)
            ids_.insert(s.id);
    }
}

// Each later import is listed once, with the first of those before it.
void Forgetting::find_read_again() {
    std::optional<std::int64_t> first;
    for (const Forgotten& f : forgotten_)
        if (had_games(f))
            first = std::min(first.value_or(f.sources.back().id), f.sources.back().id);
    if (!first)
        return;
    std::vector<Source> later = store_.games.read_again_after(*first);
    std::erase_if(later, [this](const Source& s) { return ids_.contains(s.id); });
    for (Forgotten& f : forgotten_) {
        if (!had_games(f))
            continue;
        const auto begin = std::find_if(later.begin(), later.end(), [&f](const Source& s) {
            return s.id > f.sources.back().id;
        });
        f.read_again.assign(begin, later.end());
        later.erase(begin, later.end());
    }
}

void Forgetting::subtract_games(Forgotten& forgotten, Sorter& sorter) {
    const int min_games = min_games_of(forgotten.sources.front());
    const auto take = [&](const KeyedEdge& part) {
        if (part.edge.games() >= min_games)
            subtract(forgotten, part);
    };
    for (const Source& s : forgotten.sources)
        store_.games.each_kept(s.id, [&](const std::string& block) {
            if (s.kind == "polyglot") {
                const std::vector<KeyedEdge> edges = unpack_edges(block);
                std::for_each(edges.begin(), edges.end(), take);
                return;
            }
            each_game(block, [&](const KeptGame& game) {
                ++forgotten.games;
                if (game.hash != 0)
                    hashes_.push_back(game.hash);
                each_move(game, [&sorter](const Occurrence& o) { sorter.add(o); });
            });
        });
    sorter.merge(take);
}

Edge Forgetting::edge_of(Key key, StoredMove move) {
    const std::vector<Edge> edges = store_.positions.edges(key);
    const auto found =
        std::find_if(edges.begin(), edges.end(), [move](const Edge& e) { return e.move == move; });
    return found == edges.end() ? Edge{.move = move} : *found;
}

void Forgetting::subtract(Forgotten& from, const KeyedEdge& part) {
    from.moves += part.edge.games();
    Edge rest = edge_of(part.key, part.edge.move);
    if (!book::subtract(rest, part.edge))
        throw Failure("the book has fewer moves than this import added, so it was changed in "
                      "another way; nothing was forgotten");
    if (rest.games() > 0 && rest.last > 0 && part.edge.last == rest.last) {
        years_.push_back({.key = to_sql(part.key), .move = rest.move, .before = rest.last});
        rest.last = 0;  // until find_years()
    }
    store_.positions.replace_edge({.key = part.key, .edge = rest});
}

// Takes the years of the moves that imports counted together have often enough.
void Forgetting::take_years(int min_games) {
    if (min_games <= 1)
        return;
    for (LateYear& year : years_) {
        if (year.games >= min_games)
            year.now = std::max(year.now, year.year);
        year.games = year.year = 0;
    }
}

void Forgetting::find_years() {
    if (years_.empty())
        return;
    std::sort(years_.begin(), years_.end());
    bool all_kept = true;
    int min_games = 0;
    const std::vector<Source> all = store_.games.sources();
    for (const Source& source : all) {
        if (is_own(source) || source.kind == "polyglot")
            continue;
        if (!source.with_previous) {
            take_years(min_games);
            min_games = min_games_of(source);
        }
        all_kept = all_kept && (source.moves == 0 || can_be_forgotten(store_, all, source));
        const auto take = [this, min_games](const Occurrence& o) {
            const LateYear wanted{.key = to_sql(o.key), .move = o.move};
            const auto at = std::lower_bound(years_.begin(), years_.end(), wanted);
            if (at == years_.end() || wanted < *at)
                return;
            if (min_games <= 1) {
                at->now = std::max(at->now, o.year);
            } else {
                at->year = std::max(at->year, o.year);
                ++at->games;
            }
        };
        store_.games.each_kept(source.id, [&take](const std::string& block) {
            each_game(block, [&take](const KeptGame& game) { each_move(game, take); });
        });
    }
    take_years(min_games);
    int latest = 0;
    for (const LateYear& year : years_) {
        Edge edge = edge_of(from_sql(year.key), year.move);
        if (edge.games() == 0)
            continue;  // subtracted later
        edge.last = all_kept ? year.now : year.before;
        latest = std::max(latest, edge.last);
        store_.positions.replace_edge({.key = from_sql(year.key), .edge = edge});
    }
    forgotten_.back().years_may_differ = !all_kept && latest > 0;
}

void Forgetting::forget_others(const std::vector<std::int64_t>& ids) {
    Sorter sorter(sort_bytes_, std::filesystem::temp_directory_path());
    for (Forgotten& f : forgotten_)
        if (!is_own(f.sources.front()))
            subtract_games(f, sorter);
    auto analyses = store_.positions.remove_analyses(ids);
    for (Forgotten& f : forgotten_)
        for (const Source& s : f.sources)
            f.analyses += analyses[s.id];
    store_.games.remove_sources(ids);
    drop_imported(store_.db, ids);
    store_.games.remove_imported(hashes_);
    find_years();
}

void Forgetting::forget_own(const std::vector<std::int64_t>& ids) {
    CountBySource games = remove_own_imports(store_, ids);
    for (Forgotten& f : forgotten_)
        if (is_own(f.sources.front()))
            f.games = games[f.sources.front().id];
}

std::vector<Forgotten> Forgetting::run(const std::vector<Source>& sources) {
    choose(sources);
    find_read_again();
    std::vector<std::int64_t> own, others;
    for (const Forgotten& f : forgotten_)
        for (const Source& s : f.sources)
            (is_own(s) ? own : others).push_back(s.id);
    if (!others.empty())
        forget_others(others);
    if (!own.empty())
        forget_own(own);  // computes anew what is derived
    else if (!store_.games.empty())
        rebuild_derived(store_);
    const std::vector<Source> left = store_.games.sources();
    const bool others_had_analyses = std::any_of(left.begin(), left.end(), [](const Source& s) {
        return s.settings.find(", evals") != std::string::npos;
    });
    for (Forgotten& f : forgotten_)
        f.may_lack_analyses = others_had_analyses && f.analyses > 0;
    return std::move(forgotten_);
}

// The imports of files in a folder, and in folders of it, the latest first.
std::vector<Source> sources_in(const std::filesystem::path& folder,
                               const std::vector<Source>& all) {
    std::vector<Source> found;
    std::set<std::int64_t> taken;
    // Relative names are those of the folder where import ran: "." says nothing about them.
    const std::string begin = (folder / "").lexically_normal().string();
    if (begin == "./" || begin.starts_with(".."))
        return found;
    const auto is_inside = [&begin](const Source& s) {
        return std::filesystem::path(s.name).lexically_normal().string().starts_with(begin);
    };
    for (const Source& source : all) {
        if (!is_inside(source) || taken.contains(source.id))
            continue;
        found.push_back(source);
        for (const Source& s : counted_together(all, source))
            taken.insert(s.id);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

// Leaves one of several imports of a file. Throws Failure if more than one brought something.
void drop_repeated(std::vector<Source>& found, const std::string& name) {
    // An import of the same file again may have found nothing new.
    std::vector<Source> with_games = found;
    std::erase_if(with_games, [](const Source& s) { return s.games == 0 && s.moves == 0; });
    if (!with_games.empty())
        found = std::move(with_games);
    if (found.size() > 1)
        throw Failure(fmt::format("{} imports are called \"{}\": give the number that \"sources\" "
                                  "lists",
                                  found.size(),
                                  name));
}

}  // namespace

std::vector<Source> find_sources(Store& store, const std::string& name) {
    const std::vector<Source> all = store.games.sources();
    std::vector<Source> found;
    for (const Source& source : all)
        if (std::to_string(source.id) == name || source.name == name ||
            std::filesystem::path(source.name).filename() == name)
            found.push_back(source);
    const auto by_number = std::find_if(found.begin(), found.end(), [&name](const Source& s) {
        return std::to_string(s.id) == name;
    });
    if (by_number != found.end())
        return {*by_number};
    if (found.empty() && !name.empty())
        found = sources_in(name, all);
    else if (found.size() > 1)
        drop_repeated(found, name);
    if (found.empty())
        throw Failure(fmt::format("no import \"{}\" in the book; \"sources\" lists them", name));
    return found;
}

// A source may hold the move counts of other sources although it has no games itself.
bool can_be_forgotten(Store& store, const std::vector<Source>& all, const Source& source) {
    if (source.kind == "own")
        return true;
    bool kept = false, counts = false;
    for (const Source& s : counted_together(all, source)) {
        const bool here = store.games.has_kept(s.id);
        if (s.games > 0 && !here)
            return false;
        kept = kept || here;
        counts = counts || s.moves != 0;  // below 0: lost in a damaged book
    }
    return kept || !counts;
}

std::vector<Forgotten> forget(Store& store,
                              const std::filesystem::path& file,
                              const std::vector<Source>& sources,
                              std::size_t sort_bytes) {
    const ImportLock lock(file);
    Transaction transaction(store.db);
    std::vector<Forgotten> forgotten = Forgetting(store, sort_bytes).run(sources);
    const std::size_t more = forgotten.size() - 1;
    add_change(store.db,
               {.at = seconds_now(),
                .clock = store.clock(),
                .what = fmt::format("forgetting the import of \"{}\"", sources.front().name) +
                        (more > 0 ? fmt::format(" and {} more", more) : "")});
    transaction.commit();
    return forgotten;
}

}  // namespace book
