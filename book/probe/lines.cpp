#include "book/probe/lines.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

namespace book {
namespace {

// A node of the tree of moves; `next` holds indices of `tree_`.
struct LineNode {
    std::map<StoredMove, std::size_t> next{};
    std::int64_t wins = 0, draws = 0, losses = 0, last = 0;
    [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
};

class LineCollector {
  public:
    LineCollector(const Layers& layers, const Model& model, const LineOptions& options)
        : layers_(layers), model_(model), options_(options) {}

    std::vector<OwnLine> run() {
        for (const Color side : {engine::White, engine::Black}) {
            if (options_.side && *options_.side != side)
                continue;
            read_games(side);
            OwnLine line{.side = side};
            walk(engine::Position(), line, 0);
        }
        std::stable_sort(lines_.begin(), lines_.end(), [](const OwnLine& a, const OwnLine& b) {
            return a.value > b.value;
        });
        return std::move(lines_);
    }

  private:
    void read_games(Color side) {
        tree_.assign(1, {});
        layers_.experience->games.each(
            {.opponent = options_.opponent, .state = GameState::Applied, .side = side},
            [this](const LoggedGame& g) {
                if (g.record.game.starts_normally())
                    add(g);
            });
    }
    void add(const LoggedGame& g) {
        const std::optional<Track> track = track_of(g.record, true);
        if (!track)
            return;
        std::size_t at = 0;
        count(g, at);
        const auto plies =
            std::min(track->steps.size(), static_cast<std::size_t>(options_.max_ply));
        for (std::size_t i = 0; i < plies; ++i) {
            const auto [known, is_new] =
                tree_[at].next.try_emplace(track->steps[i].move, tree_.size());
            at = known->second;
            if (is_new)
                tree_.emplace_back();
            count(g, at);
        }
    }
    void count(const LoggedGame& g, std::size_t at) {
        LineNode& node = tree_[at];
        ++*by_outcome(g.record.score, &node.wins, &node.draws, &node.losses);
        node.last = later_date(node.last, g.record.played);
    }

    void walk(const engine::Position& pos, OwnLine& line, std::size_t at) {
        bool is_end = true;
        std::int64_t left = tree_[at].games();  // games that are in no longer line
        for (const auto& [stored, next] : tree_[at].next) {
            if (tree_[next].games() < options_.min_games)
                continue;
            left -= tree_[next].games();
            is_end = false;
            engine::Position after = pos;
            after.make(stored_move(stored));
            line.moves.push_back(stored_move(stored));
            walk(after, line, next);
            line.moves.pop_back();
        }
        if ((is_end || left >= options_.min_games) && !line.moves.empty())
            add_line(line, tree_[at]);
    }

    void add_line(OwnLine line, const LineNode& node) {
        engine::Position before;
        for (std::size_t i = 0; i + 1 < line.moves.size(); ++i)
            before.make(line.moves[i]);
        const PositionView seen =
            view(layers_, model_, query_of(before, line.side, TimeClass::Blitz));
        for (const BookMove& move : seen.moves)
            if (stored_move(move.move) == line.moves.back()) {
                line.value = move.belief.mean(0.5);
                line.width = move.belief.deviation(model_);
                line.evidence = move.belief.evidence;
            }
        line.wins = node.wins;
        line.draws = node.draws;
        line.losses = node.losses;
        line.last = node.last;
        lines_.push_back(std::move(line));
    }

    const Layers& layers_;
    const Model& model_;
    const LineOptions& options_;
    std::vector<LineNode> tree_;
    std::vector<OwnLine> lines_;
};

// True if the lines share their first moves, more than half of the shorter line.
bool is_like(const OwnLine& a, const OwnLine& b) {
    const auto [end, other] =
        std::mismatch(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end());
    const auto shared = static_cast<std::size_t>(end - a.moves.begin());
    return a.side == b.side && 2 * shared > std::min(a.moves.size(), b.moves.size());
}

}  // namespace

std::string moves_text(const engine::Game& game, std::size_t plies) {
    engine::Position pos = game.start();
    std::string text;
    for (const Move move : std::span(game.moves()).first(std::min(plies, game.moves().size()))) {
        if (!text.empty())
            text += ' ';
        if (pos.side_to_move() == engine::White)
            text += fmt::format("{}.", pos.fullmove_number());
        else if (text.empty())
            text += fmt::format("{}...", pos.fullmove_number());
        text += to_san(pos, move);
        pos.make(move);
    }
    return text;
}

double OwnLine::score() const {
    return games() == 0 ? 0.5
                        : (static_cast<double>(wins) + static_cast<double>(draws) / 2) /
                              static_cast<double>(games());
}

std::vector<OwnLine>
own_lines(const Layers& layers, const Model& model, const LineOptions& options) {
    if (!layers.experience)
        return {};
    return LineCollector(layers, model, options).run();
}

void sort_lines(std::vector<OwnLine>& lines, bool best) {
    const auto bound = [best](const OwnLine& line) {
        return (best ? line.value : -line.value) - line.width;
    };
    std::stable_sort(lines.begin(), lines.end(), [&bound](const OwnLine& a, const OwnLine& b) {
        return bound(a) > bound(b);
    });
}

namespace {

// By value alone, so that a line whose value is uncertain is in one of the halves, and not in both.
void keep_half(std::vector<OwnLine>& lines, bool better) {
    std::stable_sort(lines.begin(), lines.end(), [](const OwnLine& a, const OwnLine& b) {
        return a.value > b.value;
    });
    const auto middle = lines.begin() + static_cast<std::ptrdiff_t>((lines.size() + 1) / 2);
    better ? lines.erase(middle, lines.end()) : lines.erase(lines.begin(), middle);
}

}  // namespace

std::vector<OwnLine>
choose_lines(std::vector<OwnLine> lines, bool best, std::size_t max, bool half) {
    if (half)
        keep_half(lines, best);
    sort_lines(lines, best);
    std::vector<OwnLine> chosen, others;
    for (OwnLine& line : lines) {
        if (chosen.size() == max)
            break;
        const bool repeats = std::any_of(
            chosen.begin(), chosen.end(), [&line](const OwnLine& c) { return is_like(line, c); });
        (repeats ? others : chosen).push_back(std::move(line));
    }
    chosen.insert(chosen.end(),
                  std::make_move_iterator(others.begin()),
                  std::make_move_iterator(others.end()));
    chosen.resize(std::min(chosen.size(), max));
    sort_lines(chosen, best);
    return chosen;
}

}  // namespace book
