#include "book/import/own_games.h"

#include "book/import/evals.h"
#include "book/import/game_record.h"
#include "book/learn/learn.h"
#include "book/learn/same_game.h"
#include "book/store/changes.h"
#include "book/store/failure.h"
#include "book/store/import_lock.h"
#include "engine/board/zobrist.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::int64_t GamesBetweenReports = 1024;
constexpr std::int64_t MinReach = 2;  // own games that put a position into the book

std::int64_t content_of(const OwnGame& own) {
    const GameRecord& r = own.game.record;
    return content_hash(r.game.start(), own.moves, r.white_score());
}

// A game in a file, and the other files that have it.
struct FiledGame {
    GameCopy copy{};
    std::size_t file = 0;
    std::set<std::size_t> matched{};
};

GameCopy copy_of(const OwnGame& own) {
    const GameRecord& r = own.game.record;
    return book::copy_of(r, r.opponent.name, own.exact_time);
}

// True if our own export has no result of it.
bool is_unfinished(const OwnGame& own) {
    return own.exported && own.game.state == GameState::Pending;
}

}  // namespace

class OwnGames::Impl {
  public:
    Impl(Store& store,
         const std::filesystem::path& book,
         const std::vector<std::string>& names,
         ImportOptions options,
         ImportListener listener);

    void read(const GamesFile& file);
    void stop() { report_.stopped = true; }
    OwnGamesReport finish();

  private:
    struct NewGame {
        OwnGame own;
        std::size_t file = 0;
        bool imported = false;  // also as a game of others
    };
    void handle(const PgnGame& game, const GamesFile& file);
    [[nodiscard]] std::optional<Color> side_in(const PgnGame& game);
    bool was_imported(const PgnGame& game);
    void store();
    void load_log();
    void drop_known();
    bool has_known_uid(const NewGame& game);
    bool is_logged(const NewGame& game);
    bool is_in_other_file(const NewGame& game);
    bool finish_noted(NewGame& game);
    [[nodiscard]] bool is_same(const LoggedGame& logged, const NewGame& game);
    void count_reach(const OwnGame& own);
    bool is_in_book(const OwnGame& own, std::size_t ply, bool imported);
    void set_exit(OwnGame& own, bool imported);
    void weigh(OwnGame& own);
    void put(OwnGame& own);
    void set_clocks(bool keep);
    void record_change(const std::vector<std::int64_t>& sources);

    Store& store_;
    ImportLock lock_;
    std::set<std::string> names_;
    PlayerNames players_;  // of the games of others
    ImportOptions options_;
    ImportListener listener_;
    OwnGamesReport report_;
    std::vector<NewGame> games_;
    std::vector<Source> files_;
    Evals evals_;
    std::vector<LoggedGame> noted_;                           // games of the log without a result
    std::set<std::pair<std::int64_t, std::size_t>> matched_;  // games of the log, and their files
    std::vector<Change::Replaced> finished_;                  // of the noted games
    std::set<std::string> uids_;                              // of the games of this import
    std::unordered_multimap<std::int64_t, FiledGame> filed_;  // these, by content_hash()
    std::unordered_map<Key, std::pair<std::int64_t, std::size_t>> reach_[2];  // games, last game
    std::size_t counted_ = 0;
};

OwnGames::Impl::Impl(Store& store,
                     const std::filesystem::path& book,
                     const std::vector<std::string>& names,
                     ImportOptions options,
                     ImportListener listener)
    : store_(store), lock_(book), options_(std::move(options)), listener_(std::move(listener)),
      evals_(options_.memory / 2) {
    for (const std::string& name : names)
        names_.insert(player_key(name));
}

// The colour of our player; if neither or both sides are ours, counts the game and returns nothing.
std::optional<Color> OwnGames::Impl::side_in(const PgnGame& game) {
    const bool white = names_.contains(player_key(game.white));
    if (white == names_.contains(player_key(game.black))) {
        ++report_.others;
        report_.both += white ? 1 : 0;
        if (!white)
            for (const std::string& name : {game.white, game.black})
                players_.add(name);
        return std::nullopt;
    }
    return white ? engine::White : engine::Black;
}

bool OwnGames::Impl::was_imported(const PgnGame& game) {
    return store_.games.was_imported(game_hash(game, Duplicates::ByGame)) ||
           store_.games.was_imported(game_hash(game, Duplicates::ByMoves));
}

