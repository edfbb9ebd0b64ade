#include "book/probe/lines.h"

#include <algorithm>
#include <map>

namespace book {
namespace {

// The games as a tree of moves; places in `all` instead of pointers.
struct Branch {
    std::map<StoredMove, std::size_t> next{};
    std::int64_t wins = 0, draws = 0, losses = 0, last = 0;
    [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
};

class Lines {
  public:
    Lines(const Layers& layers, const Model& model, const LineOptions& options)
        : layers_(layers), model_(model), options_(options) {}

    Result<std::vector<OwnLine>> run() {
        for (const Color side : {engine::White, engine::Black}) {
            if (options_.side && *options_.side != side)
                continue;
            if (const Result<void> read = read_games(side); !read)
                return tl::unexpected<Error>(read.error());
            OwnLine line{.side = side};
            if (const Result<void> walked = walk(engine::Position(), line, 0); !walked)
                return tl::unexpected<Error>(walked.error());
        }
        std::stable_sort(found_.begin(), found_.end(), [](const OwnLine& a, const OwnLine& b) {
            return a.value > b.value;
        });
        return std::move(found_);
    }

  private:
    Result<void> read_games(Color side) {
        all_.assign(1, {});
        return layers_.experience->games->each(
            {.opponent = options_.opponent, .state = GameState::Applied},
            [this, side](LoggedGame& g) -> Result<void> {
                if (g.record.our_side == side && g.record.game.starts_normally())
                    add(g);
                return {};
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
            const auto [known, fresh] =
                all_[at].next.try_emplace(track->steps[i].move, all_.size());
            at = known->second;
            if (fresh)
                all_.emplace_back();
            count(g, at);
        }
    }
    void count(const LoggedGame& g, std::size_t at) {
        Branch& b = all_[at];
        const double score = g.record.score;
        ++(score > 0.75 ? b.wins : score < 0.25 ? b.losses : b.draws);
        b.last = std::max(b.last, g.record.played);
    }

    Result<void> walk(const engine::Position& pos, OwnLine& line, std::size_t at) {
        bool goes_on = false;
        for (const auto& [stored, to] : all_[at].next) {
            if (all_[to].games() < options_.min_games)
                continue;
            goes_on = true;
            const Move move = stored_move(stored);
            engine::Position after = pos;
            after.make(move);
            line.moves.push_back(move);
            if (const Result<void> walked = walk(after, line, to); !walked)
                return walked;
            line.moves.pop_back();
        }
        return goes_on || line.moves.empty() ? Result<void>() : finish(line, all_[at]);
    }

    // The value is that of the last move, seen from the position before it.
    Result<void> finish(OwnLine line, const Branch& branch) {
        engine::Position before;
        for (std::size_t i = 0; i + 1 < line.moves.size(); ++i)
            before.make(line.moves[i]);
        const Result<PositionView> seen =
            view(layers_, model_, query_of(before, line.side, TimeClass::Blitz));
        if (!seen)
            return tl::unexpected<Error>(seen.error());
        for (const BookMove& s : seen->moves)
            if (stored_move(s.move) == line.moves.back()) {
                line.value = s.mean;
                line.width = s.belief.deviation(model_);
                line.evidence = s.belief.evidence;
            }
        line.wins = branch.wins;
        line.draws = branch.draws;
        line.losses = branch.losses;
        line.last = branch.last;
        found_.push_back(std::move(line));
        return {};
    }

    const Layers& layers_;
    const Model& model_;
    const LineOptions& options_;
    std::vector<Branch> all_;
    std::vector<OwnLine> found_;
};

}  // namespace

double OwnLine::score() const {
    return games() == 0 ? 0.5
                        : (static_cast<double>(wins) + static_cast<double>(draws) / 2) /
                              static_cast<double>(games());
}

Result<std::vector<OwnLine>>
own_lines(const Layers& layers, const Model& model, const LineOptions& options) {
    if (!layers.experience)
        return std::vector<OwnLine>();
    return Lines(layers, model, options).run();
}

void sort_lines(std::vector<OwnLine>& lines, bool best) {
    const auto worth = [best](const OwnLine& line) {
        return (best ? line.value : -line.value) - line.width;
    };
    std::stable_sort(lines.begin(), lines.end(), [&worth](const OwnLine& a, const OwnLine& b) {
        return worth(a) > worth(b);
    });
}

std::size_t lines_to_show(std::size_t lines, std::size_t most, bool best) {
    return std::min(most, best ? (lines + 1) / 2 : lines / 2);
}

}  // namespace book
