// A tiny engine for the tests of the match runner: fake_engine PROTOCOL BEHAVIOUR MOVE...
// It plays the moves one after the other in every game, whatever the opponent does, and when they
// are used up it shows its BEHAVIOUR.
#include "engine/platform/program.h"

#include <fstream>
#include <iostream>
#include <optional>

namespace {

using Words = std::vector<std::string>;

void say(const std::string& line) {
    std::cout << line << std::endl;
}

class FakeEngine {
  public:
    FakeEngine(bool uci, std::string behaviour, Words moves)
        : uci_(uci), behaviour_(std::move(behaviour)), moves_(std::move(moves)) {}

    // The exit status, if it ends.
    std::optional<int> obey(const std::string& line) {
        const std::string command = line.substr(0, line.find(' '));
        if (behaviour_ == "echo")
            say(line);
        else if (command == "protover")
            greet();
        else if (behaviour_ == "refuse" && !playing_ && command == "setboard")
            say("tellusererror Illegal position");
        else if (behaviour_ == "refuse" && !playing_ && command == "usermove")
            say("Illegal move: " + line.substr(command.size() + 1));
        else if (command == "ping")
            say("pong" + line.substr(command.size()));
        else if (command == "new" || command == "ucinewgame")
            next_ = 0, playing_ = false;
        else if (command == "force")
            playing_ = false;
        else if (command == "draw" && behaviour_ == "accept")
            say("offer draw");
        else if (command == "uci")
            say("id name Fake (UCI)\nuciok");
        else if (command == "isready")
            say("readyok");
        else if (command == "stop" && behaviour_ == "hang")
            move("0000");
        else if (command == "quit")
            return end();
        else if (command == "go" || (command == "usermove" && playing_))
            return think();
        return std::nullopt;
    }

  private:
    void move(const std::string& text) const { say((uci_ ? "bestmove " : "move ") + text); }

    int end() {
        if (behaviour_ == "diary")
            std::ofstream("diary", std::ios::binary | std::ios::app) << "quit\n";
        return 0;
    }

    void greet() {
        if (behaviour_ == "timed")
            say("feature nps=0");
        if (behaviour_ == "patient")
            say("feature done=0");
        if (behaviour_ == "patient" || behaviour_ == "late") {
            engine::platform::pause(std::chrono::seconds(4));
            say("feature option=\"Level -spin 1 1 9\"");
        }
        say("feature ping=1 setboard=1 usermove=1 draw=1 myname=\"Fake (CECP)\" done=1");
    }

    std::optional<int> think() {
        playing_ = true;
        if (next_ == moves_.size())
            return misbehave();
        if (behaviour_ == "offer")
            say("offer draw");
        std::string line;
        for (std::size_t i = next_; i < moves_.size(); ++i)
            line += ' ' + moves_[i];
        const std::string next = moves_[next_++];
        const std::string thinking =
            (uci_ ? "info depth 7 score cp 35 nodes 1000 time 2 pv" : "7 35 0 1000") + line;
        if (behaviour_ == "afterthought")
            say("move " + next + '\n' + thinking);
        else if (behaviour_ == "hasty")
            say("move " + next + "\nresign");
        else
            say(thinking), move(next);
        return std::nullopt;
    }

    std::optional<int> misbehave() {
        if (behaviour_ == "crash")
            return 3;
        while (behaviour_ == "deaf")
            engine::platform::pause(std::chrono::hours(1));
        if (behaviour_ == "illegal")
            move("e1e8");
        else if (behaviour_ == "garbage")
            say("move }{\033\377 %n%s");
        else if (behaviour_ == "nonsense")
            move("zz9");
        else if (behaviour_ == "resign" || behaviour_ == "patient" || behaviour_ == "late" ||
                 behaviour_ == "diary")
            say("resign");
        else if (behaviour_ == "lose")
            say("1-0 {White mates}\n0-1 {Black mates}");
        else if (behaviour_ == "claim")
            say("1/2-1/2 {Draw by repetition}");
        while (behaviour_ == "flood" && std::cout << "# nothing to say\n")
            continue;
        return std::nullopt;
    }

    bool uci_;
    std::string behaviour_;
    Words moves_;
    std::size_t next_ = 0;
    bool playing_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    Words words = engine::platform::begin_program(argc, argv);
    if (words.size() < 2)
        return 2;
    const bool uci = words[0] == "uci";
    const std::string behaviour = words[1];
    if (behaviour == "absent")
        return 0;
    words.erase(words.begin(), words.begin() + 2);
    FakeEngine fake(uci, behaviour, std::move(words));
    for (std::string line; std::getline(std::cin, line);)
        if (const std::optional<int> status = fake.obey(line))
            return *status;
    return 0;
}
