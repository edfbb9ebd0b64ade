// The Universal Chess Interface: turns lines into orders for the player, and its answers into
// lines. Source: R. Huber and S. Meyer-Kahlen, "UCI protocol", 2006.
#pragma once

#include "protocol/adapter.h"
#include "protocol/uci_go.h"
#include "protocol/uci_lines.h"

#include <deque>
#include <span>

namespace protocol {

class Uci final : public Adapter {
  public:
    struct Request;
    struct Command {
        std::string_view name;
        bool waits;  // for the answer to a `go`
        std::string_view args, help;
        void (*run)(Uci& uci, const Request& request);
    };
    // A line from the client, without any words before the command.
    struct Request {
        std::string line;
        Time arrived;
        const Command* command;
        std::size_t args_start;
        bool deferred = false;  // it has waited
        bool stopped = false;   // a `stop` came while it waited
        [[nodiscard]] std::string_view args() const {
            return std::string_view(line).substr(args_start);
        }
    };
    static std::span<const Command> commands();  // sorted by name

    Uci(const Parts& parts, const Settings& settings, const Resources& resources);

    [[nodiscard]] std::optional<Time> alarm() override;

  private:
    static const Command Table[];

    void receive(const Line& line) override;
    void run_deferred() override;
    void notify(const std::string& text) override { out_.answer(text); }
    void ring(Time at) override;
    void input_ended() override { quit(); }
    void end_game() override { player_.conclude(); }

    void introduce();
    void go(const Request& request);
    void option(const Request& request);
    bool own_option(const std::string& name, std::string_view value);
    void set_opponent(std::string_view text);
    void use_opponent();
    void new_game();
    void ponder_hit(const Request& request);
    void position(const Request& request);
    void print_progress(Time at);
    void quit();
    void stop();

    Resources shown_;  // the defaults of Hash and Threads
    UciStyle style_;
    std::string opponent_;  // the value of UCI_Opponent, kept until it is set again
    bool analyse_mode_ = false;
    bool refused_ = false;            // the last `position` was refused
    bool endless_ = false;            // the last order may never end by itself
    bool endless_after_hit_ = false;  // also after a ponder hit
    bool leaving_ = false;            // quits after the answer
    std::deque<Request> deferred_;    // until the answer to the last order
    std::optional<Time> progress_due_;
};

}  // namespace protocol
