#include "book/probe/preparation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace book {
namespace {

constexpr double LeastReach = 0.02;  // of a line that is worth telling
constexpr double LeastShare = 0.03;  // of a reply that is worth thinking of
constexpr std::size_t MostMoves = 6;
constexpr double Slack = 0.15;  // of our moves below the best by the book
constexpr int MostPlies = 30;

struct Habit {  // what he did in one position
    std::map<StoredMove, HisReplies::Reply> replies{};
    std::int64_t games = 0;
    engine::Game game{};
};
using Habits = std::unordered_map<Key, Habit>;

class Preparer {
  public:
    Preparer(const Layers& layers, const Model& model, std::int64_t opponent)
        : layers_(layers), model_(model), opponent_(opponent) {}

    Result<Prepared> run() {
        for (const Color side : {engine::White, engine::Black}) {
            habits_.clear();
            known_.clear();
            if (const Result<void> read = read_games(side); !read)
                return tl::unexpected<Error>(read.error());
            side_ = side;
            const Result<PositionView> start = look(engine::Position());
            if (!start)
                return tl::unexpected<Error>(start.error());
            prepared_.usual[side] = start->value;
            const Result<double> value = value_of(engine::Position(), start->value, 0);
            if (!value)
                return tl::unexpected<Error>(value.error());
            prepared_.value[side] = *value;
            PreparedLine line{.side = side, .value = *value};
            if (habits_.empty())
                continue;
            if (const Result<void> walked = walk(engine::Position(), line); !walked)
                return tl::unexpected<Error>(walked.error());
            collect_replies();
        }
        const auto more = [](const auto& a, const auto& b) { return a.games > b.games; };
        std::stable_sort(prepared_.replies.begin(), prepared_.replies.end(), more);
        std::stable_sort(prepared_.lines.begin(),
                         prepared_.lines.end(),
                         [](const auto& a, const auto& b) { return a.reach > b.reach; });
        return std::move(prepared_);
    }

  private:
    struct Option {  // a move, and how good or how likely it is
        Move move;
        double value = 0.5, share = 1;
    };

    Result<void> read_games(Color side);
    void note(const LoggedGame& g);
    Result<PositionView> look(const engine::Position& pos) {
        return view(layers_, model_, query_of(pos, side_, TimeClass::Blitz));
    }
    Result<std::vector<Option>> options(const engine::Position& pos, int ply);
    std::vector<Option> our_options(const PositionView& view) const;
    std::vector<Option> his_options(const engine::Position& pos, const PositionView& view);
    Result<double> value_of(const engine::Position& pos, double otherwise, int ply);
    Result<void> walk(const engine::Position& pos, PreparedLine& line);
    void collect_replies();

