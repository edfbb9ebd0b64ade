#include "tools/match/game_runner.h"

#include "engine/board/notation.h"
#include "tools/common/adjudicator.h"

namespace tools::match {
namespace {

using engine::Color;

constexpr milliseconds ClaimPatience{1'000};  // from a claim to the move that makes it true
constexpr milliseconds CrashPatience{2'000};  // from the end of its output to its exit

std::string color_name(Color c) {
    return c == engine::White ? "White" : "Black";
}

AdjudicationRules adjudication_of(const Rules& rules) {
    return {.win_score = rules.resign_score,
            .win_plies = 2 * rules.resign_moves,
            .draw_score = rules.draw_score,
            .draw_plies = 2 * rules.draw_moves,
            .draw_from_ply = 2 * (rules.draw_from_move - 1)};
}

// Makes an engine's text safe for a PGN comment.
std::string as_comment(std::string text) {
    for (char& c : text)
        if (c < ' ' || c > '~' || c == '{' || c == '}')
            c = '?';
    text.resize(std::min<std::size_t>(text.size(), 120));
    return text;
}

class GameRunner {
  public:
    GameRunner(std::array<Driver*, 2> engines,
               const Opening& opening,
               const Rules& rules,
               Cancel cancel,
               const std::function<void(const View&)>& watch)
        : engines_(engines), rules_(rules), cancel_(cancel), watch_(watch), game_(opening.start),
          adjudicator_(adjudication_of(rules)), clocks_{SideClock(engines[0]->spec().time),
                                                        SideClock(engines[1]->spec().time)} {
        record_.start = opening.start;
        for (const engine::Move m : opening.moves)
            play(m, {}, milliseconds(0), true);
    }

    PlayedGame run() {
        for (const Color c : {engine::White, engine::Black}) {
            record_.names[c] = engines_[c]->name();
            record_.time_controls[c] = engines_[c]->spec().time.text();
        }
        begin();
        while (!over() && !ended_by_rule())
            play_move();
        finish();
        return std::move(record_);
    }

  private:
    [[nodiscard]] bool over() const { return record_.ending != Ending::Unfinished || cancelled_; }
    [[nodiscard]] Color mover() const { return game_.position().side_to_move(); }

    void decide(Outcome outcome, Ending ending, std::string reason) {
        record_.outcome = outcome;
        record_.ending = ending;
        record_.reason = as_comment(std::move(reason));
    }
    // The side that broke the rules, or broke down, loses.
    void forfeit(Color c, Ending ending, const std::string& what) {
        decide(win_for(~c), ending, color_name(c) + ' ' + what);
    }

    void crash(Color c) {
        Process& process = engines_[c]->process();
        process.finish(CrashPatience);
        forfeit(c, Ending::Crash, "crashes (" + process.ending() + ')');
    }

    void begin() {
        for (const Color c : {engine::White, engine::Black}) {
            const EngineResult ready = engines_[c]->begin(game_, c, engines_[~c]->name());
            if (!ready && !over())
                trouble(c, ready.error());
        }
    }

    void trouble(Color c, const EngineFailure& trouble) {
        if (trouble.kind == Ending::Unfinished)
            cancelled_ = true;
        else if (trouble.kind == Ending::Crash)
            crash(c);
        else if (trouble.kind == Ending::IllegalMove)
            forfeit(c, Ending::IllegalMove, "refuses the opening: " + trouble.what);
        else
            forfeit(c, Ending::Stall, "does not answer");
    }

    bool ended_by_rule() {
        const auto draw = [this](Ending ending, const char* reason) {
            decide(Outcome::Draw, ending, reason);
        };
        switch (game_.status()) {
        case engine::Status::Ongoing:
            return false;
        case engine::Status::Checkmate:
            decide(win_for(~mover()), Ending::Checkmate, color_name(~mover()) + " mates");
            break;
        case engine::Status::Stalemate:
            draw(Ending::Stalemate, "Stalemate");
            break;
        case engine::Status::DeadPosition:
            draw(Ending::DeadPosition, "Draw by insufficient material");
            break;
        case engine::Status::FiftyMoves:
            draw(Ending::FiftyMoves, "Draw by fifty moves rule");
            break;
        case engine::Status::Repetition:
            draw(Ending::Repetition, "Draw by repetition");
            break;
        }
        return true;
    }

    [[nodiscard]] Clocks clocks_of(Color c) const {
        return {clocks_[c].left(),
                clocks_[~c].left(),
                engines_[~c]->spec().time.increment,
                clocks_[c].moves_to_go()};
    }

    void play_move() {
        const Color c = mover();
        claimed_ = false;
        // The clock starts before we send, so that an engine pays for reading slowly.
        const Clock::time_point start = Clock::now();
        const std::optional<milliseconds> left = clocks_[c].left();
        flag_ = start + (left ? *left + engines_[c]->spec().time.tolerance() : rules_.stall);
        engines_[c]->think(game_, clocks_of(c));
        engines_[~c]->start_pondering(game_, clocks_of(~c));
        await_move(c, start);
    }

    void await_move(Color c, Clock::time_point start) {
        const std::size_t ply = game_.moves().size();
        const std::array<Process*, 2> both{&engines_[c]->process(), &engines_[~c]->process()};
        for (;;) {
            handle_lines(c, start);
            if (over() || game_.moves().size() != ply)
                return;
            const Clock::time_point until = claimed_ ? std::min(flag_, claim_end_) : flag_;
            if (both[0]->at_end() || both[1]->at_end())
                return crash(both[0]->at_end() ? c : ~c);
            if (!wait_for(both, until, cancel_)) {
                cancelled_ = Clock::now() < until;
                if (!cancelled_)
                    no_move(c);
                return;
            }
        }
    }

    // Handles the lines that were read already, up to the move of `c` or the end of the game.
    void handle_lines(Color c, Clock::time_point start) {
        const std::size_t ply = game_.moves().size();
        for (const Color speaker : {c, ~c})
            while (!over() && game_.moves().size() == ply) {
                const std::optional<std::string_view> line = engines_[speaker]->next_line();
                if (!line)
                    break;
                handle_event(speaker, engines_[speaker]->handle_line(*line), start);
            }
    }

    void no_move(Color c) {
        if (claimed_ && claim_end_ <= flag_)
            forfeit(c, Ending::FalseClaim, "claims what is not true");
        else if (clocks_[c].left())
            forfeit(c, Ending::TimeForfeit, "loses on time");
        else
            forfeit(c, Ending::Stall, "does not move");
    }

    void handle_event(Color speaker, const Event& event, Clock::time_point start) {
        switch (event.type) {
        case EventType::Move:
            if (speaker != mover())
                return forfeit(speaker, Ending::IllegalMove, "moves out of turn: " + event.text);
            return handle_move(event.text, start);
        case EventType::Resign:
            return decide(win_for(~speaker), Ending::Resignation, color_name(speaker) + " resigns");
        case EventType::OfferDraw:
            if (offered_[~speaker])
                return decide(Outcome::Draw, Ending::Agreement, "Draw by agreement");
            offered_[speaker] = true;
            if (speaker != mover())
                engines_[~speaker]->send_draw_offer();
            return;
        case EventType::Claim:
            // A claim may come before the move that makes it true. A result that the board proves
            // has already ended the game.
            if (speaker != mover())
                return forfeit(speaker, Ending::FalseClaim, "claims a false " + event.text);
            claimed_ = true;
            claim_end_ = Clock::now() + ClaimPatience;
            return;
        case EventType::Refusal:
            return forfeit(speaker, Ending::IllegalMove, "refuses a legal move: " + event.text);
        case EventType::Nothing:
        case EventType::Ready:
            return;
        }
    }

    void handle_move(const std::string& text, Clock::time_point start) {
        const Color c = mover();
        // A move that came before its turn took no time.
        const auto arrived = std::max(engines_[c]->process().last_read(), start);
        const auto spent = std::chrono::duration_cast<milliseconds>(arrived - start);
        const auto move = engine::parse_move(game_.position(), text);
        if (!move)
            return forfeit(c, Ending::IllegalMove, "makes an illegal move: " + text);
        if (!clocks_[c].move_made(spent))
            return forfeit(c, Ending::TimeForfeit, "loses on time");
        Thinking thinking = engines_[c]->take_thinking();
        if (engines_[c]->spec().white_view && c == engine::Black)
            thinking.score = -thinking.score;
        std::optional<int> white_score;
        if (thinking.depth > 0)
            white_score = c == engine::White ? thinking.score : -thinking.score;
        const Outcome judged = adjudicator_.judge(white_score, game_ply(game_.position()));
        play(*move, std::move(thinking), spent, false);
        if (watch_)
            watch_({game_, record_, {clocks_[0].left(), clocks_[1].left()}});
        if (ended_by_rule())
            return;
        if (claimed_)
            return forfeit(c, Ending::FalseClaim, "claims what is not true");
        offered_[~c] = false;  // moving declines an offer
        if (offered_[c])
            engines_[~c]->send_draw_offer();
        if (judged != Outcome::Unfinished)
            decide(judged,
                   Ending::Adjudication,
                   judged == Outcome::Draw ? "Draw by adjudication"
                                           : std::string(result_text(judged)) + " by adjudication");
        else if (rules_.max_moves > 0 && game_.ply() >= 2 * rules_.max_moves)
            decide(Outcome::Draw, Ending::MoveLimit, "Draw by length of the game");
    }

    void play(engine::Move m, Thinking thinking, milliseconds spent, bool opening) {
        std::string san = engine::to_san(game_.position(), m);
        game_.play(m);
        record_.moves.push_back({m, std::move(san), std::move(thinking), spent, opening});
    }

    void finish() {
        for (const Color c : {engine::White, engine::Black}) {
            const bool ended = engines_[c]->process().at_end();
            const bool known = record_.ending == Ending::Crash && record_.outcome == win_for(~c);
            const EngineResult rested =
                ended ? EngineResult() : engines_[c]->end(game_, record_.outcome, record_.reason);
            if (ended || (!rested && rested.error().kind != Ending::Unfinished))
                record_.broke_down[c] = !known && !cancelled_;
        }
    }

    std::array<Driver*, 2> engines_;
    Rules rules_;
    Cancel cancel_;
    const std::function<void(const View&)>& watch_;
    engine::Game game_;
    Adjudicator adjudicator_;
    std::array<SideClock, 2> clocks_;
    PlayedGame record_;
    std::array<bool, 2> offered_{};  // a draw, by colour
    bool claimed_ = false;           // by the mover, before its move
    bool cancelled_ = false;
    Clock::time_point flag_, claim_end_;
};

}  // namespace

PlayedGame play_game(std::array<Driver*, 2> engines,
                     const Opening& opening,
                     const Rules& rules,
                     Cancel cancel,
                     const std::function<void(const View&)>& watch) {
    return GameRunner(engines, opening, rules, cancel, watch).run();
}

}  // namespace tools::match
