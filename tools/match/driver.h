// One engine in a match: a process, and the interface that both protocols implement.
#pragma once

#include "engine/platform/process.h"
#include "tools/match/played_game.h"
#include "tools/match/time_control.h"

#include <fstream>
#include <mutex>
#include <span>

namespace tools::match {

using engine::platform::Command;
using engine::platform::Process;
using engine::platform::wait_for;
using Clock = Process::Clock;
using Cancel = const engine::platform::Event*;  // all waiting ends when it is set; null: never

constexpr milliseconds QuitPatience{3'000};  // an engine may have to write its book

// The log of the conversation with the engines. Any thread may write.
class Trace {
  public:
    static Result<std::unique_ptr<Trace>> open(const std::string& path);
    // One line each: seconds since the start, the engine, '>' for what it got, '<' for what it
    // sent.
    void write(std::string_view engine, char direction, std::string_view text);
    // False if a line could not be written.
    [[nodiscard]] bool is_complete();

  private:
    explicit Trace(std::ofstream file) : file_(std::move(file)) {}

    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::mutex file_mutex_;
    std::ofstream file_;
};

enum class Protocol : std::uint8_t { Xboard, Uci };

using Option = std::pair<std::string, std::optional<std::string>>;  // no value: a button

// Whether a line for people, without "telluser" or "info string", that answers an option objects to
// it: an error, or a remark that begins with the name of one of the options, "EvalFile: cannot be
// read". Engines make other remarks, too.
bool objects_to_option(std::string_view line, std::span<const Option> options);

struct EngineSpec {
    std::string name;  // empty: the name that it reports
    Command command;
    Protocol protocol = Protocol::Xboard;
    std::vector<Option> options;
    std::vector<std::string> init;  // lines sent unchanged after the handshake
    std::optional<int> memory_mib, cores;
    bool restart = false;  // a new process for every game
    bool ponder = false;
    bool white_view = false;        // reports scores from White's side
    milliseconds patience{15'000};  // for answers outside its thinking time
    TimeControl time;
};

// What a line from an engine means to the game.
enum class EventType : std::uint8_t {
    Nothing,
    Move,  // text: the move
    Resign,
    OfferDraw,
    Claim,    // text: the result it claims
    Refusal,  // text: its complaint about a move or position that it was sent
    Ready     // the answer that we wait for
};
struct Event {
    EventType type = EventType::Nothing;
    std::string text{};
};

// Why an engine cannot play on.
struct EngineFailure {
    // Crash or Stall; IllegalMove: it refuses what it was sent; Unfinished: the match is cancelled.
    Ending kind;
    std::string what;
};
using EngineResult = tl::expected<void, EngineFailure>;

// The clocks for the engine that is about to move or ponder; nothing where a side has none.
struct Clocks {
    std::optional<milliseconds> own, other;
    milliseconds other_increment{};
    int moves_to_go = 0;  // until more time comes; 0: the whole game
};

// Belongs to one thread. Every call returns within the engine's `patience`, whatever it does; the
// start of an XBoard engine that asks for more time (done=0) may take longer.
class Driver {
  public:
    // Starts the program.
    static Result<std::unique_ptr<Driver>>
    start(const EngineSpec& spec, Trace* trace, Cancel cancel);
    virtual ~Driver() = default;  // kills it

    // The handshake, then options and init lines. Once, before anything else.
    virtual EngineResult handshake() = 0;
    // A new game; `other` is the opponent's name. Returns when the engine is ready.
    virtual EngineResult
    begin(const engine::Game& game, engine::Color own, const std::string& other) = 0;
    // The engine is to move: sends the moves since its last one and starts its search.
    virtual void think(const engine::Game& game, const Clocks& clocks) = 0;
    // The engine has moved and may think on its opponent's time.
    virtual void start_pondering(const engine::Game& game, const Clocks& clocks) = 0;
    // Interprets one line of the engine, and answers it where the protocol asks for that.
    virtual Event handle_line(std::string_view line) = 0;
    virtual void send_draw_offer() = 0;
    // The game is over. Returns when the engine is idle.
    virtual EngineResult
    end(const engine::Game& game, Outcome outcome, const std::string& reason) = 0;
    // False if the engine supports none of the limits of its time control, and would think forever.
    // Known after the handshake.
    [[nodiscard]] virtual bool has_limit() const { return true; }
    // False if the engine needs a new process for each game.
    [[nodiscard]] virtual bool reusable() const = 0;
    // Sends "quit" and gives the process `patience` to end.
    void quit(milliseconds patience);

    [[nodiscard]] const EngineSpec& spec() const { return spec_; }
    [[nodiscard]] std::string name() const;
    // Sets its name from now on, in place of the given and the reported one.
    void rename(std::string name) { spec_.name = std::move(name); }
    [[nodiscard]] Process& process() { return *process_; }
    // For the user: options that the engine does not have or objects to, and the like.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
    // What it last reported about its search; to be taken when its move has come.
    Thinking take_thinking() { return std::exchange(thinking_, {}); }
    // The next line that has arrived, if any; written to the trace.
    std::optional<std::string_view> next_line();

  protected:
    Driver(EngineSpec spec, std::unique_ptr<Process> process, Trace* trace, Cancel cancel);
    void send(std::string_view text);  // whole lines, each ended by '\n'
    // Handles lines until one is Ready or `until` has passed. A Refusal before Ready is a failure.
    EngineResult await_ready(Clock::time_point until);
    EngineResult await_ready() { return await_ready(Clock::now() + spec_.patience); }
    void set_thinking(Thinking thinking) { thinking_ = std::move(thinking); }
    void warn(std::string text) { warnings_.push_back(std::move(text)); }
    void set_own_name(std::string_view name) { own_name_ = name; }

  private:
    EngineSpec spec_;
    std::unique_ptr<Process> process_;
    Trace* trace_;
    Cancel cancel_;
    std::string own_name_;
    std::vector<std::string> warnings_;
    Thinking thinking_;
};

}  // namespace tools::match
