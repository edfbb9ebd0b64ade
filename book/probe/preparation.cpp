#include "book/probe/preparation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace book {
namespace {

constexpr double MinReach = 0.02;    // of a line that is reported
constexpr double MinShare = 0.03;    // of a reply that is considered
constexpr std::size_t MaxMoves = 6;  // of ours in one position
constexpr double Slack = 0.15;       // our moves may be this much worse than the best
constexpr int MaxPlies = 30;

struct Habit {  // what the opponent did in one position; no replies where we were to move
    std::map<StoredMove, OpponentReplies::Reply> replies{};
    std::int64_t games = 0;
    engine::Game game{};
};

class Preparer {
  public:
    Preparer(const Layers& layers,
             const Model& model,
             std::int64_t opponent,
             std::span<const OpponentGame> others)
        : layers_(layers), model_(model), opponent_(opponent), others_(others) {}

    Preparation run() {
        for (const Color side : {engine::White, engine::Black})
            prepare_side(side);
        std::sort(result_.replies.begin(), result_.replies.end(), [](const auto& a, const auto& b) {
            const int a_ply = a.game.ply(), b_ply = b.game.ply();
            return std::tuple(-a.games, a_ply, a.game.keys()) <
                   std::tuple(-b.games, b_ply, b.game.keys());
        });
        std::stable_sort(result_.lines.begin(),
                         result_.lines.end(),
                         [](const auto& a, const auto& b) { return a.reach > b.reach; });
        return std::move(result_);
    }

  private:
    struct Option {  // a move, and how good or how likely it is
        Move move;
        double value = 0.5, share = 1;
    };

    void prepare_side(Color side);
    void read_games();
    void note(const std::vector<Move>& moves, double score);
    PositionView look(const engine::Position& pos) {
        return view(layers_, model_, query_of(pos, side_, TimeClass::Blitz));
    }
    std::vector<Option> options(const engine::Position& pos, double default_value, int ply);
    [[nodiscard]] double usual_value();
    [[nodiscard]] static std::vector<Option> our_options(const PositionView& view);
    std::vector<Option>
    their_options(const engine::Position& pos, const PositionView& view, double default_value);
    double value_of(const engine::Position& pos, double default_value, int ply);
    void walk(const engine::Position& pos, const PreparedLine& line);
    void collect_replies();

