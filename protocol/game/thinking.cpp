#include "protocol/game/thinking.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <cmath>

namespace protocol {
namespace {

using engine::milliseconds;

constexpr std::size_t LineRoom = 400;      // bytes for the moves; xboard's buffers hold 512 in all
constexpr milliseconds Apart{15};          // between two lines of a search
constexpr milliseconds FailureApart{200};  // the same for scores out of the window
constexpr int LongestBookScore = 2'000;

}  // namespace

int xboard_score(engine::Score score) {
    if (!engine::is_mate(score))
        return score;
    const int moves = std::abs(engine::mate_moves(score));
    return score > 0 ? 100'000 + moves : -100'000 - moves;
}

std::string
line_text(engine::Position pos, const std::vector<engine::Move>& line, std::size_t room) {
    std::string text;
    for (const engine::Move move : line) {
        if (!pos.is_legal(move))
            break;
        const std::string san = engine::to_san(pos, move);
        if (text.size() + san.size() + 1 > room)
            break;
        if (!text.empty())
            text += ' ';
        text += san;
        pos.make(move);
    }
    return text;
}

void Thinking::begin(const engine::Position& now, engine::Move prefix, bool theirs) {
    now_ = now;
    prefix_ = prefix;
    theirs_ = theirs;
    hit_.reset();
    held_.reset();
    last_.reset();
    printed_.reset();
    announced_ = engine::NoMove;
}

void Thinking::hit(Time at) {
    now_.make(prefix_);
    prefix_ = engine::NoMove;
    hit_ = at;
    held_ = last_;
    printed_.reset();
    announced_ = engine::NoMove;
}

void Thinking::add(const engine::SearchInfo& thought, Time at) {
    last_ = thought;
    if (!posting_)
        return;
    const bool failure = thought.bound != engine::Bound::Exact;
    const bool early = printed_ && at - *printed_ < (failure ? FailureApart : Apart);
    if (early && !failure)
        held_ = thought;
    if (!early)
        print(thought, at);
}

void Thinking::finish(const engine::SearchResult& choice, Time at) {
    if (!posting_)
        return;
    if (held_)
        print(engine::SearchInfo(*held_), at);
    if (announced_ == choice.best)
        return;
    // The last line said was of another move, or there was none.
    engine::SearchInfo thought{};
    if (last_)
        thought = *last_;
    thought.depth = std::max(choice.depth, 1);
    thought.score = choice.score == engine::NoScore ? engine::Draw : choice.score;
    thought.bound = engine::Bound::Exact;
    thought.nodes = std::max(choice.nodes, thought.nodes);
    thought.line = {choice.best};
    if (choice.ponder)
        thought.line.push_back(choice.ponder);
    print(thought, at);
}

void Thinking::print(const engine::SearchInfo& thought, Time at) {
    held_.reset();
    printed_ = at;
    if (thought.line.empty())
        return;
    announced_ = thought.line.front();
    std::vector<engine::Move> line;
    line.reserve(thought.line.size() + 1);
    if (prefix_)
        line.push_back(prefix_);
    for (const engine::Move move : thought.line)
        line.push_back(move);

    // After a ponder hit the client's clock knows nothing of the time before it.
    const milliseconds spent =
        hit_ ? std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(at - *hit_))
             : thought.spent;
    const int score = xboard_score(thought.score);
    std::string text = std::to_string(thought.depth) + ' ' +
                       std::to_string(theirs_ ? -score : score) + ' ' +
                       std::to_string(spent.count() / 10) + ' ' + std::to_string(thought.nodes) +
                       ' ' + line_text(now_, line, LineRoom);
    if (thought.bound == engine::Bound::Lower)
        text += '!';
    if (thought.bound == engine::Bound::Upper)
        text += '?';
    out_.say(text);
}

void Thinking::book_move(std::string_view text, double value) {
    if (!posting_)
        return;
    // The expected score as the lead that would give it, by the logistic curve of ratings.
    const double expected = std::clamp(value, 0.01, 0.99);
    const long score = std::lround(400 * std::log10(expected / (1 - expected)));
    out_.say("0 " + std::to_string(std::clamp<long>(score, -LongestBookScore, LongestBookScore)) +
             " 0 0 (" + std::string(text) + ')');
}

}  // namespace protocol
