#include "tools/book/report_tree.h"

#include "book/probe/opening_names.h"
#include "engine/board/notation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <queue>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

using Json = nlohmann::json;

constexpr double OwnGameWeight = 1000;  // an own game counts as this many imported ones
constexpr std::size_t MaxMoves = 24;
constexpr std::size_t MaxGamesHere = 5, MaxGames = 3000;  // at one position; on the page
constexpr int BookEnd = -1, LeftOut = -2;                 // instead of the index of a position

struct TreeMove {  // what is known of a move, by our colour
    std::array<std::optional<book::BookMove>, 2> by_side{};
    [[nodiscard]] const book::BookMove& any() const {
        return *(by_side[0] ? by_side[0] : by_side[1]);
    }
    [[nodiscard]] double weight() const {
        double weight = by_side[0] ? static_cast<double>(by_side[0]->imported_games) : 0;
        for (const auto& known : by_side)
            if (known)
                weight += OwnGameWeight * static_cast<double>(known->visits + known->exits);
        return weight;
    }
};

struct TreePosition {
    engine::Position pos;
    std::vector<TreeMove> moves;
};

struct Waiting {  // a position that is not in the tree yet
    double weight = 0;
    int number = 0;  // in order of discovery
    engine::Position pos;
    friend bool operator<(const Waiting& a, const Waiting& b) {
        return a.weight != b.weight ? a.weight < b.weight : a.number > b.number;
    }
};

class TreeBuilder {
  public:
    explicit TreeBuilder(book::BookFiles& files) : files_(files), model_(files.model()) {}

    void collect(const TreeLimits& limits) {
        add(1, engine::Position());
        std::size_t bytes = 0;
        while (!waiting_.empty() &&
               positions_.size() < static_cast<std::size_t>(limits.positions) &&
               bytes < limits.bytes) {
            const engine::Position pos = waiting_.top().pos;
            waiting_.pop();
            std::vector<TreeMove> moves = moves_of(pos);
            if (moves.empty()) {
                indices_[pos.key()] = BookEnd;
                continue;
            }
            bytes += 8 + 130 * moves.size();
            indices_[pos.key()] = static_cast<int>(positions_.size());
            for (const TreeMove& move : moves) {
                engine::Position after = pos;
                after.make(book::stored_move(move.any().move));
                add(move.weight(), after);
            }
            last_progress_ = std::max(last_progress_, book::progress(pos));
            positions_.push_back({.pos = pos, .moves = std::move(moves)});
        }
    }

    // Lists the latest own games at each position of the tree; returns the games.
    Json add_games() {
        Json listed = Json::array();
        if (!files_.experience)
            return listed;
        book::Store& store = *files_.experience;
        const auto may_return = [this](const engine::Game& game) {  // by a transposition, too
            return book::progress(game.position()) <= last_progress_;
        };
        for (const std::int64_t id :
             store.games.newest_first({.state = book::GameState::Applied})) {
            if (listed.size() == MaxGames)
                break;
            const std::optional<book::LoggedGame> g = store.games.get(id, may_return);
            if (g && list(*g, static_cast<int>(listed.size())))
                listed.push_back(game_json(store, *g));
        }
        return listed;
    }

    [[nodiscard]] Json json() const {
        Json nodes = Json::array();
        for (const TreePosition& position : positions_) {
            Json moves = Json::array();
            for (const TreeMove& move : position.moves)
                moves.push_back(move_json(position.pos, move));
            nodes.push_back(Json::object({{"m", std::move(moves)}}));
            if (const auto here = games_.find(position.pos.key()); here != games_.end())
                nodes.back()["g"] = {here->second[0], here->second[1]};
        }
        if (nodes.empty())
            nodes.push_back(Json::object({{"m", Json::array()}}));
        return nodes;
    }

  private:
    void add(double weight, const engine::Position& pos) {
        if (indices_.try_emplace(pos.key(), LeftOut).second)
            waiting_.push({.weight = weight, .number = ++discovered_, .pos = pos});
    }

    std::vector<TreeMove> moves_of(const engine::Position& pos) {
        std::map<book::StoredMove, TreeMove> found;
        for (const book::Color side : {engine::White, engine::Black})
            for (const book::BookMove& move : look(files_, pos, side).moves)
                found[move.move].by_side.at(side) = move;
        std::vector<TreeMove> moves;
        moves.reserve(found.size());
        for (const auto& [stored, move] : found)
            moves.push_back(move);
        std::stable_sort(moves.begin(), moves.end(), [](const TreeMove& a, const TreeMove& b) {
            return a.weight() > b.weight();
        });
        moves.resize(std::min(moves.size(), MaxMoves));
        return moves;
    }

    // Adds the game to the lists of its positions that are not full; true if any was not.
    bool list(const book::LoggedGame& g, int number) {
        bool added = false;
        for (const book::Key key : g.record.game.keys()) {
            const auto index = indices_.find(key);
            if (index == indices_.end() || index->second < 0)
                continue;
            std::vector<int>& here = games_[key].at(g.record.our_side);
            if (here.size() < MaxGamesHere && (here.empty() || here.back() != number)) {
                here.push_back(number);
                added = true;
            }
        }
        return added;
    }
    static Json game_json(book::Store& store, const book::LoggedGame& g) {
        const auto opponent = store.opponents.get(g.opponent_id);
        return {g.id,
                played_text(g.record),
                utf8(name_of(opponent.value_or(book::OpponentRecord()))),
                result_of(g),
                static_cast<int>(book::outcome_of(g.record.score))};
    }
    [[nodiscard]] Json move_json(const engine::Position& pos, const TreeMove& known) const {
        const engine::Move move = book::stored_move(known.any().move);
        engine::Position after = pos;
        after.make(move);
        const auto index = indices_.find(after.key());
        const book::Results imported =
            known.by_side[0] ? known.by_side[0]->imported : book::Results();
        return {engine::to_coordinates(move),
                engine::to_san(pos, move),
                index == indices_.end() ? BookEnd : index->second,
                std::llround(imported.wins),
                std::llround(imported.draws),
                std::llround(imported.losses),
                {own_json(known.by_side[0]), own_json(known.by_side[1])},
                names_.of(after),
                flags_text(known.by_side[0] ? known.by_side[0]->flags : 0),
                search_json(known.any())};
    }
    [[nodiscard]] static Json search_json(const book::BookMove& known) {
        return known.analysed ? Json{known.analysis.cp, known.analysis.depth} : Json();
    }
    [[nodiscard]] Json own_json(const std::optional<book::BookMove>& known) const {
        if (!known)
            return nullptr;
        return {known->visits + known->exits,
                known->wins,
                known->draws,
                known->losses,
                rounded(known->mean, 3),
                rounded(known->belief.deviation(model_), 3),
                std::llround(known->belief.evidence),
                rounded(known->probability, 3)};
    }

    book::BookFiles& files_;
    book::Model model_;
    book::OpeningNames names_;
    std::priority_queue<Waiting> waiting_;
    int discovered_ = 0;
    std::unordered_map<book::Key, int> indices_;
    std::vector<TreePosition> positions_;
    int last_progress_ = 0;  // the highest progress() of these
    std::unordered_map<book::Key, std::array<std::vector<int>, 2>> games_;  // by our colour
};

}  // namespace

Json tree_json(book::BookFiles& files, const TreeLimits& limits) {
    TreeBuilder builder(files);
    builder.collect(limits);
    Json games = builder.add_games();
    return Json::object({{"nodes", builder.json()}, {"games", std::move(games)}});
}

}  // namespace tools::book_command
