#include "protocol/game/thinking.h"

#include "engine/board/notation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace protocol {
namespace {

using engine::milliseconds;

constexpr std::size_t MaxLineBytes = 400;        // of the moves; xboard's buffers hold 512 in all
constexpr milliseconds MinInterval{15};          // between two printed lines
constexpr milliseconds MinFailureInterval{200};  // the same for fail-high and fail-low scores
constexpr milliseconds MaxPonderDelay{300};      // longest for pondering lines, after our move
constexpr int MaxBookScore = 2'000;
// Told at the end of an analysis: python-chess waits for the depth or the nodes that it asked for.
constexpr std::uint64_t AllNodes = 1'000'000'000'000;

// The selective depth, the speed and the tablebase hits; "" if there are no hits.
std::string further_numbers(const engine::SearchInfo& info) {
    if (info.tbhits == 0)
        return "";
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(1, info.spent.count()));
    return fmt::format("{} {} {}\t", info.seldepth, 1000 * info.nodes / ms, info.tbhits);
}

// The bound of a score, seen from the other side.
engine::Bound negated(engine::Bound bound) {
    using engine::Bound;
    return bound == Bound::Lower ? Bound::Upper : bound == Bound::Upper ? Bound::Lower : bound;
}

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

std::string table_text(const engine::Position& pos, const engine::TableResult& known) {
    constexpr std::size_t MaxMoves = 5;
    std::string moves;
    for (std::size_t i = 0; i < std::min(known.moves.size(), MaxMoves); ++i)
        moves += ' ' + engine::to_san(pos, known.moves[i]);
    if (known.moves.size() > MaxMoves)
        moves += " ...";
    // Moves of the winner, who makes the last ply.
    const int count = (known.plies + (known.result > 0 ? 1 : 0)) / 2;
    const std::string within = known.plies > 0
                                   ? fmt::format(", capture, pawn move or mate within {} move{}",
                                                 count,
                                                 count == 1 ? "" : "s")
                                   : "";
    if (known.result > 0)
        return "tables: won by" +
               (known.plies > 0 ? ' ' + engine::to_san(pos, known.moves[0]) : moves) + within;
    if (known.result < 0)
        return "tables: lost" + within;
    return fmt::format(
        "tables: a draw{}, kept by{}", known.by_rule ? " by the 50-move rule" : "", moves);
}

std::string xboard_line(const ShownLine& line) {
    const engine::SearchInfo& info = line.info;
    return fmt::format("{} {} {} {} {}{}{}",
                       info.depth,
                       xboard_score(line.score),
                       line.spent.count() / 10,
                       line.is_end ? AllNodes : info.nodes,
                       further_numbers(info),
                       line_text(line.board, line.moves, MaxLineBytes),
                       line.bound == engine::Bound::Lower   ? "!"
                       : line.bound == engine::Bound::Upper ? "?"
                                                            : "");
}

void Thinking::begin(const engine::Position& board) {
    search_ = {.board = board};
    book_shown_ = false;
}

void Thinking::begin_analysis(const engine::Position& board) {
    begin(board);
    search_.analysis = true;
}

void Thinking::begin_pondering(const engine::Position& board, engine::Move expected) {
    search_ = {.board = board, .pondered = expected, .pondering = true, .for_opponent = !expected};
}

void Thinking::ponder_hit(Time at) {
    const std::optional<engine::SearchInfo> last = search_.last;
    search_.board.make(search_.pondered);
    begin(search_.board);
    search_.hit_time = at;
    search_.last = last;
    if (last)
        search_.held_back = {*last};
}

// The earliest time for a line that must come `interval` after the last one.
Time Thinking::earliest(milliseconds interval) const {
    Time time = search_.print_time ? *search_.print_time + interval : Time();
    if (search_.pondering && ponder_time_)
        time = std::max(time, *ponder_time_);
    return time;
}

void Thinking::add(const engine::SearchInfo& info, Time at) {
    if (info.line == 1)
        search_.last = info;
    if (search_.pondering && book_shown_)
        return;
    if (info.line > 1) {
        if (!search_.held_back.empty() || !posting_)
            search_.held_back.push_back(info);
        else
            print(info, at);  // the lines before it are printed
    } else if (info.bound == engine::Bound::Exact) {
        search_.held_back = {info};
        print_due(at);
    } else if (posting_ && search_.held_back.empty() && at >= earliest(MinFailureInterval)) {
        print(info, at);
    }
}

