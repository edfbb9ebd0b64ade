// One engine in a match: the common face of the protocols that engines speak.
#pragma once

#include "tools/match/game_record.h"
#include "tools/match/process.h"
#include "tools/match/time_control.h"
#include "tools/match/trace.h"

namespace tools {

enum class Protocol : std::uint8_t { Xboard, Uci };

struct EngineSpec {
    std::string name;  // empty: what it calls itself
    Command command;
    Protocol protocol = Protocol::Xboard;
    std::vector<std::pair<std::string, std::optional<std::string>>> options;  // no value: a button
    std::vector<std::string> init;  // lines sent as they are after the handshake
    std::optional<int> memory_mib, cores;
    bool restart = false;  // a new process for every game
    bool ponder = false;
    bool white_view = false;        // tells scores from White's side
    milliseconds patience{15'000};  // for its answers outside its thinking time
    TimeControl time;
};

// Something an engine said that matters to the runner.
enum class Say : std::uint8_t {
    Nothing,
    Move,  // text: the move
    Resign,
    OfferDraw,
    Claim,    // text: the result it claims
    Refusal,  // text: it does not take the move we sent
    Ready     // the awaited answer to our question
};
struct Event {
    Say say = Say::Nothing;
    std::string text{};
};

// Why an engine cannot go on.
struct Trouble {
    Ending kind;  // Crash or Stall; Unfinished: the match is being cancelled
    std::string what;
};
using Outlook = tl::expected<void, Trouble>;

// The clocks as the engine that is told of them sees them; nothing where a side has none.
struct Clocks {
    std::optional<milliseconds> own, other;
    milliseconds other_increment{};
    int moves_to_go = 0;  // the mover's; 0: no more time will come
};

// Calls come from one thread. Whatever the engine does, every call returns within its patience.
class Driver {
  public:
    // Starts the program. `cancel` is a file that becomes readable when everything shall end (-1:
    // none).
    static Result<std::unique_ptr<Driver>> start(const EngineSpec& spec, Trace* trace, int cancel);
    virtual ~Driver() = default;  // kills it

    // The handshake, then options and init lines. Once, before anything else.
    virtual Outlook greet() = 0;
    // A new game from here; `other` is the opponent's name. Returns when the engine is ready.
    virtual Outlook
    begin(const engine::Game& game, engine::Color own, const std::string& other) = 0;
    // It is to move: sends what happened since and starts its thinking.
    virtual void think(const engine::Game& game, const Clocks& clocks) = 0;
    // It has moved and may think on its opponent's time.
    virtual void rest(const engine::Game& game, const Clocks& clocks) = 0;
    // Makes sense of one line, and answers it where the protocol asks for that.
    virtual Event hear(std::string_view line) = 0;
    virtual void pass_on_draw_offer() = 0;
    // The game is over. Returns when the engine has come to rest.
    virtual Outlook end(const engine::Game& game, Outcome outcome, const std::string& reason) = 0;
    // False if it understands none of the limits it was given, so that it would think forever.
    // After the handshake.
    [[nodiscard]] virtual bool has_limit() const { return true; }
    // False if only a new process is sure not to mix up two games.
    [[nodiscard]] virtual bool reusable() const = 0;
    // Lets it go politely.
    void quit(milliseconds patience);

    [[nodiscard]] const EngineSpec& spec() const { return spec_; }
    [[nodiscard]] std::string name() const;
    [[nodiscard]] Process& process() { return *process_; }
    // Options it does not know, and the like; for a warning.
    [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
    // What it last said about its search; take it when its move has come.
    Thinking take_thinking() { return std::exchange(thinking_, {}); }
    // The next line that is already here, traced.
    std::optional<std::string_view> next_line();

  protected:
    Driver(EngineSpec spec, std::unique_ptr<Process> process, Trace* trace, int cancel);
    void send(std::string_view text);  // whole lines, each ended by '\n'
    // Hears lines until one is Ready or `until` has passed.
    Outlook await_ready(Clock::time_point until);
    Outlook await_ready() { return await_ready(Clock::now() + spec_.patience); }
    void hear_thinking(Thinking thinking) { thinking_ = std::move(thinking); }
    void complain(std::string text) { complaints_.push_back(std::move(text)); }
    void call_itself(std::string_view name) { own_name_ = name; }

  private:
    EngineSpec spec_;
    std::unique_ptr<Process> process_;
    Trace* trace_;
    int cancel_;
    std::string own_name_;
    std::vector<std::string> complaints_;
    Thinking thinking_;
};

}  // namespace tools