void OwnGames::Impl::handle(const PgnGame& game, const GamesFile& file) {
    const auto complain = [&](const std::string& what, std::int64_t line, bool left_out) {
        listener_.trouble({.file = file.name,
                           .line = line,
                           .game = game.number,
                           .what = what,
                           .left_out = left_out});
    };
    if (!game.trouble.empty()) {
        ++report_.bad;
        return complain(game.trouble, game.trouble_line, true);
    }
    const bool exported = !game.log.empty();
    const std::optional<Color> side = exported ? engine::White : side_in(game);
    if (!side)
        return;
    const std::optional<Termination> ending = ending_of(game);
    if (!is_wanted(game, options_) ||
        (!exported && (!ending || *ending == Termination::Aborted || game.moves.size() < 2 ||
                       game.start.key() != engine::StartKey))) {
        ++report_.filtered;
        return;
    }
    if (!game.note.empty())
        complain(game.note, game.line, false);
    std::optional<OwnGame> own = own_game(game, *side);
    if (!own) {
        ++report_.bad;
        return complain("the tag NutcrackerLog is damaged", game.line, true);
    }
    if (options_.evals)
        evals_.add(game, options_, files_.size());
    games_.push_back(
        {.own = std::move(*own), .file = files_.size(), .imported = was_imported(game)});
}

void OwnGames::Impl::read(const GamesFile& file) {
    PgnReader reader(file.read, file.trouble);
    reader.keep_comments();
    PgnGame game;
    while (!report_.stopped && reader.next(game)) {
        if (++report_.games % GamesBetweenReports == 0 &&
            !listener_.go_on({.games = report_.games}))
            stop();
        handle(game, file);
    }
    for (TextRemark& r : reader.remarks())
        listener_.trouble(
            {.file = file.name, .line = r.line, .what = std::move(r.what), .left_out = r.lost});
    std::string names;
    for (const std::string& name : names_)
        names += (names.empty() ? "" : ", ") + name;
    files_.push_back(
        {.kind = "own",
         .name = file.name,
         .digest = reader.fingerprint(),
         .bytes = reader.bytes_read(),
         .added = seconds_now(),
         .settings = fmt::format("own games of {}, {}", names, settings_text(options_))});
}

bool OwnGames::Impl::is_same(const LoggedGame& logged, const NewGame& game) {
    return !matched_.contains({logged.id, game.file}) &&
           may_be_same(book::copy_of(store_, logged), copy_of(game.own));
}

bool OwnGames::Impl::has_known_uid(const NewGame& game) {
    const OwnGame& own = game.own;
    const std::string& uid = own.game.record.uid;
    std::optional<LoggedGame> logged = store_.games.find(uid);
    if (!logged && !own.former_uid.empty())
        logged = store_.games.find(own.former_uid);
    if (logged)
        matched_.emplace(logged->id, game.file);
    return logged || !uids_.insert(uid).second;
}

// True if the log has the game under another uid: learned at the board, or from a file that gives
// less or more detail.
bool OwnGames::Impl::is_logged(const NewGame& game) {
    if (is_unfinished(game.own))
        return false;
    for (const LoggedGame& logged : store_.games.with_content(content_of(game.own)))
        if (logged.state != GameState::Pending && is_same(logged, game)) {
            matched_.emplace(logged.id, game.file);
            return true;
        }
    return false;
}

bool OwnGames::Impl::is_in_other_file(const NewGame& game) {
    if (is_unfinished(game.own))
        return false;
    const GameCopy copy = copy_of(game.own);
    const std::int64_t content = content_of(game.own);
    const auto [first, last] = filed_.equal_range(content);
    for (auto at = first; at != last; ++at) {
        FiledGame& other = at->second;
        if (other.file != game.file && !other.matched.contains(game.file) &&
            may_be_same(other.copy, copy))
            return other.matched.insert(game.file).second;
    }
    filed_.emplace(content, FiledGame{.copy = copy, .file = game.file});
    return false;
}