std::optional<Time> Thinking::alarm() const {
    if (!posting_ || search_.held_back.empty())
        return std::nullopt;
    return earliest(MinInterval);
}

void Thinking::print_due(Time at) {
    if (const std::optional<Time> due = alarm(); due && at >= *due)
        print_held_back(at);
}

void Thinking::print_held_back(Time at) {
    if (!posting_)
        return;
    for (const engine::SearchInfo& info : std::exchange(search_.held_back, {}))
        print(info, at);
}

void Thinking::move_printed(Time at) {
    ponder_time_ = at + MaxPonderDelay;
}

void Thinking::pong_printed(Time at) {
    ponder_time_.reset();
    print_due(at);
}

void Thinking::finish(const engine::SearchResult& result, Time at) {
    if (!posting_)
        return search_.held_back.clear();
    print_held_back(at);
    const bool all_counted = !nodes_per_second_ || search_.printed_nodes >= result.nodes;
    if (search_.printed_move == result.best && all_counted)
        return;
    engine::SearchInfo info = search_.last.value_or(engine::SearchInfo{});
    info.depth = std::max(result.depth, 1);
    info.score = result.score == engine::NoScore ? engine::Draw : result.score;
    info.bound = engine::Bound::Exact;
    info.nodes = std::max(result.nodes, info.nodes);
    if (info.pv.empty() || info.pv.front() != result.best) {
        info.pv = {result.best};
        if (result.ponder)
            info.pv.push_back(result.ponder);
    }
    print(info, at);
}

void Thinking::print(const engine::SearchInfo& info, Time at) {
    search_.print_time = at;
    if (info.pv.empty())
        return;
    if (info.line == 1)
        search_.printed_move = info.pv.front();
    search_.printed_nodes = info.nodes;
    std::vector<engine::Move> line;
    if (search_.pondered)
        line.push_back(search_.pondered);
    std::copy(info.pv.begin(), info.pv.end(), std::back_inserter(line));

    // After a ponder hit the client expects the time of our move only.
    const milliseconds spent =
        nodes_per_second_ ? milliseconds(1000 * info.nodes / *nodes_per_second_)
        : search_.hit_time
            ? std::max(milliseconds(0),
                       std::chrono::duration_cast<milliseconds>(at - *search_.hit_time))
            : info.spent;
    const bool theirs = search_.for_opponent;
    const ShownLine shown{.info = info,
                          .board = search_.board,
                          .moves = line,
                          .score = theirs ? -info.score : info.score,
                          .bound = theirs ? negated(info.bound) : info.bound,
                          .spent = spent,
                          .is_end = search_.analysis && info.depth >= engine::MaxPly - 1};
    out_.say(wording_ ? wording_(shown) : xboard_line(shown));
}

void Thinking::book_move(engine::Move move, std::string_view text, double value) {
    if (!posting_)
        return;
    book_shown_ = true;
    // The score in centipawns that the logistic rating curve assigns to the expected score.
    const double expected = std::clamp(value, 0.01, 0.99);
    const long unlimited = std::lround(400 * std::log10(expected / (1 - expected)));
    const auto score = static_cast<int>(std::clamp<long>(unlimited, -MaxBookScore, MaxBookScore));
    if (!wording_)
        return out_.say(fmt::format("0 {} 0 0 ({})", score, text));
    engine::SearchInfo info{};
    info.depth = 1;
    out_.say(wording_({info, search_.board, {move}, score, engine::Bound::Exact, milliseconds(0)}));
}

engine::Move Thinking::best_move() const {
    return search_.last && !search_.last->pv.empty() ? search_.last->pv.front() : engine::NoMove;
}

void Thinking::no_move(const engine::Position& board) {
    const bool mated = board.in_check();
    out_.say(fmt::format("{} {} 0 {} ({})",
                         engine::MaxPly - 1,
                         xboard_score(mated ? engine::mated_in(0) : engine::Draw),
                         AllNodes,
                         mated ? "checkmate" : "stalemate"));
}

void Thinking::table_result(const engine::TableResult& known) {
    if (!posting_)
        return;
    const std::string text = table_text(search_.board, known);
    if (wording_)
        return out_.comment(text);
    out_.say(fmt::format("0 {} 0 0 ({})", known.result * engine::TableWin, text));
}

}  // namespace protocol