    const Layers& layers_;
    const Model& model_;
    std::int64_t opponent_;
    Color side_ = engine::White;
    Habits habits_;                          // also positions where we are to move, without replies
    std::unordered_map<Key, double> known_;  // values already worked out
    Prepared prepared_;
};

Result<void> Preparer::read_games(Color side) {
    return layers_.experience->games->each({.opponent = opponent_, .state = GameState::Applied},
                                           [this, side](LoggedGame& g) -> Result<void> {
                                               if (g.record.our_side == side &&
                                                   g.record.game.starts_normally())
                                                   note(g);
                                               return {};
                                           });
}

// His habits end where the book or the opening does.
void Preparer::note(const LoggedGame& g) {
    const std::vector<Move>& moves = g.record.game.moves();
    const auto plies = std::min<std::size_t>(moves.size(), MostPlies);
    engine::Game game;
    for (std::size_t i = 0; i < plies; ++i) {
        const engine::Position& pos = game.position();
        Habit& habit = habits_[pos.key()];
        if (habit.games++ == 0)
            habit.game = game;
        if (pos.side_to_move() != g.record.our_side) {
            HisReplies::Reply& reply = habit.replies[store(moves[i], pos.side_to_move())];
            reply.move = moves[i];
            ++reply.games;
            reply.score += g.record.score;
        }
        game.play(moves[i]);
    }
}

std::vector<Preparer::Option> Preparer::our_options(const PositionView& view) const {
    std::vector<Option> found;
    double best = -1;
    for (const BookMove* s : candidates(view, 1))
        if ((s->flags & Never) == 0 && found.size() < MostMoves && s->mean >= best - Slack) {
            best = std::max(best, s->mean);
            found.push_back({.move = stored_move(s->move), .value = s->mean});
        }
    return found;
}

// His own moves, with a little of what others play.
std::vector<Preparer::Option> Preparer::his_options(const engine::Position& pos,
                                                    const PositionView& view) {
    const Habit& habit = habits_[pos.key()];
    std::map<StoredMove, Option> found;
    double sum = 0;
    for (const BookMove& s : view.moves) {
        const double share =
            model_.imported_replies * std::sqrt(static_cast<double>(s.imported_games));
        found[s.move] = {.move = stored_move(s.move), .value = s.mean, .share = share};
        sum += share;
    }
    for (const auto& [stored, reply] : habit.replies) {
        Option& option =
            found.try_emplace(stored, Option{.move = reply.move, .value = view.value, .share = 0})
                .first->second;
        option.share += static_cast<double>(reply.games);
        sum += static_cast<double>(reply.games);
    }
    std::vector<Option> likely;
    for (auto& [stored, option] : found)
        if (sum > 0 && (option.share /= sum) >= LeastShare)
            likely.push_back(option);
    std::stable_sort(likely.begin(), likely.end(), [](const Option& a, const Option& b) {
        return a.share > b.share;
    });
    return likely;
}

Result<std::vector<Preparer::Option>> Preparer::options(const engine::Position& pos, int ply) {
    if (ply >= MostPlies || !habits_.contains(pos.key()))
        return std::vector<Option>();
    const Result<PositionView> seen = look(pos);
    if (!seen)
        return tl::unexpected<Error>(seen.error());
    std::vector<Option> found =
        pos.side_to_move() == side_ ? our_options(*seen) : his_options(pos, *seen);
    for (Option& option : found) {
        engine::Position after = pos;
        after.make(option.move);
        const Result<double> value = value_of(after, option.value, ply + 1);
        if (!value)
            return tl::unexpected<Error>(value.error());
        option.value = *value;
    }
    return found;
}

// What to expect in a position: our best against his habits, as far as he has been seen there.
Result<double> Preparer::value_of(const engine::Position& pos, double otherwise, int ply) {
    if (const auto known = known_.find(pos.key()); known != known_.end())
        return known->second;
    known_[pos.key()] = otherwise;  // for ways that come back
    const Result<std::vector<Option>> found = options(pos, ply);
    if (!found)
        return tl::unexpected<Error>(found.error());
    double value = otherwise;
    if (!found->empty() && pos.side_to_move() == side_) {
        value = 0;
        for (const Option& option : *found)
            value = std::max(value, option.value);
    } else if (!found->empty()) {
        double sum = 0, shares = 0;
        for (const Option& option : *found) {
            sum += option.share * option.value;
            shares += option.share;
        }
        value = sum / shares;
    }
    known_[pos.key()] = value;
    return value;
}

Result<void> Preparer::walk(const engine::Position& pos, PreparedLine& line) {
    const Result<std::vector<Option>> found = options(pos, static_cast<int>(line.moves.size()));
    if (!found)
        return tl::unexpected<Error>(found.error());
    const bool ours = pos.side_to_move() == side_;
    const auto best =
        std::max_element(found->begin(), found->end(), [](const Option& a, const Option& b) {
            return a.value < b.value;
        });
    bool goes_on = false;
    for (const Option& option : *found) {
        if ((ours && option.move != best->move) || line.reach * option.share < LeastReach)
            continue;
        goes_on = true;
        engine::Position after = pos;
        after.make(option.move);
        PreparedLine next = line;
        next.moves.push_back(option.move);
        next.reach = ours ? line.reach : line.reach * option.share;
        next.value = option.value;
        if (const Result<void> walked = walk(after, next); !walked)
            return walked;
    }
    if (!goes_on && !line.moves.empty())
        prepared_.lines.push_back(line);
    return {};
}

void Preparer::collect_replies() {
    for (auto& [key, habit] : habits_) {
        if (habit.replies.empty())
            continue;
        HisReplies replies{.game = habit.game, .games = habit.games};
        for (auto& [stored, reply] : habit.replies) {
            reply.score /= static_cast<double>(reply.games);
            replies.replies.push_back(reply);
        }
        std::stable_sort(replies.replies.begin(),
                         replies.replies.end(),
                         [](const auto& a, const auto& b) { return a.games > b.games; });
        prepared_.replies.push_back(std::move(replies));
    }
}

}  // namespace

Result<Prepared> prepare(const Layers& layers, const Model& model, std::int64_t opponent) {
    if (!layers.experience)
        return Prepared{};
    return Preparer(layers, model, opponent).run();
}

}  // namespace book