// Drops games that the log or an earlier file has. Games are matched one to one, those with a
// server's number first, since their files give the most detail.
void OwnGames::Impl::drop_known() {
    const auto erase = [this](const auto& is_known) {
        games_.erase(std::remove_if(games_.begin(), games_.end(), is_known), games_.end());
    };
    const auto by_date = [](const NewGame& a, const NewGame& b) {
        return a.own.game.record.played < b.own.game.record.played;
    };
    std::stable_sort(games_.begin(), games_.end(), by_date);
    erase([this](const NewGame& g) { return has_known_uid(g); });
    std::stable_partition(games_.begin(), games_.end(), [](const NewGame& g) {
        return !is_hash(g.own.game.record.uid);
    });
    erase([this](const NewGame& g) { return is_logged(g) || is_in_other_file(g); });
    std::stable_sort(games_.begin(), games_.end(), by_date);
}

// Completes a noted game whose end the book did not learn; its exit and its uid stay. False if
// there is none.
bool OwnGames::Impl::finish_noted(NewGame& game) {
    OwnGame& own = game.own;
    if (own.exported)
        return false;
    const auto begins = [&](const LoggedGame& noted) {
        const std::vector<engine::Move>& moves = noted.record.game.moves();
        return noted.record.game.start().key() == own.game.record.game.start().key() &&
               moves.size() <= own.moves.size() &&
               std::equal(moves.begin(), moves.end(), own.moves.begin()) && is_same(noted, game);
    };
    const auto noted = std::find_if(noted_.begin(), noted_.end(), begins);
    if (noted == noted_.end() || !noted->record.exit_ply)
        return false;
    matched_.emplace(noted->id, game.file);
    GameRecord& r = own.game.record;
    const GameRecord& before = noted->record;
    r.resume(before);
    r.played = before.played;
    r.engine = before.engine;
    own.game.id = noted->id;
    own.game.epoch = noted->epoch;
    own.game.opponent_id = noted->opponent_id;
    finished_.push_back({.id = noted->id, .state = GameState::Pending, .plies = before.game.ply()});
    noted_.erase(noted);
    return true;
}

void OwnGames::Impl::count_reach(const OwnGame& own) {
    ++counted_;
    auto& reach = reach_[own.game.record.our_side];
    const std::size_t last =
        std::min(own.keys.size(), static_cast<std::size_t>(options_.max_ply) + 1);
    for (std::size_t ply = 1; ply < last; ++ply)
        if (auto& [games, game] = reach[own.keys[ply]]; game != counted_) {
            ++games;
            game = counted_;
        }
}

// Whether a move of ours is one of the book: it has imported games, or leads to a position that
// MinReach own games have reached. `imported`: one of the imported games is this game.
bool OwnGames::Impl::is_in_book(const OwnGame& own, std::size_t ply, bool imported) {
    const Color side = own.game.record.our_side;
    if (ply + 1 < own.keys.size()) {
        std::int64_t games = reach_[side][own.keys[ply + 1]].first;
        if (games < MinReach)
            for (const auto& [time, node] : store_.positions.nodes(own.keys[ply + 1], side))
                games += node.visits;
        if (games >= MinReach)
            return true;
    }
    const StoredMove move = book::store(own.moves[ply], side);
    const std::vector<Edge> edges = store_.imported(own.keys[ply]);
    return std::any_of(edges.begin(), edges.end(), [&](const Edge& e) {
        return e.move == move && e.games() > (imported ? 1 : 0);
    });
}

// The game left the book at our first move that is not in it, or at options_.max_ply.
void OwnGames::Impl::set_exit(OwnGame& own, bool imported) {
    GameRecord& r = own.game.record;
    const bool we_begin = r.game.start().side_to_move() == r.our_side;
    for (std::size_t ply = we_begin ? 0 : 1; ply < own.moves.size(); ply += 2) {
        r.exit_ply = static_cast<int>(ply);
        if (static_cast<int>(ply) >= options_.max_ply || !is_in_book(own, ply, imported))
            break;
    }
    r.exit_depth = NoScore;
    for (const auto& [ply, score] : own.scores)
        if (ply == r.exit_ply) {
            r.exit_cp = score.cp;
            r.exit_depth = score.depth;
        }
}

