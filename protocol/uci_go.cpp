#include "protocol/uci_go.h"

#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/score.h"
#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <limits>

namespace protocol {
namespace {

using engine::milliseconds;
using engine::Move;

constexpr double MaxTime = 1'000'000'000;  // milliseconds
// For a search whose clock cannot be read: an endless search would lose on time.
constexpr milliseconds UnknownTime{100};

// The whole text as a number; some clients send times with a decimal point.
std::optional<double> to_real(std::string_view text) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const std::optional<double> number = take_real(text);
    return text.empty() ? number : std::nullopt;
}

// True for words about a clock or the time for a move.
bool is_time(std::string_view word) {
    constexpr auto Words = std::to_array<std::string_view>(
        {"wtime", "btime", "winc", "binc", "movestogo", "movetime"});
    return std::find(Words.begin(), Words.end(), word) != Words.end();
}

// The root moves that searchmoves leaves out. Removes its moves from `args`.
std::vector<Move>
all_but(std::string_view& args, const engine::Position& pos, std::vector<std::string>& illegal) {
    std::vector<Move> excluded;
    for (const Move move : engine::legal_moves(pos))
        excluded.push_back(move);
    for (;;) {
        std::string_view rest = args;
        const std::string_view word = next_word(rest);
        const auto move = engine::parse_move(pos, word);
        if (move)
            std::erase(excluded, *move);
        else if (move.error() == engine::NoMoveBecause::Illegal)
            illegal.emplace_back(word);
        else
            return excluded;
        args = rest;
    }
}

class GoReader {
  public:
    GoReader(std::string_view args, const engine::Position& pos)
        : args_(args), pos_(pos), white_(pos.side_to_move() == engine::White) {}

    GoOrder read() {
        while (!trimmed(args_).empty())
            read_word(next_word(args_));
        engine::Limits& limits = order_.limits;
        if (own_time_)
            limits.clock = clock_;
        const bool unlimited = !limits.clock && !limits.move_time && !limits.depth &&
                               !limits.nodes && !limits.mate && !order_.perft;
        if (unlimited && timed_)
            limits.move_time = UnknownTime;
        else if (unlimited)
            order_.endless = true;
        if (order_.endless)
            forget_limits();
        return std::move(order_);
    }

  private:
    void read_word(std::string_view word) {
        engine::Limits& limits = order_.limits;
        if (word == "infinite") {
            order_.endless = true;
        } else if (word == "ponder") {
            limits.ponder = true;
        } else if (word == "searchmoves") {
            limits.excluded = all_but(args_, pos_, order_.illegal);
            order_.restricted = true;
        } else {
            read_number(word);
        }
    }

    void read_number(std::string_view word) {
        timed_ = timed_ || is_time(word);
        std::string_view rest = args_;
        const std::optional<double> number = to_real(next_word(rest));
        if (!number) {
            order_.ignored.emplace_back(word);
            return;
        }
        engine::Limits& limits = order_.limits;
        const auto count = [&number](int least, int most = std::numeric_limits<int>::max()) {
            return static_cast<int>(std::clamp<double>(*number, least, most));
        };
        const milliseconds time(static_cast<int>(std::clamp(*number, -MaxTime, MaxTime)));
        if (word == (white_ ? "wtime" : "btime")) {
            own_time_ = true;
            clock_.left = time;
        } else if (word == (white_ ? "btime" : "wtime")) {
            clock_.theirs = std::max(time, milliseconds(0));
        } else if (word == (white_ ? "winc" : "binc")) {
            clock_.increment = std::max(time, milliseconds(0));
        } else if (word == "movestogo") {
            clock_.moves_to_go = count(0);
        } else if (word == "movetime") {
            limits.move_time = std::max(time, milliseconds(1));
        } else if (word == "depth") {
            limits.depth = count(1, engine::MaxPly - 1);
        } else if (word == "nodes") {
            limits.nodes = static_cast<std::uint64_t>(std::clamp(*number, 1.0, 1e18));
        } else if (word == "mate") {
            limits.mate = count(1);
        } else if (word == "perft") {
            order_.perft = count(0, engine::MaxPly - 1);
        } else if (word != (white_ ? "binc" : "winc")) {
            order_.ignored.emplace_back(word);
            return;
        }
        args_ = rest;
    }

    void forget_limits() {
        engine::Limits& limits = order_.limits;
        limits.clock.reset();
        limits.move_time.reset();
        limits.depth.reset();
        limits.nodes.reset();
        limits.mate.reset();
    }

    std::string_view args_;
    const engine::Position& pos_;
    bool white_;
    GoOrder order_;
    engine::GameClock clock_{};
    bool own_time_ = false, timed_ = false;  // timed: a word of is_time() was there
};

}  // namespace

GoOrder parse_go(std::string_view args, const engine::Position& pos) {
    return GoReader(args, pos).read();
}

Result<PositionOrder> parse_position(std::string_view args, engine::CastlingStyle castling) {
    PositionOrder order;
    const std::string_view form = next_word(args);
    if (form == "fen") {
        std::string fen;
        for (std::string_view rest = args; !rest.empty();) {
            const std::string_view word = next_word(rest);
            if (word == "moves")
                break;
            fen += (fen.empty() ? "" : " ") + std::string(word);
            args = rest;
        }
        const Result<engine::Position> pos =
            engine::Position::from_fen(fen, engine::Material::Possible, castling);
        if (!pos)
            return fail(pos.error().what);
        order.start = *pos;
    } else if (form != "startpos") {
        return fail("neither startpos nor fen");
    }
    if (!args.empty() && next_word(args) != "moves")
        return fail("\"moves\" is missing");
    engine::Position pos = order.start;
    while (!args.empty()) {
        const std::string_view word = next_word(args);
        const auto move = engine::parse_move(pos, word);
        if (!move)
            return fail("illegal move " + printable(word));
        order.moves.push_back(*move);
        pos.make(*move);
    }
    return order;
}

}  // namespace protocol