    const Layers& layers_;
    const Model& model_;
    std::int64_t opponent_;
    std::span<const OpponentGame> others_;
    Color side_ = engine::White;  // ours
    std::unordered_map<Key, Habit> habits_;
    std::unordered_map<Key, double> values_;  // known results of value_of()
    Preparation result_;
};

void Preparer::prepare_side(Color side) {
    side_ = side;
    habits_.clear();
    values_.clear();
    read_games();
    const engine::Position start;
    const double usual = usual_value();
    const double value = value_of(start, usual, 0);
    result_.usual[side] = usual;
    result_.value[side] = value;
    if (habits_.empty())
        return;
    walk(start, {.side = side, .value = value});
    collect_replies();
}

// Our expected score with our best first move, or against the first moves of everybody.
double Preparer::usual_value() {
    PositionView seen = look(engine::Position());
    const std::vector<Option> found = our_options(seen);
    if (side_ == engine::White)
        return found.empty() ? seen.value : found.front().value;
    add_probabilities(model_, false, {}, seen);
    return expected_score(seen);
}

void Preparer::read_games() {
    const auto raw = [](const std::vector<Move>& moves) {
        std::vector<std::uint16_t> numbers;
        for (const Move m : moves)
            numbers.push_back(m.raw());
        return numbers;
    };
    std::set<std::vector<std::uint16_t>> known;
    if (layers_.experience && opponent_ != 0)
        layers_.experience->games.each(
            {.opponent = opponent_, .state = GameState::Applied, .side = side_},
            [&](const LoggedGame& g) {
                const engine::Game& game = g.record.game;
                if (!game.starts_normally())
                    return;
                known.insert(raw(game.moves()));
                note(game.moves(), g.record.score);
            });
    for (const OpponentGame& g : others_)
        if (g.our_side == side_ && !known.contains(raw(g.moves)))
            note(g.moves, g.score);
}

// Notes the replies of the first MaxPlies plies.
void Preparer::note(const std::vector<Move>& moves, double score) {
    const auto plies = std::min<std::size_t>(moves.size(), MaxPlies);
    engine::Game game;
    for (std::size_t i = 0; i < plies; ++i) {
        const engine::Position& pos = game.position();
        Habit& habit = habits_[pos.key()];
        if (habit.games++ == 0)
            habit.game = game;
        if (pos.side_to_move() != side_) {
            OpponentReplies::Reply& reply = habit.replies[store(moves[i], pos.side_to_move())];
            reply.move = moves[i];
            ++reply.games;
            reply.score += score;
        }
        game.play(moves[i]);
    }
}

std::vector<Preparer::Option> Preparer::our_options(const PositionView& view) {
    std::vector<Option> found;
    double best = -1;
    for (const std::size_t i : candidate_indices(view, 1)) {
        const BookMove& move = view.moves[i];
        if ((move.flags & Never) == 0 && found.size() < MaxMoves && move.mean >= best - Slack) {
            best = std::max(best, move.mean);
            found.push_back({.move = stored_move(move.move), .value = move.mean});
        }
    }
    return found;
}

// The opponent's own replies and, with a low weight, those of imported games. Replies that the book
// does not know have the value of the position.
std::vector<Preparer::Option> Preparer::their_options(const engine::Position& pos,
                                                      const PositionView& view,
                                                      double default_value) {
    const Habit& habit = habits_[pos.key()];
    std::map<StoredMove, Option> found;
    double sum = 0;
    for (const BookMove& move : view.moves) {
        const double share =
            model_.imported_replies * std::sqrt(static_cast<double>(move.imported_games));
        found[move.move] = {.move = stored_move(move.move), .value = move.mean, .share = share};
        sum += share;
    }
    for (const auto& [stored, reply] : habit.replies) {
        Option& option =
            found
                .try_emplace(stored, Option{.move = reply.move, .value = default_value, .share = 0})
                .first->second;
        option.share += static_cast<double>(reply.games);
        sum += static_cast<double>(reply.games);
    }
    std::vector<Option> likely;
    for (auto& [stored, option] : found)
        if (sum > 0 && (option.share /= sum) >= MinShare)
            likely.push_back(option);
    std::stable_sort(likely.begin(), likely.end(), [](const Option& a, const Option& b) {
        return a.share > b.share;
    });
    return likely;
}

std::vector<Preparer::Option>
Preparer::options(const engine::Position& pos, double default_value, int ply) {
    if (ply >= MaxPlies || !habits_.contains(pos.key()))
        return {};
    const PositionView seen = look(pos);
    std::vector<Option> found =
        pos.side_to_move() == side_ ? our_options(seen) : their_options(pos, seen, default_value);
    for (Option& option : found) {
        engine::Position after = pos;
        after.make(option.move);
        option.value = value_of(after, option.value, ply + 1);
    }
    return found;
}

// Our expected score: expectimax over the positions that the opponent's games reached, with
// `default_value` elsewhere.
double Preparer::value_of(const engine::Position& pos, double default_value, int ply) {
    // Moves may lead back to this position: there the default holds.
    const auto [known, is_new] = values_.try_emplace(pos.key(), default_value);
    if (!is_new)
        return known->second;
    const std::vector<Option> found = options(pos, default_value, ply);
    if (found.empty())
        return default_value;
    double value = 0, sum = 0, shares = 0;
    for (const Option& option : found) {
        value = std::max(value, option.value);
        sum += option.share * option.value;
        shares += option.share;
    }
    if (pos.side_to_move() != side_)
        value = sum / shares;
    return values_[pos.key()] = value;
}

void Preparer::walk(const engine::Position& pos, const PreparedLine& line) {
    const std::vector<Option> found = options(pos, line.value, static_cast<int>(line.moves.size()));
    const bool ours = pos.side_to_move() == side_;
    const auto best =
        std::max_element(found.begin(), found.end(), [](const Option& a, const Option& b) {
            return a.value < b.value;
        });
    bool is_end = true;
    for (const Option& option : found) {
        if ((ours && option.move != best->move) || line.reach * option.share < MinReach)
            continue;
        is_end = false;
        engine::Position after = pos;
        after.make(option.move);
        PreparedLine next = line;
        next.moves.push_back(option.move);
        next.reach = ours ? line.reach : line.reach * option.share;
        next.value = option.value;
        walk(after, next);
    }
    if (is_end && !line.moves.empty())
        result_.lines.push_back(line);
}

void Preparer::collect_replies() {
    for (auto& [key, habit] : habits_) {
        if (habit.replies.empty())
            continue;
        OpponentReplies replies{.game = habit.game, .games = habit.games};
        for (auto& [stored, reply] : habit.replies) {
            reply.score /= static_cast<double>(reply.games);
            replies.replies.push_back(reply);
        }
        std::stable_sort(replies.replies.begin(),
                         replies.replies.end(),
                         [](const auto& a, const auto& b) { return a.games > b.games; });
        result_.replies.push_back(std::move(replies));
    }
}

}  // namespace

Preparation prepare(const Layers& layers,
                    const Model& model,
                    std::int64_t opponent,
                    std::span<const OpponentGame> others) {
    return Preparer(layers, model, opponent, others).run();
}

}  // namespace book