// Fills in what learning a game fills in, without the book's values at that time, which are
// unknown.
void OwnGames::Impl::weigh(OwnGame& own) {
    LoggedGame& g = own.game;
    const GameRecord& r = g.record;
    const int difference = r.rating_difference();
    g.state = GameState::Rejected;
    if (!r.exit_ply)
        return;
    const auto exit = static_cast<std::size_t>(*r.exit_ply);
    g.evidence = evidence(r.score, difference, r.termination, static_cast<int>(own.moves.size()));
    if (g.evidence.weight > 0)
        g.state = GameState::Applied;
    g.overperformance = r.score - expected_score(difference);
    if (exit < own.keys.size())
        g.exit_key = own.keys[exit];
    if (exit < 2)
        return;
    const StoredMove last = book::store(own.moves[exit - 2], r.our_side);
    for (const Analysis& a : store_.positions.analyses(own.keys[exit - 2]))
        if (a.move == last) {
            g.analysed_cp = a.cp;
            g.analysed_nodes = a.nodes;
        }
}

void OwnGames::Impl::put(OwnGame& own) {
    GameRecord& r = own.game.record;
    for (const engine::Move m : own.moves)
        r.game.play(m);
    if (own.game.opponent_id == 0)
        own.game.opponent_id = store_.opponents.identify(r.opponent);
    store_.games.put(own.game);
    own = {};
}

// `keep`: the games have the clocks of the book that exported them.
void OwnGames::Impl::set_clocks(bool keep) {
    std::int64_t clock = 0;
    if (keep)
        store_.games.each({}, [&clock](const LoggedGame& g) { clock = std::max(clock, g.clock); });
    else
        clock = store_.games.renumber(GameOrder::Imported);
    store_.db.set_number(ClockName, static_cast<double>(clock));
}

void OwnGames::Impl::record_change(const std::vector<std::int64_t>& sources) {
    Change change{.at = seconds_now(),
                  .clock = store_.clock(),
                  .what = fmt::format("imported {} own {} from {}",
                                      report_.learned + report_.finished,
                                      report_.learned + report_.finished == 1 ? "game" : "games",
                                      files_.front().name)};
    if (files_.size() > 1)
        change.what += fmt::format(" and {} more", files_.size() - 1);
    change.imported = sources;
    change.replaced = std::move(finished_);
    add_change(store_.db, change);
}

void OwnGames::Impl::load_log() {
    store_.games.each({.state = GameState::Pending},
                      [this](LoggedGame& g) { noted_.push_back(std::move(g)); });
}

void OwnGames::Impl::store() {
    Transaction transaction(store_.db);
    const bool log_was_empty = store_.games.empty();
    const std::int64_t epoch = store_.games.last_epoch() + 1;
    load_log();
    drop_known();
    report_.known = static_cast<std::int64_t>(report_.games) - report_.bad - report_.others -
                    report_.filtered - static_cast<std::int64_t>(games_.size());
    if (games_.empty() && evals_.empty())
        return;
    bool all_exported = log_was_empty;
    for (const NewGame& g : games_) {
        ++files_[g.file].games;
        all_exported = all_exported && g.own.exported;
        if (!g.own.exported)
            count_reach(g.own);
    }
    std::vector<std::int64_t> sources;
    for (const Source& file : files_)
        sources.push_back(store_.games.add_source(file));
    report_.evals = evals_.store(store_, sources);
    for (NewGame& g : games_) {
        const bool noted = finish_noted(g);
        report_.imported += g.imported ? 1 : 0;
        g.own.game.source = noted ? 0 : sources[g.file];
        if (!g.own.exported) {
            if (!noted) {
                g.own.game.epoch = epoch;
                set_exit(g.own, g.imported);
            }
            weigh(g.own);
        }
        put(g.own);
        ++(noted ? report_.finished : report_.learned);
    }
    set_clocks(all_exported);
    rebuild_derived(store_);
    record_change(sources);
    transaction.commit();
}

OwnGamesReport OwnGames::Impl::finish() {
    if (!files_.empty())
        store();
    if (games_.empty())
        report_.suggested = players_.suggestions({names_.begin(), names_.end()});
    else
        report_.other_names = players_.abbreviations({names_.begin(), names_.end()});
    return report_;
}

OwnGames::OwnGames(Store& store,
                   const std::filesystem::path& book,
                   const std::vector<std::string>& names,
                   ImportOptions options,
                   ImportListener listener)
    : impl_(std::make_unique<Impl>(store, book, names, std::move(options), std::move(listener))) {}
OwnGames::~OwnGames() = default;

void OwnGames::read(const GamesFile& file) {
    impl_->read(file);
}
void OwnGames::stop() {
    impl_->stop();
}
OwnGamesReport OwnGames::finish() {
    return impl_->finish();
}

}  // namespace book
