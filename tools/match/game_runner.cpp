#include "tools/match/game_runner.h"

#include "engine/board/notation.h"
#include "tools/common/adjudicator.h"

namespace tools {
namespace {

using engine::Color;

constexpr milliseconds ClaimPatience{1'000};  // between a claim and the move that makes it true
constexpr milliseconds CrashPatience{2'000};  // between the end of its output and of the program

std::string_view color_name(Color c) {
    return c == engine::White ? "White" : "Black";
}

// Fit for a comment in braces, whatever an engine wrote.
std::string harmless(std::string text) {
    for (char& c : text)
        if (c < ' ' || c > '~' || c == '{' || c == '}')
            c = '?';
    text.resize(std::min<std::size_t>(text.size(), 120));
    return text;
}

class Arbiter {
  public:
    Arbiter(std::array<Driver*, 2> engines,
            const Opening& opening,
            const Rules& rules,
            int cancel,
            const std::function<void(const View&)>& watch)
        : engines_(engines), rules_(rules), cancel_(cancel), watch_(watch), game_(opening.start),
          adjudicator_(rules), clocks_{SideClock(engines[0]->spec().time),
                                       SideClock(engines[1]->spec().time)} {
        record_.start = opening.start;
        for (const engine::Move m : opening.moves)
            play(m, {}, milliseconds(0), true);
    }

    GameRecord run() {
        for (const Color c : {engine::White, engine::Black}) {
            record_.names[c] = engines_[c]->name();
            record_.time_controls[c] = engines_[c]->spec().time.text();
        }
        begin();
        while (!over() && !ended_by_rule())
            one_move();
        finish();
        return std::move(record_);
    }

  private:
    [[nodiscard]] bool over() const { return record_.ending != Ending::Unfinished || cancelled_; }
    [[nodiscard]] Color mover() const { return game_.position().side_to_move(); }

    void decide(Outcome outcome, Ending ending, std::string reason) {
        record_.outcome = outcome;
        record_.ending = ending;
        record_.reason = harmless(std::move(reason));
    }
    // The side that breaks the rules, or down, loses.
    void forfeit(Color c, Ending ending, const std::string& what) {
        decide(win_for(~c), ending, std::string(color_name(c)) + ' ' + what);
    }

    void crash(Color c) {
        Process& process = engines_[c]->process();
        process.finish(CrashPatience);
        forfeit(c, Ending::Crash, "crashes (" + process.ending() + ')');
    }

    void begin() {
        for (const Color c : {engine::White, engine::Black}) {
            const Outlook ready = engines_[c]->begin(game_, c, engines_[~c]->name());
            if (!ready && !over())
                trouble(c, ready.error());
        }
    }

    void trouble(Color c, const Trouble& trouble) {
        if (trouble.kind == Ending::Unfinished)
            cancelled_ = true;
        else if (trouble.kind == Ending::Crash)
            crash(c);
        else
            forfeit(c, Ending::Stall, "does not answer");
    }

    bool ended_by_rule() {
        switch (game_.status()) {
        case engine::Status::Ongoing:
            return false;
        case engine::Status::Checkmate:
            decide(
                win_for(~mover()), Ending::Checkmate, std::string(color_name(~mover())) + " mates");
            break;
        case engine::Status::Stalemate:
            decide(Outcome::Draw, Ending::Stalemate, "Stalemate");
            break;
        case engine::Status::DeadPosition:
            decide(Outcome::Draw, Ending::DeadPosition, "Draw by insufficient material");
            break;
        case engine::Status::FiftyMoves:
            decide(Outcome::Draw, Ending::FiftyMoves, "Draw by fifty moves rule");
            break;
        case engine::Status::Repetition:
            decide(Outcome::Draw, Ending::Repetition, "Draw by repetition");
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

    void one_move() {
        const Color c = mover();
        claimed_ = false;
        // The clock runs from before the sending: what the engine gets early is its own time.
        const Clock::time_point start = Clock::now();
        const std::optional<milliseconds> left = clocks_[c].left();
        flag_ = start + (left ? *left + engines_[c]->spec().time.margin : rules_.stall);
        engines_[c]->think(game_, clocks_of(c));
        engines_[~c]->rest(game_, clocks_of(~c));
        await_move(c, start);
    }

    void await_move(Color c, Clock::time_point start) {
        const std::size_t ply = game_.moves().size();
        const std::array<Process*, 2> both{&engines_[c]->process(), &engines_[~c]->process()};
        while (!over() && game_.moves().size() == ply) {
            const Clock::time_point until = claimed_ ? std::min(flag_, claim_end_) : flag_;
            if (both[0]->at_end() || both[1]->at_end())
                return crash(both[0]->at_end() ? c : ~c);
            if (!wait_for(both, until, cancel_)) {
                cancelled_ = Clock::now() < until;
                if (!cancelled_)
                    no_move(c);
                return;
            }
            for (const Color speaker : {c, ~c})
                while (!over() && game_.moves().size() == ply) {
                    const std::optional<std::string_view> line = engines_[speaker]->next_line();
                    if (!line)
                        break;
                    heard(speaker, engines_[speaker]->hear(*line), start);
                }
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

    void heard(Color speaker, const Event& event, Clock::time_point start) {
        switch (event.say) {
        case Say::Move:
            if (speaker != mover())
                return forfeit(speaker, Ending::IllegalMove, "moves out of turn: " + event.text);
            return heard_move(event.text, start);
        case Say::Resign:
            return decide(win_for(~speaker),
                          Ending::Resignation,
                          std::string(color_name(speaker)) + " resigns");
        case Say::OfferDraw:
            if (offered_[~speaker])
                return decide(Outcome::Draw, Ending::Agreement, "Draw by agreement");
            offered_[speaker] = true;
            if (speaker != mover())
                engines_[~speaker]->pass_on_draw_offer();
            return;
        case Say::Claim:
            // What the board proves has ended the game already; what the coming move will prove may
            // be claimed ahead of it.
            if (speaker != mover())
                return forfeit(speaker, Ending::FalseClaim, "claims a false " + event.text);
            claimed_ = true;
            claim_end_ = Clock::now() + ClaimPatience;
            return;
        case Say::Refusal:
            return forfeit(speaker, Ending::IllegalMove, "refuses a legal move: " + event.text);
        case Say::Nothing:
        case Say::Ready:
            return;
        }
    }

    void heard_move(const std::string& text, Clock::time_point start) {
        const Color c = mover();
        const auto arrived = engines_[c]->process().heard_at();
        const auto spent = std::chrono::duration_cast<milliseconds>(arrived - start);
        const auto move = engine::parse_move(game_.position(), text);
        if (!move)
            return forfeit(c, Ending::IllegalMove, "makes an illegal move: " + text);
        if (!clocks_[c].move_made(spent))
            return forfeit(c, Ending::TimeForfeit, "loses on time");
        Thinking thinking = engines_[c]->take_thinking();
        if (engines_[c]->spec().white_view && c == engine::Black)
            thinking.score = -thinking.score;
        const int number = game_.position().fullmove_number();
        const Outcome judged = adjudicator_.move_made(c, number, thinking);
        play(*move, std::move(thinking), spent, false);
        if (watch_)
            watch_({game_, record_, {clocks_[0].left(), clocks_[1].left()}});
        if (ended_by_rule())
            return;
        if (claimed_)
            return forfeit(c, Ending::FalseClaim, "claims what is not true");
        offered_[~c] = false;  // by moving it has declined
        if (offered_[c])
            engines_[~c]->pass_on_draw_offer();
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
            const Outlook rested =
                ended ? Outlook() : engines_[c]->end(game_, record_.outcome, record_.reason);
            if (ended || (!rested && rested.error().kind != Ending::Unfinished))
                record_.broke_down[c] = !known && !cancelled_;
        }
    }

    std::array<Driver*, 2> engines_;
    Rules rules_;
    int cancel_;
    const std::function<void(const View&)>& watch_;
    engine::Game game_;
    Adjudicator adjudicator_;
    std::array<SideClock, 2> clocks_;
    GameRecord record_;
    std::array<bool, 2> offered_{};  // a draw, by colour
    bool claimed_ = false;           // the mover did, before its move
    bool cancelled_ = false;
    Clock::time_point flag_, claim_end_;
};

}  // namespace

GameRecord play_game(std::array<Driver*, 2> engines,
                     const Opening& opening,
                     const Rules& rules,
                     int cancel,
                     const std::function<void(const View&)>& watch) {
    return Arbiter(engines, opening, rules, cancel, watch).run();
}

}  // namespace tools
