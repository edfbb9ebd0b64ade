#include "book/import/forget.h"

#include "book/import/kept_games.h"
#include "book/learn/learn.h"
#include "book/learn/user_edits.h"
#include "book/store/failure.h"
#include "book/store/import_lock.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

namespace book {
namespace {

using Edges = std::map<std::pair<std::int64_t, StoredMove>, Edge>;  // by signed key and move

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
    while (first != all.begin() && first->with_previous)
        --first;
    auto last = std::next(first);
    while (last != all.end() && last->with_previous)
        ++last;
    return {first, last};
}

class Forgetting {
  public:
    explicit Forgetting(Store& store) : store_(store) {}
    Forgotten run(const Source& source);

  private:
    void read_games(const Source& source);
    void drop_rare();
    void subtract_edges();
    void find_years();
    void each_kept_move(const Source& source, const std::function<void(const KeyedEdge&)>& take);

    Store& store_;
    Forgotten forgotten_;
    Edges edges_;
    std::vector<std::int64_t> hashes_;
    // Remaining edges whose latest year may come from this import.
    Edges years_;
};

void Forgetting::each_kept_move(const Source& source,
                                const std::function<void(const KeyedEdge&)>& take) {
    store_.games.each_kept(source.id, [&](const std::string& block) {
        if (source.kind == "polyglot") {
            for (const KeyedEdge& e : unpack_edges(block))
                take(e);
            return;
        }
        each_game(block, [&](const KeptGame& game) { each_move(game, take); });
    });
}

void Forgetting::read_games(const Source& source) {
    const auto take = [this](const KeyedEdge& e) {
        Edge& sum = edges_[{to_sql(e.key), e.edge.move}];
        sum.move = e.edge.move;
        sum.add(e.edge);
    };
    if (source.kind == "polyglot")
        return each_kept_move(source, take);
    store_.games.each_kept(source.id, [&](const std::string& block) {
        each_game(block, [&](const KeptGame& game) {
            ++forgotten_.games;
            if (game.hash != 0)
                hashes_.push_back(game.hash);
            each_move(game, take);
        });
    });
}

// Moves that the import left out because they had too few games.
void Forgetting::drop_rare() {
    const std::string& settings = forgotten_.sources.front().settings;
    const std::size_t at = settings.find(MinGamesWords);
    if (at == std::string::npos)
        return;
    int min_games = 0;
    std::from_chars(
        settings.data() + at + MinGamesWords.size(), settings.data() + settings.size(), min_games);
    std::erase_if(edges_, [min_games](const auto& e) { return e.second.games() < min_games; });
}

void Forgetting::subtract_edges() {
    for (const auto& [key, part] : edges_) {
        forgotten_.moves += part.games();
        const std::vector<Edge> edges = store_.positions.edges(from_sql(key.first));
        const auto found =
            std::find_if(edges.begin(), edges.end(), [move = key.second](const Edge& e) {
                return e.move == move;
            });
        Edge rest = found == edges.end() ? Edge() : *found;
        if (!subtract(rest, part))
            throw Failure("the book has fewer moves than this import added, so it was changed in "
                          "another way; nothing was forgotten");
        if (rest.games() > 0 && rest.last > 0 && part.last == rest.last) {
            rest.last = 0;  // until find_years()
            years_[key] = rest;
        } else {
            store_.positions.replace_edge({.key = from_sql(key.first), .edge = rest});
        }
    }
}

void Forgetting::find_years() {
    if (years_.empty())
        return;
    bool all_kept = true;
    int last_forgotten = 0;
    const std::vector<Source> all = store_.games.sources();
    for (const Source& source : all) {
        if (source.kind == "own")
            continue;
        all_kept = all_kept && (source.moves == 0 || source.kind == "polyglot" ||
                                can_be_forgotten(store_, all, source));
        each_kept_move(source, [this](const KeyedEdge& e) {
            if (const auto at = years_.find({to_sql(e.key), e.edge.move}); at != years_.end())
                at->second.last = std::max(at->second.last, e.edge.last);
        });
    }
    for (auto& [key, edge] : years_) {
        if (!all_kept)
            edge.last = std::max(edge.last, edges_[key].last);
        last_forgotten = std::max(last_forgotten, edge.last);
        store_.positions.replace_edge({.key = from_sql(key.first), .edge = edge});
    }
    forgotten_.years_may_differ = !all_kept && last_forgotten > 0;
}

Forgotten Forgetting::run(const Source& source) {
    if (source.games > 0)
        forgotten_.read_again = store_.games.read_again_after(source.id);
    if (source.kind == "own") {
        forgotten_.sources = {source};
        forgotten_.games = remove_own_imports(store_, std::span(&source.id, 1));
        return forgotten_;
    }
    const std::vector<Source> all = store_.games.sources();
    if (!can_be_forgotten(store_, all, source))
        throw Failure(
            fmt::format("the import of \"{}\" kept no games, so its counts cannot be separated "
                        "from those of other imports; to remove it, make a new book without it",
                        source.name));
    forgotten_.sources = counted_together(all, source);
    std::erase_if(forgotten_.read_again,
                  [this](const Source& later) { return later.id <= forgotten_.sources.back().id; });
    for (const Source& s : forgotten_.sources)
        read_games(s);
    drop_rare();
    for (const Source& s : forgotten_.sources) {
        store_.games.remove_source(s.id);
        drop_imported(store_.db, s.id);
        forgotten_.analyses += store_.positions.remove_analyses(s.id);
    }
    const std::vector<Source> left = store_.games.sources();
    forgotten_.may_lack_analyses =
        forgotten_.analyses > 0 && std::any_of(left.begin(), left.end(), [](const Source& s) {
            return s.settings.find(", evals") != std::string::npos;
        });
    store_.games.remove_imported(hashes_);
    subtract_edges();
    find_years();
    if (!store_.games.empty())
        rebuild_derived(store_);
    return forgotten_;
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

Forgotten forget(Store& store, const std::filesystem::path& file, const Source& source) {
    const ImportLock lock(file);
    Transaction transaction(store.db);
    Forgotten forgotten = Forgetting(store).run(source);
    add_change(store.db,
               {.at = seconds_now(),
                .clock = store.clock(),
                .what = fmt::format("forgetting the import of \"{}\"", source.name)});
    transaction.commit();
    return forgotten;
}

}  // namespace book
