#include "protocol/game/thinking.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace protocol {
namespace {

using engine::milliseconds;

constexpr std::size_t MaxLineBytes = 400;        // of the moves; xboard's buffers hold 512 in all
constexpr milliseconds MinInterval{15};          // between two printed lines
constexpr milliseconds MinFailureInterval{200};  // the same for fail-high and fail-low scores
constexpr int MaxBookScore = 2'000;

}  // namespace

int xboard_score(engine::Score score) {
    if (!engine::is_mate(score))
        return score;
    const int moves = std::abs(engine::mate_moves(score));
    return score > 0 ? 100'000 + moves : -100'000 - moves;
}

std::string
line_text(engine::Position pos, const std::vector<engine::Move>& line, std::size_t max_bytes) {
    std::string text;
    for (const engine::Move move : line) {
        if (!pos.is_legal(move))
            break;
        const std::string san = engine::to_san(pos, move);
        if (text.size() + san.size() + 1 > max_bytes)
            break;
        if (!text.empty())
            text += ' ';
        text += san;
        pos.make(move);
    }
    return text;
}

void Thinking::begin(const engine::Position& board, engine::Move pondered, bool for_opponent) {
    board_ = board;
    pondered_ = pondered;
    for_opponent_ = for_opponent;
    hit_time_.reset();
    held_back_.reset();
    last_.reset();
    print_time_.reset();
    printed_move_ = engine::NoMove;
}

void Thinking::ponder_hit(Time at) {
    board_.make(pondered_);
    pondered_ = engine::NoMove;
    hit_time_ = at;
    held_back_ = last_;
    print_time_.reset();
    printed_move_ = engine::NoMove;
}

void Thinking::add(const engine::SearchInfo& info, Time at) {
    last_ = info;
    if (!posting_)
        return;
    const bool failure = info.bound != engine::Bound::Exact;
    const bool early =
        print_time_ && at - *print_time_ < (failure ? MinFailureInterval : MinInterval);
    if (!early)
        print(info, at);
    else if (!failure)
        held_back_ = info;
}

void Thinking::finish(const engine::SearchResult& result, Time at) {
    if (!posting_)
        return;
    if (held_back_)
        print(engine::SearchInfo(*held_back_), at);
    if (printed_move_ == result.best)
        return;
    engine::SearchInfo info = last_.value_or(engine::SearchInfo{});
    info.depth = std::max(result.depth, 1);
    info.score = result.score == engine::NoScore ? engine::Draw : result.score;
    info.bound = engine::Bound::Exact;
    info.nodes = std::max(result.nodes, info.nodes);
    info.line = {result.best};
    if (result.ponder)
        info.line.push_back(result.ponder);
    print(info, at);
}

void Thinking::print(const engine::SearchInfo& info, Time at) {
    held_back_.reset();
    print_time_ = at;
    if (info.line.empty())
        return;
    printed_move_ = info.line.front();
    std::vector<engine::Move> line;
    if (pondered_)
        line.push_back(pondered_);
    std::copy(info.line.begin(), info.line.end(), std::back_inserter(line));

    // After a ponder hit the client expects the time of our move only.
    const milliseconds spent =
        hit_time_
            ? std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(at - *hit_time_))
            : info.spent;
    const int score = xboard_score(info.score);
    out_.say(fmt::format("{} {} {} {} {}{}",
                         info.depth,
                         for_opponent_ ? -score : score,
                         spent.count() / 10,
                         info.nodes,
                         line_text(board_, line, MaxLineBytes),
                         info.bound == engine::Bound::Lower   ? "!"
                         : info.bound == engine::Bound::Upper ? "?"
                                                              : ""));
}

void Thinking::book_move(std::string_view text, double value) {
    if (!posting_)
        return;
    // The score in centipawns that the logistic rating curve assigns to the expected score.
    const double expected = std::clamp(value, 0.01, 0.99);
    const long score = std::lround(400 * std::log10(expected / (1 - expected)));
    out_.say(
        fmt::format("0 {} 0 0 ({})", std::clamp<long>(score, -MaxBookScore, MaxBookScore), text));
}

}  // namespace protocol
